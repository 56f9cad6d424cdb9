/* One-point statistics and second-order structure functions of a velocity component
 * from a direct simulation, stored as 16-bit integers, plane after plane. */
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define N       512
#define NSEP    10
#define PERBLK  16          /* planes per block, 8 MB */

typedef struct {
    double sum, sum2, sum3, sum4;
    double s2[NSEP];
    uint64_t n, pdf[256];
} stats_t;

static const int sep[NSEP] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32};

static ssize_t read_block(int fd, void *buf, size_t want)
{
    size_t got = 0;
    while (got < want) {
        ssize_t r = read(fd, (char *)buf + got, want - got);
        if (r < 0)
            return -1;
        if (r == 0)
            break;
        got += r;
    }
    return got;
}

static void add_plane(const int16_t *p, stats_t *s)
{
    for (int j = 0; j < N; j++) {
        const int16_t *row = p + (size_t)j * N;
        double a = 0, b = 0, c = 0, d = 0;
        for (int i = 0; i < N; i++) {
            double v = row[i] * (1.0 / 32768.0), v2 = v * v;
            a += v;
            b += v2;
            c += v2 * v;
            d += v2 * v2;
            s->pdf[(uint16_t)(row[i] + 32768) >> 8]++;
        }
        s->sum += a;
        s->sum2 += b;
        s->sum3 += c;
        s->sum4 += d;
        for (int k = 0; k < NSEP; k++) {
            double acc = 0;
            for (int i = 0; i + sep[k] < N; i++) {
                double dv = (row[i + sep[k]] - row[i]) * (1.0 / 32768.0);
                acc += dv * dv;
            }
            s->s2[k] += acc / (N - sep[k]);
        }
    }
    s->n += (uint64_t)N * N;
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "velocity.raw";
    size_t plane = (size_t)N * N * sizeof(int16_t);
    int16_t *buf = malloc(PERBLK * plane);
    stats_t s = {0};
    uint64_t planes = 0;
    ssize_t got;

    int fd = open(path, O_RDONLY);
    if (fd < 0) {
        perror(path);
        return 1;
    }
    posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    while ((got = read_block(fd, buf, PERBLK * plane)) > 0) {
        int np = (int)(got / plane);
        for (int k = 0; k < np; k++)
            add_plane(buf + (size_t)k * N * N, &s);
        planes += np;
    }
    close(fd);

    double mean = s.sum / s.n, var = s.sum2 / s.n - mean * mean;
    FILE *out = fopen("structure.txt", "w");
    for (int k = 0; k < NSEP; k++)
        fprintf(out, "%d %.9e\n", sep[k], s.s2[k] / (planes * N));
    for (int k = 0; k < 256; k++)
        fprintf(out, "%d %llu\n", k, (unsigned long long)s.pdf[k]);
    fclose(out);
    printf("planes %llu mean %.8f rms %.8f m3 %.8f flatness %.8f\n", (unsigned long long)planes, mean, sqrt(var),
           s.sum3 / s.n, s.sum4 / s.n / (var * var));
    free(buf);
    return 0;
}
