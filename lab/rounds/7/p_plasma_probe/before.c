/* One-dimensional particle push with field probes.  Every rank owns a group of
 * particles; a probe record per rank and step goes to the history file. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define NPART 64
#define NQUANT 4

struct group {
    double x[NPART];
    double v[NPART];
};

static void group_init(struct group *g, int rank)
{
    for (int p = 0; p < NPART; p++) {
        g->x[p] = fmod(0.6180339887 * (p + 1) + 0.137 * rank, 1.0);
        g->v[p] = 0.02 * (((p * 7919 + rank * 104729) % 200) - 100) / 100.0;
    }
}

static double field_at(double x, double time)
{
    double d = x - 0.5;
    return -4.0 * d * (1.0 - d * d) + 0.1 * (1.0 - time);
}

static void push(struct group *g, double time, double dt)
{
    for (int p = 0; p < NPART; p++) {
        g->v[p] += dt * field_at(g->x[p], time);
        g->x[p] += dt * g->v[p];
        if (g->x[p] < 0.0)
            g->x[p] += 1.0;
        if (g->x[p] >= 1.0)
            g->x[p] -= 1.0;
    }
}

static void probe(const struct group *g, double time, double *q)
{
    q[0] = time;
    q[1] = q[2] = q[3] = 0.0;
    for (int p = 0; p < NPART; p++) {
        q[1] += g->x[p];
        q[2] += g->v[p];
        q[3] += 0.5 * g->v[p] * g->v[p];
    }
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int nstep = argc > 1 ? atoi(argv[1]) : 3000;
    double dt = 1e-3;

    struct group g;
    group_init(&g, rank);
    MPI_File history;
    MPI_File_open(MPI_COMM_WORLD, "history.bin",
                  MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &history);

    double energy = 0.0;
    for (int step = 0; step < nstep; step++) {
        double q[NQUANT];
        push(&g, step * dt, dt);
        probe(&g, step * dt, q);
        MPI_Offset at = ((MPI_Offset)step * size + rank) *
                        (MPI_Offset)sizeof q;
        MPI_File_write_at_all(history, at, q, NQUANT, MPI_DOUBLE,
                              MPI_STATUS_IGNORE);
        energy = q[3];
    }
    MPI_File_close(&history);

    double total = 0.0;
    MPI_Reduce(&energy, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d steps on %d ranks, final kinetic energy %.8f\n", nstep,
               size, total);
    MPI_Finalize();
    return 0;
}
