/*
 * spinodal - Cahn-Hilliard phase separation of a binary alloy (2-D, periodic in x)
 *
 * Slabs of rows per rank, halo exchange of two rows, explicit Euler.  Now and
 * then the whole concentration field is appended to field.bin, all ranks
 * together.
 *
 *   spinodal NX ROWS_PER_RANK STEPS DUMPS
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define DT    0.01
#define KAPPA 1.0

static int nx, ny, rank, nranks;
static double *c, *mu;

#define AT(f, j, i) (f)[(size_t)(j) * nx + (i)]

/* rows 1..ny belong to us, rows 0 and ny+1 are halos */
static void halo(double *f)
{
    int up = (rank + 1) % nranks, down = (rank + nranks - 1) % nranks;
    MPI_Sendrecv(&AT(f, ny, 0), nx, MPI_DOUBLE, up, 1,
                 &AT(f, 0, 0), nx, MPI_DOUBLE, down, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&AT(f, 1, 0), nx, MPI_DOUBLE, down, 2,
                 &AT(f, ny + 1, 0), nx, MPI_DOUBLE, up, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static double laplace(const double *f, int j, int i)
{
    int l = i == 0 ? nx - 1 : i - 1, r = i == nx - 1 ? 0 : i + 1;
    return AT(f, j, l) + AT(f, j, r) + AT(f, j - 1, i) + AT(f, j + 1, i) - 4.0 * AT(f, j, i);
}

static void step(void)
{
    halo(c);
    for (int j = 1; j <= ny; j++)
        for (int i = 0; i < nx; i++) {
            double u = AT(c, j, i);
            AT(mu, j, i) = u * u * u - u - KAPPA * laplace(c, j, i);
        }
    halo(mu);
    for (int j = 1; j <= ny; j++)
        for (int i = 0; i < nx; i++)
            AT(c, j, i) += DT * laplace(mu, j, i);
}

static double free_energy(void)
{
    double e = 0.0, all;
    for (int j = 1; j <= ny; j++)
        for (int i = 0; i < nx; i++) {
            double u = AT(c, j, i);
            e += 0.25 * (u * u - 1.0) * (u * u - 1.0);
        }
    MPI_Allreduce(&e, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all / ((double)nx * ny * nranks);
}

static void dump(MPI_File out, int number)
{
    MPI_Offset slab = (MPI_Offset)nx * ny * (MPI_Offset)sizeof(double);
    MPI_Offset at = ((MPI_Offset)number * nranks + rank) * slab;
    MPI_File_write_at_all(out, at, &AT(c, 1, 0), nx * ny, MPI_DOUBLE, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &nranks);
    nx        = argc > 1 ? atoi(argv[1]) : 768;
    ny        = argc > 2 ? atoi(argv[2]) : 384;
    int steps = argc > 3 ? atoi(argv[3]) : 800;
    int dumps = argc > 4 ? atoi(argv[4]) : 8;

    c  = malloc((size_t)nx * (ny + 2) * sizeof *c);
    mu = malloc((size_t)nx * (ny + 2) * sizeof *mu);
    unsigned s = 31u + 1013u * (unsigned)rank;
    for (size_t k = 0; k < (size_t)nx * (ny + 2); k++) {
        s = s * 1664525u + 1013904223u;
        c[k] = 0.1 * ((s >> 8) / 16777216.0 - 0.5);
        mu[k] = 0.0;
    }

    MPI_File out;
    MPI_File_open(MPI_COMM_WORLD, "field.bin", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                  MPI_INFO_NULL, &out);
    double e0 = free_energy();
    for (int n = 1; n <= steps; n++) {
        step();
        if (n % (steps / dumps) == 0)
            dump(out, n / (steps / dumps) - 1);
    }
    double e1 = free_energy();
    MPI_File_close(&out);
    if (rank == 0)
        printf("free energy per site %.6f -> %.6f after %d steps\n", e0, e1, steps);
    free(c);
    free(mu);
    MPI_Finalize();
    return 0;
}
