/*
 * toggle.c - stochastic toggle switch (two genes repressing each other)
 *
 * Ensemble of independent cells, Gillespie's direct method.  The cells are
 * dealt out over the MPI ranks; at each sampling time the copy numbers of all
 * cells go to the common history file:
 *
 *     history[time][cell][rank] = { protein A, protein B, state }
 *
 * usage: toggle NTIMES CELLS_PER_RANK
 */
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALPHA  60.0      /* maximal synthesis rate, 1/min   */
#define HILL   2.0
#define KREP   18.0      /* repression constant, copies     */
#define DECAY  1.0       /* dilution, 1/min                 */
#define DT     0.05      /* sampling interval, min          */

typedef struct { int32_t a, b, state; } cell_t;

static uint64_t seed;

static double uni(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return ((seed >> 11) + 0.5) * (1.0 / 9007199254740992.0);
}

static double repress(int n)
{
    return ALPHA / (1.0 + pow(n / KREP, HILL));
}

/* advance one cell by DT; returns the number of reactions fired */
static int gillespie(cell_t *c)
{
    double t = 0.0;
    int fired = 0;
    for (;;) {
        double r[4];
        r[0] = repress(c->b);
        r[1] = r[0] + repress(c->a);
        r[2] = r[1] + DECAY * c->a;
        r[3] = r[2] + DECAY * c->b;
        t -= log(uni()) / r[3];
        if (t > DT)
            break;
        double x = uni() * r[3];
        if (x < r[0])      c->a++;
        else if (x < r[1]) c->b++;
        else if (x < r[2]) c->a--;
        else               c->b--;
        fired++;
    }
    c->state = c->a > 2 * c->b ? 1 : c->b > 2 * c->a ? 2 : 0;
    return fired;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int ntimes = argc > 1 ? atoi(argv[1]) : 16000;
    int ncells = argc > 2 ? atoi(argv[2]) : 12;

    cell_t *cells = calloc((size_t)ncells, sizeof *cells);
    seed = 0x9E3779B97F4A7C15ULL + 1000003ULL * (uint64_t)rank;
    for (int i = 0; i < ncells; i++)
        cells[i].a = cells[i].b = 10;

    /* our cells lie between those of the other ranks */
    MPI_Datatype copy, strided;
    MPI_Type_contiguous(3, MPI_INT32_T, &copy);
    MPI_Type_commit(&copy);
    MPI_Type_create_resized(copy, 0, (MPI_Aint)sizeof(cell_t) * size, &strided);
    MPI_Type_commit(&strided);

    cell_t *samples = malloc((size_t)ntimes * ncells * sizeof *samples);
    MPI_File history;
    MPI_File_open(MPI_COMM_WORLD, "history.bin", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                  MPI_INFO_NULL, &history);
    MPI_File_set_view(history, (MPI_Offset)sizeof(cell_t) * rank, copy, strided, "native",
                      MPI_INFO_NULL);

    long fired = 0, switches = 0;
    for (int n = 0; n < ntimes; n++) {
        for (int i = 0; i < ncells; i++) {
            int old = cells[i].state;
            fired += gillespie(&cells[i]);
            if (cells[i].state != old)
                switches++;
        }
        memcpy(samples + (size_t)n * ncells, cells, (size_t)ncells * sizeof *cells);
    }
    MPI_File_write_all(history, samples, ntimes * ncells, copy, MPI_STATUS_IGNORE);
    MPI_File_close(&history);
    MPI_Type_free(&strided);
    MPI_Type_free(&copy);

    long mine[2] = { fired, switches }, all[2];
    MPI_Reduce(mine, all, 2, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d cells, %.1f min: %ld reactions, %ld changes of state\n",
               ncells * size, ntimes * DT, all[0], all[1]);
    free(samples);
    free(cells);
    MPI_Finalize();
    return 0;
}
