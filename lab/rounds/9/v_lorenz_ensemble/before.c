/* Ensemble of two-scale Lorenz-96 models, a share of the members on every rank.
 * The ensemble file has the layout [time][site][member], as the filter wants it. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int n;                      /* sites */
    int members, first, mine;   /* ensemble size, first member and number of members of this rank */
    double forcing;
    double *x, *k, *acc, *tmp;  /* n values per member */
} ensemble_t;

static void setup(ensemble_t *e, int rank, int nranks)
{
    e->first = e->members * rank / nranks;
    e->mine = e->members * (rank + 1) / nranks - e->first;
    e->x = malloc(sizeof(double) * e->n * e->mine);
    e->k = malloc(sizeof(double) * e->n);
    e->acc = malloc(sizeof(double) * e->n);
    e->tmp = malloc(sizeof(double) * e->n);
    for (int m = 0; m < e->mine; m++) {
        unsigned s = 1234567u + 7919u * (unsigned)(e->first + m);
        for (int i = 0; i < e->n; i++) {
            s = s * 1664525u + 1013904223u;
            e->x[(size_t)m * e->n + i] = e->forcing + 1.0e-2 * (s / 4294967296.0 - 0.5) + sin(0.11 * i);
        }
    }
}

static void tendency(const double *x, double *d, int n, double forcing)
{
    for (int i = 2; i < n - 1; i++)
        d[i] = (x[i + 1] - x[i - 2]) * x[i - 1] - x[i] + forcing;
    d[0] = (x[1] - x[n - 2]) * x[n - 1] - x[0] + forcing;
    d[1] = (x[2] - x[n - 1]) * x[0] - x[1] + forcing;
    d[n - 1] = (x[0] - x[n - 3]) * x[n - 2] - x[n - 1] + forcing;
}

static void rk4(ensemble_t *e, double *x, double dt)
{
    static const double c[4] = {0.5, 0.5, 1.0, 0.0}, w[4] = {1.0, 2.0, 2.0, 1.0};
    memset(e->acc, 0, sizeof(double) * e->n);
    memcpy(e->tmp, x, sizeof(double) * e->n);
    for (int s = 0; s < 4; s++) {
        tendency(e->tmp, e->k, e->n, e->forcing);
        for (int i = 0; i < e->n; i++) {
            e->acc[i] += w[s] * e->k[i];
            e->tmp[i] = x[i] + c[s] * dt * e->k[i];
        }
    }
    for (int i = 0; i < e->n; i++)
        x[i] += dt / 6.0 * e->acc[i];
}

static void write_state(ensemble_t *e, MPI_File fh, int frame, double *buf)
{
    MPI_Offset start = (MPI_Offset)frame * e->n * e->members;
    for (int i = 0; i < e->n; i++) {
        MPI_Offset at = start + (MPI_Offset)i * e->members + e->first;
        for (int m = 0; m < e->mine; m++)
            buf[m] = e->x[(size_t)m * e->n + i];
        MPI_File_write_at(fh, at * sizeof(double), buf, e->mine, MPI_DOUBLE, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char **argv)
{
    ensemble_t e = {.n = 40000, .members = 8, .forcing = 8.0};
    int rank, nranks, frames, every;
    MPI_File fh;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &nranks);
    frames = argc > 1 ? atoi(argv[1]) : 10;
    every = argc > 2 ? atoi(argv[2]) : 5;
    setup(&e, rank, nranks);
    double *buf = malloc(sizeof(double) * e.mine);

    MPI_File_open(MPI_COMM_WORLD, "ensemble.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &fh);
    for (int f = 0; f < frames; f++) {
        for (int s = 0; s < every; s++)
            for (int m = 0; m < e.mine; m++)
                rk4(&e, e.x + (size_t)m * e.n, 0.01);
        write_state(&e, fh, f, buf);
    }
    MPI_File_close(&fh);

    double sum[2] = {0, 0}, all[2];
    for (int i = 0; i < e.n * e.mine; i++) {
        sum[0] += e.x[i];
        sum[1] += e.x[i] * e.x[i];
    }
    MPI_Reduce(sum, all, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        double n = (double)e.n * e.members, mean = all[0] / n;
        printf("members %d mean %.9f spread %.9f\n", e.members, mean, sqrt(all[1] / n - mean * mean));
    }
    free(buf);
    MPI_Finalize();
    return 0;
}
