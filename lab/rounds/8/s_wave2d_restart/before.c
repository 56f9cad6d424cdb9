/* 2-D acoustic wave equation, decomposed in columns; snapshots of the whole
 * domain go to one file in natural (row-major) order. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int ny, nx;         /* whole domain */
    int nloc, x0;       /* my columns */
    double *prev, *cur, *next;   /* ny x (nloc + 2) */
} Domain;

#define AT(f, d, j, i) (f)[(size_t)(j) * ((d)->nloc + 2) + (i) + 1]

static void domain_init(Domain *d, int ny, int nx, int rank, int size)
{
    d->ny = ny;
    d->nx = nx;
    d->nloc = nx / size;
    d->x0 = rank * d->nloc;
    size_t n = (size_t)ny * (d->nloc + 2);
    d->prev = calloc(n, sizeof(double));
    d->cur = calloc(n, sizeof(double));
    d->next = calloc(n, sizeof(double));
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < d->nloc; i++) {
            double x = (d->x0 + i - nx / 3.0) / 20.0, y = (j - ny / 2.0) / 20.0;
            AT(d->cur, d, j, i) = AT(d->prev, d, j, i) = exp(-x * x - y * y);
        }
}

static void exchange(Domain *d, int rank, int size)
{
    MPI_Datatype column;
    int left = rank ? rank - 1 : MPI_PROC_NULL;
    int right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    MPI_Type_vector(d->ny, 1, d->nloc + 2, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    MPI_Sendrecv(&AT(d->cur, d, 0, 0), 1, column, left, 1,
                 &AT(d->cur, d, 0, d->nloc), 1, column, right, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&AT(d->cur, d, 0, d->nloc - 1), 1, column, right, 2,
                 &AT(d->cur, d, 0, -1), 1, column, left, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&column);
}

static void step(Domain *d)
{
    const double c2 = 0.2;
    for (int j = 1; j < d->ny - 1; j++)
        for (int i = 0; i < d->nloc; i++) {
            double lap = AT(d->cur, d, j - 1, i) + AT(d->cur, d, j + 1, i)
                       + AT(d->cur, d, j, i - 1) + AT(d->cur, d, j, i + 1) - 4 * AT(d->cur, d, j, i);
            AT(d->next, d, j, i) = 2 * AT(d->cur, d, j, i) - AT(d->prev, d, j, i) + c2 * lap;
        }
    double *t = d->prev;
    d->prev = d->cur;
    d->cur = d->next;
    d->next = t;
}

static void write_snapshot(const Domain *d, int number)
{
    char name[64];
    MPI_File fh;
    MPI_Datatype inner, filetype;
    int gsz[2] = { d->ny, d->nx }, lsz[2] = { d->ny, d->nloc }, at[2] = { 0, d->x0 };
    int msz[2] = { d->ny, d->nloc + 2 }, mat[2] = { 0, 1 };
    snprintf(name, sizeof name, "snap_%02d.bin", number % 4);
    MPI_Type_create_subarray(2, gsz, lsz, at, MPI_ORDER_C, MPI_DOUBLE, &filetype);
    MPI_Type_create_subarray(2, msz, lsz, mat, MPI_ORDER_C, MPI_DOUBLE, &inner);
    MPI_Type_commit(&filetype);
    MPI_Type_commit(&inner);
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &fh);
    MPI_File_set_view(fh, 0, MPI_DOUBLE, filetype, "native", MPI_INFO_NULL);
    MPI_File_write(fh, d->cur, 1, inner, MPI_STATUS_IGNORE);
    MPI_File_close(&fh);
    MPI_Type_free(&filetype);
    MPI_Type_free(&inner);
}

int main(int argc, char **argv)
{
    int rank, size;
    Domain d;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int ny = atoi(argv[1]), nx = atoi(argv[2]), nsnap = atoi(argv[3]);
    domain_init(&d, ny, nx, rank, size);
    for (int s = 0; s < nsnap; s++) {
        for (int k = 0; k < 4; k++) {
            exchange(&d, rank, size);
            step(&d);
        }
        write_snapshot(&d, s);
    }
    double e = 0, total;
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < d.nloc; i++) e += AT(d.cur, &d, j, i) * AT(d.cur, &d, j, i);
    MPI_Reduce(&e, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("snapshots %d energy %.8e\n", nsnap, total);
    MPI_Finalize();
    return 0;
}
