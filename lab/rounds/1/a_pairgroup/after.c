/* Friends-of-friends style grouping: the neighbour list of every cell is made
 * in a first stage and read by the second stage from memory. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PER_CELL 48

struct pair {
    int32_t a, b;
    float distance;
};

static uint32_t lcg = 12345u;

static float coordinate(void)
{
    lcg = lcg * 1664525u + 1013904223u;
    return (float)(lcg >> 8) / 16777216.0f;
}

static int find_pairs(float (*pos)[3], struct pair *list, float link)
{
    int n = 0;
    for (int i = 0; i < PER_CELL; i++)
        for (int j = i + 1; j < PER_CELL; j++) {
            float dx = pos[i][0] - pos[j][0];
            float dy = pos[i][1] - pos[j][1];
            float dz = pos[i][2] - pos[j][2];
            float d2 = dx * dx + dy * dy + dz * dz;
            if (d2 < link * link) {
                list[n].a = i;
                list[n].b = j;
                list[n].distance = sqrtf(d2);
                n++;
            }
        }
    return n;
}

static int count_groups(const struct pair *list, int n)
{
    int label[PER_CELL], groups = 0;
    for (int i = 0; i < PER_CELL; i++)
        label[i] = i;
    for (int k = 0; k < n; k++) {
        int from = label[list[k].b], to = label[list[k].a];
        for (int i = 0; from != to && i < PER_CELL; i++)
            if (label[i] == from)
                label[i] = to;
    }
    for (int i = 0; i < PER_CELL; i++)
        groups += label[i] == i;
    return groups;
}

int main(int argc, char **argv)
{
    int cells = argc > 1 ? atoi(argv[1]) : 10000;
    struct pair *list = malloc(PER_CELL * PER_CELL * sizeof *list);
    long groups = 0, links = 0;
    for (int c = 0; c < cells; c++) {
        float pos[PER_CELL][3];
        for (int i = 0; i < PER_CELL; i++)
            for (int k = 0; k < 3; k++)
                pos[i][k] = coordinate();
        int n = find_pairs(pos, list, 0.2f);
        groups += count_groups(list, n);
        links += n;
    }
    printf("%d cells, %ld links, %ld groups\n", cells, links, groups);
    free(list);
    return 0;
}
