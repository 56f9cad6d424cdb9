/* Escape-time maps of several parameter planes; each thread writes the maps of
 * its planes and makes them durable before it reports them as done. */
#include <complex.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define SIZE 160
#define PLANES 6

struct worker {
    int first, stride;
    int limit;
    long total;
};

static uint16_t escape(double cr, double ci, double power, int limit)
{
    double x = 0.0, y = 0.0;
    int n = 0;
    while (n < limit && x * x + y * y < 4.0) {
        double t = x * x - y * y + cr;
        y = power * x * y + ci;
        x = t;
        n++;
    }
    return (uint16_t)n;
}

static int save_rows(int plane, uint16_t (*map)[SIZE])
{
    char path[64];
    snprintf(path, sizeof path, "plane_%02d.u16", plane);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (fd < 0)
        return -1;
    for (int row = 0; row < SIZE; row++)
        if (write(fd, map[row], sizeof map[row]) != (ssize_t)sizeof map[row]) {
            close(fd);
            return -1;
        }
    fsync(fd);
    return close(fd);
}

static void *work(void *arg)
{
    struct worker *w = arg;
    uint16_t (*map)[SIZE] = malloc(sizeof(uint16_t[SIZE][SIZE]));
    for (int p = w->first; p < PLANES; p += w->stride) {
        for (int i = 0; i < SIZE; i++)
            for (int j = 0; j < SIZE; j++) {
                double cr = -2.0 + 2.6 * j / SIZE, ci = -1.2 + 2.4 * i / SIZE;
                map[i][j] = escape(cr, ci, 2.0 + 0.02 * p, w->limit);
                w->total += map[i][j];
            }
        if (save_rows(p, map) != 0)
            perror("plane");
    }
    free(map);
    return NULL;
}

int main(int argc, char **argv)
{
    int limit = argc > 1 ? atoi(argv[1]) : 10000;
    struct worker w[2];
    pthread_t id[2];
    for (int k = 0; k < 2; k++) {
        w[k] = (struct worker){ k, 2, limit, 0 };
        pthread_create(&id[k], NULL, work, &w[k]);
    }
    long total = 0;
    for (int k = 0; k < 2; k++) {
        pthread_join(id[k], NULL);
        total += w[k].total;
    }
    printf("%d planes, %ld iterations\n", PLANES, total);
    return 0;
}
