/* Linear shallow water waves in a closed basin (forward-backward scheme on
   a C grid); the surface elevation is kept for the later spectral analysis. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int nx, ny;
    double dx, dt, g, depth;
    double *eta, *u, *v;
} Basin;

static Basin basin_new(int nx, int ny)
{
    Basin b = {nx, ny, 1000.0, 0.0, 9.81, 100.0, NULL, NULL, NULL};
    b.dt = 0.4 * b.dx / sqrt(2.0 * b.g * b.depth);
    b.eta = calloc((size_t)nx * ny, sizeof(double));
    b.u = calloc((size_t)(nx + 1) * ny, sizeof(double));
    b.v = calloc((size_t)nx * (ny + 1), sizeof(double));
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            double x = (i - 0.3 * nx) / (0.08 * nx), y = (j - 0.6 * ny) / (0.08 * ny);
            b.eta[j * nx + i] = exp(-x * x - y * y);
        }
    return b;
}

static void basin_free(Basin *b)
{
    free(b->eta);
    free(b->u);
    free(b->v);
}

static void step(Basin *b)
{
    int nx = b->nx, ny = b->ny;
    double a = b->g * b->dt / b->dx, c = b->depth * b->dt / b->dx;
    for (int j = 0; j < ny; j++)
        for (int i = 1; i < nx; i++)
            b->u[j * (nx + 1) + i] -= a * (b->eta[j * nx + i] - b->eta[j * nx + i - 1]);
    for (int j = 1; j < ny; j++)
        for (int i = 0; i < nx; i++)
            b->v[j * nx + i] -= a * (b->eta[j * nx + i] - b->eta[(j - 1) * nx + i]);
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++)
            b->eta[j * nx + i] -= c * (b->u[j * (nx + 1) + i + 1] - b->u[j * (nx + 1) + i]
                                       + b->v[(j + 1) * nx + i] - b->v[j * nx + i]);
}

static double energy(const Basin *b)
{
    double e = 0.0;
    for (int k = 0; k < b->nx * b->ny; k++)
        e += 0.5 * b->g * b->eta[k] * b->eta[k];
    for (int k = 0; k < (b->nx + 1) * b->ny; k++)
        e += 0.5 * b->depth * b->u[k] * b->u[k];
    for (int k = 0; k < b->nx * (b->ny + 1); k++)
        e += 0.5 * b->depth * b->v[k] * b->v[k];
    return e;
}

static void save(FILE *out, const Basin *b)
{
    fwrite(b->eta, sizeof(double), (size_t)b->nx * b->ny, out);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 300;
    int records = argc > 2 ? atoi(argv[2]) : 32;
    int every = 30;
    Basin b = basin_new(n, n);
    FILE *out = fopen("elevation.dat", "wb");
    if (!out) {
        perror("elevation.dat");
        return 1;
    }
    for (int r = 0; r < records; r++) {
        for (int k = 0; k < every; k++)
            step(&b);
        save(out, &b);
        if (r % 8 == 0)
            printf("t = %8.1f s  energy %.10e\n", (r + 1) * every * b.dt, energy(&b));
    }
    if (fclose(out) != 0) {
        perror("elevation.dat");
        return 1;
    }
    printf("final energy %.12e\n", energy(&b));
    basin_free(&b);
    return 0;
}
