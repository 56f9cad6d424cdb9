/* Linear shallow-water waves on independent ocean basins, one basin per rank;
 * sea level and transport of all basins go to one restart file. */
#include <mpi.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define NX 512
#define NY 256

typedef struct {
    double level[NY][NX], east[NY][NX], north[NY][NX], depth[NY][NX];
} basin;

static void quake(basin *b, int rank)
{
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) {
            double dx = (i - 100.0 - 20 * rank) / 12.0, dy = (j - 128.0) / 20.0;
            b->level[j][i] = 2.0 * exp(-dx * dx - dy * dy);
            b->depth[j][i] = 4000.0 - 3500.0 * i / NX;
        }
}

static void propagate(basin *b, double c)
{
    for (int j = 1; j < NY - 1; j++)
        for (int i = 1; i < NX - 1; i++) {
            double h = b->depth[j][i] / 4000.0;
            b->east[j][i] -= c * h * (b->level[j][i + 1] - b->level[j][i]);
            b->north[j][i] -= c * h * (b->level[j + 1][i] - b->level[j][i]);
        }
    for (int j = 1; j < NY - 1; j++)
        for (int i = 1; i < NX - 1; i++)
            b->level[j][i] -= c * (b->east[j][i] - b->east[j][i - 1]
                                   + b->north[j][i] - b->north[j - 1][i]);
}

static void save_restart(MPI_File f, const basin *b, int rank, int nproc, int slot)
{
    MPI_Offset at = ((MPI_Offset)slot * nproc + rank) * 3 * NX * NY * sizeof(double);
    MPI_File_write_at(f, at, b->level, 3 * NX * NY, MPI_DOUBLE, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, nproc;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &nproc);
    int steps = argc > 1 ? atoi(argv[1]) : 1000;
    basin *b = calloc(1, sizeof *b);
    quake(b, rank);

    MPI_File f;
    MPI_File_open(MPI_COMM_WORLD, "tsunami.restart", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                  MPI_INFO_NULL, &f);
    for (int step = 1; step <= steps; step++) {
        propagate(b, 0.4);
        if (step % (steps / 2) == 0)
            save_restart(f, b, rank, nproc, step / (steps / 2) - 1);
    }
    MPI_File_close(&f);

    double highest = 0, all;
    for (int j = 0; j < NY; j++)
        if (b->level[j][NX / 2] > highest)
            highest = b->level[j][NX / 2];
    MPI_Reduce(&highest, &all, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("highest wave on the slope %.6f m\n", all);
    free(b);
    MPI_Finalize();
    return 0;
}
