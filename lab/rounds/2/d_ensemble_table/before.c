/* Ensemble forecast: every rank integrates a block of members; the table
 * grid point x member of temperatures is stored at each output time. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int npoint, nmember, first, width;
    double *temp;
} table_t;

static void init_table(table_t *s, int npoint, int nmember)
{
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    s->npoint = npoint;
    s->nmember = nmember;
    s->width = nmember / size;
    s->first = rank * s->width;
    s->temp = malloc(sizeof(double) * npoint * s->width);
    for (int k = 0; k < npoint; k++)
        for (int i = 0; i < s->width; i++)
            s->temp[k * s->width + i] = 290.0 - 0.2 * (k % 100) + 5.0 * sin(0.01 * (s->first + i));
}

static void radiate(table_t *s)
{
    for (int k = 1; k < s->npoint; k++)
        for (int i = 0; i < s->width; i++) {
            double *t = &s->temp[k * s->width + i];
            *t += 0.05 * (t[-s->width] - *t) - 1e-4 * (*t - 250.0);
        }
}

static MPI_File open_history(void)
{
    MPI_File fh;
    if (MPI_File_open(MPI_COMM_WORLD, "history.bin", MPI_MODE_CREATE | MPI_MODE_RDWR,
                      MPI_INFO_NULL, &fh) != MPI_SUCCESS)
        MPI_Abort(MPI_COMM_WORLD, 1);
    return fh;
}

static void store_table(MPI_File fh, const table_t *s, int rec)
{
    for (int k = 0; k < s->npoint; k++) {
        MPI_Offset cell = ((MPI_Offset)rec * s->npoint + k) * s->nmember + s->first;
        MPI_File_write_at(fh, cell * sizeof(double), s->temp + k * s->width, s->width,
                          MPI_DOUBLE, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char **argv)
{
    int rank, nrec = argc > 1 ? atoi(argv[1]) : 6;
    int npoint = argc > 2 ? atoi(argv[2]) : 60000, nmember = 8;
    double local = 0.0, total;
    table_t s;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    init_table(&s, npoint, nmember);
    MPI_File fh = open_history();
    for (int r = 0; r < nrec; r++) {
        radiate(&s);
        store_table(fh, &s, r);
    }
    MPI_File_close(&fh);
    for (int i = 0; i < s.npoint * s.width; i++)
        local += s.temp[i];
    MPI_Reduce(&local, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d records, mean temperature %.6f\n", nrec, total / ((double)npoint * nmember));
    free(s.temp);
    MPI_Finalize();
    return 0;
}
