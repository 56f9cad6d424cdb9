/* Wind driven ocean tracer on a block decomposed grid; the tracer concentration is
 * added to one history file at the end of each output interval. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define NLAT 1024
#define NLON 384
#define NLEV 4

typedef struct {
    int rank, size;
    int lat0, lon0, nlat, nlon;
    double *tracer;
} Block;

static void make_block(Block *b)
{
    int dims[2] = { 1, 0 };
    MPI_Comm_rank(MPI_COMM_WORLD, &b->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &b->size);
    MPI_Dims_create(b->size, 2, dims);
    b->nlat = NLAT / dims[0];
    b->nlon = NLON / dims[1];
    b->lat0 = b->rank / dims[1] * b->nlat;
    b->lon0 = b->rank % dims[1] * b->nlon;
    b->tracer = malloc((size_t)NLEV * b->nlat * b->nlon * sizeof(double));
    double *c = b->tracer;
    for (int i = 0; i < b->nlat; i++)
        for (int j = 0; j < b->nlon; j++)
            for (int k = 0; k < NLEV; k++)
                *c++ = exp(-0.1 * k) *
                       (1.0 + 0.5 * sin(0.03 * (b->lat0 + i)) * cos(0.05 * (b->lon0 + j)));
}

static void mix(Block *b, int interval)
{
    double wind = 0.2 + 0.1 * sin(0.4 * interval);
    for (size_t c = 0; c < (size_t)b->nlat * b->nlon; c++) {
        double *column = b->tracer + c * NLEV;
        double above = column[0];
        for (int k = 1; k < NLEV; k++) {
            double here = column[k];
            column[k] += wind * (above - here);
            above = here;
        }
    }
}

static void append_history(MPI_File history, const Block *b, int interval)
{
    const double *column = b->tracer;
    for (int i = 0; i < b->nlat; i++)
        for (int j = 0; j < b->nlon; j++) {
            MPI_Offset where = (MPI_Offset)interval * NLAT + b->lat0 + i;
            where = (where * NLON + b->lon0 + j) * NLEV * (MPI_Offset)sizeof(double);
            MPI_File_write_at(history, where, column, NLEV, MPI_DOUBLE, MPI_STATUS_IGNORE);
            column += NLEV;
        }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int intervals = argc > 1 ? atoi(argv[1]) : 4;
    Block b;
    make_block(&b);

    MPI_File history;
    if (MPI_File_open(MPI_COMM_WORLD, "tracer.hist", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                      MPI_INFO_NULL, &history) != MPI_SUCCESS) {
        fprintf(stderr, "cannot open tracer.hist\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (int n = 0; n < intervals; n++) {
        mix(&b, n);
        append_history(history, &b, n);
    }
    MPI_File_close(&history);

    double mine = 0.0, total = 0.0;
    for (size_t k = 0; k < (size_t)NLEV * b.nlat * b.nlon; k++)
        mine += b.tracer[k];
    MPI_Reduce(&mine, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (b.rank == 0)
        printf("intervals %d tracer content %.6f\n", intervals, total);
    free(b.tracer);
    MPI_Finalize();
    return 0;
}
