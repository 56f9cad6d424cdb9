/* Two-dimensional plasma potential on slabs: relaxation with a moving charge,
 * potential and charge density kept as single precision snapshots. */
#include <mpi.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define NX 1024

static int rank, nproc, ny;

static void place_charge(double *rho, int step)
{
    double cx = NX * (0.5 + 0.3 * cos(0.2 * step));
    double cy = ny * nproc * (0.5 + 0.3 * sin(0.2 * step));
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < NX; i++) {
            double dx = (i - cx) / 40.0, dy = (rank * ny + j - cy) / 40.0;
            double r2 = dx * dx + dy * dy;
            rho[j * NX + i] = 1.0 / (1.0 + r2 * r2);
        }
}

static void relax(double *phi, double *next, const double *rho)
{
    int up = rank + 1 < nproc ? rank + 1 : MPI_PROC_NULL;
    int down = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    MPI_Sendrecv(phi + ny * NX, NX, MPI_DOUBLE, up, 1, phi, NX, MPI_DOUBLE, down, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(phi + NX, NX, MPI_DOUBLE, down, 2, phi + (ny + 1) * NX, NX, MPI_DOUBLE, up, 2,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int j = 1; j <= ny; j++)
        for (int i = 1; i < NX - 1; i++) {
            int k = j * NX + i;
            next[k] = 0.25 * (phi[k - 1] + phi[k + 1] + phi[k - NX] + phi[k + NX]
                              + rho[k - NX]);
        }
    for (int k = NX; k < (ny + 1) * NX; k++)
        phi[k] = next[k];
}

static void save_field(MPI_File out, MPI_Offset *where, const double *slab, float *part)
{
    for (int k = 0; k < ny * NX; k++)
        part[k] = (float)slab[k];
    MPI_File_write_at(out, *where + (MPI_Offset)rank * ny * NX * sizeof(float), part,
                      ny * NX, MPI_FLOAT, MPI_STATUS_IGNORE);
    *where += (MPI_Offset)nproc * ny * NX * sizeof(float);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &nproc);
    int steps = argc > 1 ? atoi(argv[1]) : 10;
    ny = 512;
    double *phi = calloc((size_t)(ny + 2) * NX, sizeof(double));
    double *next = calloc((size_t)(ny + 2) * NX, sizeof(double));
    double *rho = calloc((size_t)ny * NX, sizeof(double));
    float *part = malloc((size_t)ny * NX * sizeof(float));
    MPI_Offset where = 0;
    MPI_File out;
    MPI_File_open(MPI_COMM_WORLD, "plasma.snap", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                  MPI_INFO_NULL, &out);
    for (int step = 0; step < steps; step++) {
        place_charge(rho, step);
        relax(phi, next, rho);
        save_field(out, &where, phi + NX, part);
        save_field(out, &where, rho, part);
    }
    double e = 0, total;
    for (int k = 0; k < ny * NX; k++)
        e += phi[NX + k] * rho[k];
    MPI_Reduce(&e, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_File_close(&out);
    if (rank == 0)
        printf("field energy %.10g\n", total);
    MPI_Finalize();
    return 0;
}
