/* Fire-front spread over terrain strips. Burning strips need sub-steps, the others are cheap;
 * the state of all strips is stored with collective writes. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CELLS 2048
#define STRIPS 48

typedef struct {
    double fuel[CELLS], heat[CELLS];
} strip_t;

static int substeps(int strip) { return strip < STRIPS / 4 ? 2000 : 1; }

static int strip_of(int slot, int rank, int per_rank, int size)
{
    (void)per_rank;
    return slot * size + rank;
}

static void ignite(strip_t *s, int strip)
{
    for (int c = 0; c < CELLS; c++) {
        s->fuel[c] = 1.0 + 0.3 * sin(0.01 * c * (strip + 1));
        s->heat[c] = strip < STRIPS / 4 ? exp(-1e-3 * (c - 400) * (c - 400)) : 0.0;
    }
}

static void burn(strip_t *s, int n)
{
    for (int k = 0; k < n; k++) {
        double dt = 0.5 / n, left = s->heat[0];
        for (int c = 1; c < CELLS - 1; c++) {
            double rate = s->fuel[c] * exp(-1.0 / (s->heat[c] + 0.05));
            double here = s->heat[c];
            s->heat[c] += dt * (rate + 0.4 * (left + s->heat[c + 1] - 2 * here) - 0.1 * here);
            s->fuel[c] -= dt * 0.3 * rate;
            left = here;
        }
    }
}

static void select_strips(MPI_File out, int per_rank, int rank, int size)
{
    int place[STRIPS];
    MPI_Datatype strips, frame;
    for (int slot = 0; slot < per_rank; slot++)
        place[slot] = strip_of(slot, rank, per_rank, size) * CELLS;
    MPI_Type_create_indexed_block(per_rank, CELLS, place, MPI_DOUBLE, &strips);
    MPI_Type_create_resized(strips, 0, (MPI_Aint)STRIPS * CELLS * sizeof(double), &frame);
    MPI_Type_commit(&frame);
    MPI_File_set_view(out, 0, MPI_DOUBLE, frame, "native", MPI_INFO_NULL);
    MPI_Type_free(&frame);
    MPI_Type_free(&strips);
}

static void store(MPI_File out, const strip_t *mine, double *packed, int per_rank)
{
    for (int slot = 0; slot < per_rank; slot++)
        memcpy(packed + (size_t)slot * CELLS, mine[slot].heat, CELLS * sizeof(double));
    MPI_File_write_all(out, packed, per_rank * CELLS, MPI_DOUBLE, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, size, nsteps = argc > 1 ? atoi(argv[1]) : 40;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int per_rank = STRIPS / size;
    strip_t *mine = malloc(per_rank * sizeof *mine);
    double *packed = malloc((size_t)per_rank * CELLS * sizeof(double));
    for (int slot = 0; slot < per_rank; slot++)
        ignite(&mine[slot], strip_of(slot, rank, per_rank, size));
    MPI_File out;
    MPI_File_open(MPI_COMM_WORLD, "front.bin", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &out);
    select_strips(out, per_rank, rank, size);
    for (int step = 0; step < nsteps; step++) {
        for (int slot = 0; slot < per_rank; slot++)
            burn(&mine[slot], substeps(strip_of(slot, rank, per_rank, size)));
        store(out, mine, packed, per_rank);
    }
    MPI_File_close(&out);
    double left = 0, total;
    for (int slot = 0; slot < per_rank; slot++)
        for (int c = 0; c < CELLS; c++)
            left += mine[slot].fuel[c];
    MPI_Reduce(&left, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("steps %d  fuel left %.6f\n", nsteps, total);
    free(packed);
    free(mine);
    MPI_Finalize();
    return 0;
}
