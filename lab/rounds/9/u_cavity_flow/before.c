/* Lid-driven cavity, D2Q9 lattice Boltzmann, restart file every few hundred steps. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define Q 9
static const int cx[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
static const int cy[Q] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
static const int opp[Q] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
static const double wt[Q] = {4. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 9,
                             1. / 36, 1. / 36, 1. / 36, 1. / 36};

typedef struct {
    int n;
    size_t cells;
    double *f, *g;
} Lattice;

static void start(Lattice *s, int n)
{
    s->n = n;
    s->cells = (size_t)n * n;
    s->f = malloc(Q * s->cells * sizeof(double));
    s->g = malloc(Q * s->cells * sizeof(double));
    for (size_t k = 0; k < s->cells; k++)
        for (int q = 0; q < Q; q++) s->f[k * Q + q] = wt[q];
}

static void step(Lattice *s, double omega, double lid)
{
    int n = s->n;
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            double *p = s->f + ((size_t)y * n + x) * Q;
            double rho = 0, ux = 0, uy = 0;
            for (int q = 0; q < Q; q++) {
                rho += p[q];
                ux += cx[q] * p[q];
                uy += cy[q] * p[q];
            }
            ux /= rho; uy /= rho;
            double uu = 1.5 * (ux * ux + uy * uy);
            for (int q = 0; q < Q; q++) {
                double cu = 3 * (cx[q] * ux + cy[q] * uy);
                double out = p[q] + omega * (wt[q] * rho * (1 + cu + 0.5 * cu * cu - uu) - p[q]);
                int tx = x + cx[q], ty = y + cy[q];
                if (tx < 0 || tx >= n || ty < 0 || ty >= n) {
                    if (ty >= n) out -= 6 * wt[q] * rho * cx[q] * lid;
                    s->g[((size_t)y * n + x) * Q + opp[q]] = out;
                } else {
                    s->g[((size_t)ty * n + tx) * Q + q] = out;
                }
            }
        }
    double *t = s->f; s->f = s->g; s->g = t;
}

static void put(int fd, const void *data, size_t bytes)
{
    const char *p = data;
    while (bytes > 0) {
        ssize_t k = write(fd, p, bytes);
        if (k <= 0) { perror("write"); exit(1); }
        p += k;
        bytes -= k;
    }
}

static void checkpoint(const Lattice *s, int32_t k)
{
    int32_t head[2] = {s->n, k};
    int fd = open("cavity.rst.new", O_CREAT | O_TRUNC | O_WRONLY, 0644);
    if (fd < 0) { perror("cavity.rst.new"); exit(1); }
    put(fd, head, sizeof head);
    put(fd, s->f, Q * s->cells * sizeof(double));
    fsync(fd);
    close(fd);
    rename("cavity.rst.new", "cavity.rst");
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 320;
    int steps = argc > 2 ? atoi(argv[2]) : 360;
    int every = argc > 3 ? atoi(argv[3]) : 120;
    Lattice s;
    start(&s, n);
    for (int k = 1; k <= steps; k++) {
        step(&s, 1.6, 0.08);
        if (k % every == 0) checkpoint(&s, k);
    }
    double mass = 0, mx = 0;
    for (size_t k = 0; k < s.cells; k++)
        for (int q = 0; q < Q; q++) {
            mass += s.f[k * Q + q];
            mx += cx[q] * s.f[k * Q + q];
        }
    printf("mass %.8f momentum %.8e\n", mass / s.cells, mx / s.cells);
    free(s.f); free(s.g);
    return 0;
}
