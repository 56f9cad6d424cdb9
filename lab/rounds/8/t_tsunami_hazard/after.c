/* Linear shallow-water tsunami propagation over an idealised shelf.
 * The basin is cut into horizontal bands, one per MPI rank. */
#include <mpi.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define G 9.81

typedef struct {
    int nx, ny;          /* global size */
    int j0, nj;          /* first row and number of rows of this band */
    double dx, dt;
    double *eta, *mx, *my, *depth;   /* (nj+2) x nx with halo rows */
} Basin;

static int rank, nranks;

static void band_of(int r, int ny, int *j0, int *nj)
{
    int base = ny / nranks, rest = ny % nranks;
    *nj = base + (r < rest);
    *j0 = r * base + (r < rest ? r : rest);
}

static double *field(const Basin *b)
{
    return calloc((size_t)(b->nj + 2) * b->nx, sizeof(double));
}

static void basin_init(Basin *b, int nx, int ny)
{
    b->nx = nx; b->ny = ny; b->dx = 1500.0; b->dt = 2.5;
    band_of(rank, ny, &b->j0, &b->nj);
    b->eta = field(b); b->mx = field(b); b->my = field(b); b->depth = field(b);
    for (int j = 0; j < b->nj + 2; j++)
        for (int i = 0; i < nx; i++) {
            int gj = b->j0 + j - 1;
            double rx = (i - 0.4 * nx) / 25.0, ry = (gj - 0.5 * ny) / 60.0;
            b->eta[(size_t)j * nx + i] = 2.5 * exp(-rx * rx - ry * ry);
            b->depth[(size_t)j * nx + i] = 4000.0 - 3800.0 / (1.0 + exp((nx - 60.0 - i) / 15.0));
        }
}

static void halo(Basin *b, double *f)
{
    int up = rank + 1 < nranks ? rank + 1 : MPI_PROC_NULL;
    int dn = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    size_t nx = b->nx;
    MPI_Sendrecv(f + b->nj * nx, b->nx, MPI_DOUBLE, up, 1, f, b->nx, MPI_DOUBLE, dn, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(f + nx, b->nx, MPI_DOUBLE, dn, 2, f + (b->nj + 1) * nx, b->nx, MPI_DOUBLE, up, 2,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void basin_step(Basin *b)
{
    int nx = b->nx;
    double c = b->dt / b->dx;
    halo(b, b->eta);
    for (int j = 1; j <= b->nj; j++)
        for (int i = 0; i < nx - 1; i++) {
            size_t k = (size_t)j * nx + i;
            b->mx[k] -= c * G * b->depth[k] * (b->eta[k + 1] - b->eta[k]);
            b->my[k] -= c * G * b->depth[k] * (b->eta[k + nx] - b->eta[k]);
        }
    halo(b, b->my);
    for (int j = 1; j <= b->nj; j++)
        for (int i = 1; i < nx - 1; i++) {
            size_t k = (size_t)j * nx + i;
            b->eta[k] -= c * (b->mx[k] - b->mx[k - 1] + b->my[k] - b->my[k - nx]);
        }
}

/* every rank writes its band of the field in place */
static void put_field(MPI_File out, const Basin *b, int which, const double *f)
{
    MPI_Offset at = ((MPI_Offset)which * b->ny + b->j0) * b->nx * (MPI_Offset)sizeof(double);
    MPI_File_write_at_all(out, at, f + b->nx, b->nj * b->nx, MPI_DOUBLE, MPI_STATUS_IGNORE);
}

static void write_snapshot(const Basin *b, int n)
{
    char name[64];
    MPI_File out;
    snprintf(name, sizeof name, "tsunami_%03d.bin", n);
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &out);
    put_field(out, b, 0, b->eta);
    put_field(out, b, 1, b->mx);
    put_field(out, b, 2, b->my);
    MPI_File_close(&out);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &nranks);
    int snaps = argc > 1 ? atoi(argv[1]) : 8;
    int every = argc > 2 ? atoi(argv[2]) : 10;
    Basin b;
    basin_init(&b, 512, 2048);
    for (int s = 0; s < snaps; s++) {
        for (int t = 0; t < every; t++)
            basin_step(&b);
        write_snapshot(&b, s);
    }
    double e = 0.0, total;
    for (int j = 1; j <= b.nj; j++)
        for (int i = 0; i < b.nx; i++) {
            double v = b.eta[(size_t)j * b.nx + i];
            e += 0.5 * G * v * v;
        }
    MPI_Reduce(&e, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("snapshots %d  potential energy %.8e\n", snaps, total);
    MPI_Finalize();
    return 0;
}
