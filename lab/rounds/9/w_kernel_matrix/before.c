/* Matern kernel matrix of a point cloud, kept on disk by row panels, then
 * scaled symmetrically (Sinkhorn) in place, a panel at a time. */
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <fcntl.h>
#include <unistd.h>

#define PANEL 256
#define DIM 24

static double urand(unsigned *s)
{
    *s = *s * 1664525u + 1013904223u;
    return (*s >> 8) / 16777216.0;
}

static int fill_panel(int fd, const double (*x)[DIM], int n, int r0, float *p, double *rowsum)
{
    for (int i = 0; i < PANEL; i++) {
        double sum = 0.0;
        for (int j = 0; j < n; j++) {
            double r = 0.0;
            for (int k = 0; k < DIM; k++) r += (x[r0 + i][k] - x[j][k]) * (x[r0 + i][k] - x[j][k]);
            r = 1.5 * sqrt(r);
            float v = (1.0 + r + r * r / 3.0) * exp(-r);
            p[(size_t)i * n + j] = v;
            sum += v;
        }
        rowsum[r0 + i] = sum;
    }
    ssize_t len = (ssize_t)PANEL * n * sizeof(float);
    return pwrite(fd, p, len, (off_t)r0 * n * sizeof(float)) == len;
}

static int scale_panel(int fd, int n, int r0, float *p, const double *d, double *next)
{
    ssize_t len = (ssize_t)PANEL * n * sizeof(float);
    off_t at = (off_t)r0 * n * sizeof(float);
    if (pread(fd, p, len, at) != len) return 0;
    for (int i = 0; i < PANEL; i++) {
        double sum = 0.0;
        float di = d[r0 + i];
        for (int j = 0; j < n; j++) {
            float v = p[(size_t)i * n + j] * di * (float)d[j];
            p[(size_t)i * n + j] = v;
            sum += v;
        }
        next[r0 + i] = sum;
    }
    return pwrite(fd, p, len, at) == len;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 4096, rounds = 3;
    double (*x)[DIM] = malloc(n * sizeof *x);
    double *sum = malloc(n * sizeof *sum), *d = malloc(n * sizeof *d);
    float *panel = malloc((size_t)PANEL * n * sizeof *panel);
    unsigned seed = 12345;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < DIM; k++) x[i][k] = urand(&seed);

    int fd = open("kernel.f32", O_RDWR | O_CREAT | O_TRUNC, 0644);
    if (fd < 0) { perror("kernel.f32"); return 1; }
    for (int r0 = 0; r0 < n; r0 += PANEL)
        if (!fill_panel(fd, x, n, r0, panel, sum)) return 1;

    for (int k = 0; k < rounds; k++) {
        for (int i = 0; i < n; i++) d[i] = 1.0 / sqrt(sum[i]);
        for (int r0 = 0; r0 < n; r0 += PANEL)
            if (!scale_panel(fd, n, r0, panel, d, sum)) return 1;
        double worst = 0.0;
        for (int i = 0; i < n; i++) worst = fmax(worst, fabs(sum[i] - 1.0));
        printf("round %d  largest deviation of a row sum %.3e\n", k, worst);
    }
    if (fsync(fd) || close(fd)) return 1;
    free(panel); free(d); free(sum); free(x);
    return 0;
}
