/* Sorting of two embryonic cell types by differential adhesion (cellular Potts
 * model after Glazier and Graner). Each process runs one aggregate with its own
 * random numbers; process 0 keeps the protocol and writes the pictures. */
#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>
#include <math.h>
#include <mpi.h>

#define N       96
#define CELLS   64
#define TARGET  80.0
#define LAMBDA  1.0
#define TEMP    9.0

static int sigma[N][N];
static int type[CELLS + 1];
static double area[CELLS + 1];
static double accept_prob[400];
static const int J[3][3] = {{0, 16, 16}, {16, 14, 11}, {16, 11, 2}};
static const int dx[8] = {1, 1, 0, -1, -1, -1, 0, 1}, dy[8] = {0, 1, 1, 1, 0, -1, -1, -1};

static uint64_t rs;
static uint64_t next_random(void)
{
    rs ^= rs << 13; rs ^= rs >> 7; rs ^= rs << 17;
    return rs;
}

static void plant_aggregate(void)
{
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) sigma[y][x] = 0;
    for (int c = 1; c <= CELLS; c++) {
        int cx = 12 + 9 * ((c - 1) % 8), cy = 12 + 9 * ((c - 1) / 8);
        type[c] = 1 + (next_random() >> 40) % 2;
        area[c] = 0;
        for (int y = cy; y < cy + 9; y++)
            for (int x = cx; x < cx + 9; x++) { sigma[y][x] = c; area[c]++; }
    }
    for (int i = 0; i < 400; i++) accept_prob[i] = exp(-i / (4 * TEMP));
}

static int bond(int a, int b) { return a == b ? 0 : J[type[a]][type[b]]; }

static void try_copy(void)
{
    uint64_t r = next_random();
    int x = 1 + (int)((r >> 8) % (N - 2)), y = 1 + (int)((r >> 24) % (N - 2)), k = (r >> 60) & 7;
    int old = sigma[y][x], new = sigma[y + dy[k]][x + dx[k]];
    double dE = 0;
    if (old == new) return;
    for (int i = 0; i < 8; i++) {
        int s = sigma[y + dy[i]][x + dx[i]];
        dE += bond(new, s) - bond(old, s);
    }
    if (old) dE += LAMBDA * (1 - 2 * (area[old] - TARGET));
    if (new) dE += LAMBDA * (1 + 2 * (area[new] - TARGET));
    if (dE > 0) {
        int i = (int)(4 * dE);
        if (i >= 400 || (next_random() >> 11) / 9007199254740992.0 > accept_prob[i]) return;
    }
    area[old]--;
    area[new]++;
    sigma[y][x] = new;
}

/* length of contact between unlike cells, relative to all cell contacts */
static double mixing(void)
{
    long unlike = 0, all = 0;
    for (int y = 1; y < N - 1; y++)
        for (int x = 1; x < N - 1; x++)
            for (int i = 0; i < 2; i++) {
                int a = sigma[y][x], b = sigma[y + dy[2 * i]][x + dx[2 * i]];
                if (a == b || !a || !b) continue;
                all++;
                unlike += type[a] != type[b];
            }
    return all ? (double)unlike / all : 0;
}

static void write_picture(int sweep)
{
    char name[64];
    snprintf(name, sizeof name, "aggregate_%06d.pgm", sweep);
    FILE *f = fopen(name, "wb");
    fprintf(f, "P5 %d %d 255\n", N, N);
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) putc(sigma[y][x] ? 90 * type[sigma[y][x]] : 0, f);
    fclose(f);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int sweeps = argc > 1 ? atoi(argv[1]) : 4000;
    int every = argc > 2 ? atoi(argv[2]) : 100;
    FILE *protocol = NULL;

    rs = 0x2545F4914F6CDD1DULL ^ ((uint64_t)(rank + 1) << 32);
    plant_aggregate();
    if (rank == 0) protocol = fopen("sorting.txt", "w");
    for (int s = 1; s <= sweeps; s++) {
        for (int i = 0; i < N * N; i++) try_copy();
        if (s % every) continue;
        double m = mixing(), sum;
        MPI_Reduce(&m, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        if (rank == 0) {
            fprintf(protocol, "%6d %.4f %.4f\n", s, m, sum / size);
            fflush(protocol);
            if (s % (10 * every) == 0) write_picture(s);
        }
    }
    if (rank == 0) {
        fclose(protocol);
        printf("%d aggregates, %d sweeps, mixing %.4f\n", size, sweeps, mixing());
    }
    MPI_Finalize();
    return 0;
}
