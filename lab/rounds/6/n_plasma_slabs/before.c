/* Electrostatic plasma in slabs, one slab per rank; the density history of all slabs goes to one file. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CELLS 16384

struct slab {
    double density[CELLS];
    double field[CELLS];
    double flux[CELLS];
};

static void slab_start(struct slab *s, int rank)
{
    for (int i = 0; i < CELLS; i++) {
        s->density[i] = 1.0 + 0.1 * sin(0.01 * (i + rank * CELLS));
        s->field[i] = 0.0;
        s->flux[i] = 0.0;
    }
}

static void slab_exchange(struct slab *s, int rank, int size)
{
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    MPI_Sendrecv(&s->density[CELLS - 2], 1, MPI_DOUBLE, right, 1, &s->density[0], 1, MPI_DOUBLE, left, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&s->density[1], 1, MPI_DOUBLE, left, 2, &s->density[CELLS - 1], 1, MPI_DOUBLE, right, 2,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void slab_advance(struct slab *s, int substeps, double dt)
{
    for (int k = 0; k < substeps; k++) {
        for (int i = 1; i < CELLS; i++)
            s->field[i] = 0.999 * s->field[i - 1] + (1.0 - s->density[i]);
        for (int i = 1; i < CELLS - 1; i++)
            s->flux[i] = s->density[i] * tanh(s->field[i]) - 0.1 * (s->density[i + 1] - s->density[i - 1]);
        for (int i = 1; i < CELLS - 1; i++)
            s->density[i] -= dt * 0.5 * (s->flux[i + 1] - s->flux[i - 1]);
    }
}

static void append_slabs(const char *name, const struct slab *s, int step, int rank, int size)
{
    for (int turn = 0; turn < size; turn++) {
        if (turn == rank) {
            FILE *out = fopen(name, step == 0 && rank == 0 ? "wb" : "ab");
            if (!out)
                MPI_Abort(MPI_COMM_WORLD, 1);
            fwrite(s->density, sizeof(double), CELLS, out);
            fwrite(s->field, sizeof(double), CELLS, out);
            fclose(out);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int steps = argc > 1 ? atoi(argv[1]) : 40;
    struct slab *s = malloc(sizeof *s);
    slab_start(s, rank);
    for (int step = 0; step < steps; step++) {
        if (step % 10 == 0)
            slab_exchange(s, rank, size);
        slab_advance(s, 2, 0.01);
        append_slabs("slabs.dat", s, step, rank, size);
    }
    double local = 0.0, total = 0.0;
    for (int i = 1; i < CELLS - 1; i++)
        local += s->density[i];
    MPI_Reduce(&local, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d steps, mean density %.6f\n", steps, total / (size * (CELLS - 2)));
    free(s);
    MPI_Finalize();
    return 0;
}
