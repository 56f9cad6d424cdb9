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

static void save_field(FILE *out, const double *slab, double *global, float *line)
{
    MPI_Gather(slab, ny * NX, MPI_DOUBLE, global, ny * NX, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (rank == 0)
        for (int j = 0; j < ny * nproc; j += 64) {
            for (int k = 0; k < 64 * NX; k++)
                line[k] = (float)global[(size_t)j * NX + k];
            fwrite(line, sizeof(float), 64 * NX, out);
        }
    MPI_Barrier(MPI_COMM_WORLD);
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
    double *global = NULL;
    float *line = NULL;
    FILE *out = NULL;
    if (rank == 0) {
        global = malloc((size_t)ny * nproc * NX * sizeof(double));
        line = malloc(64 * NX * sizeof(float));
        out = fopen("plasma.snap", "wb");
        if (!out)
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (int step = 0; step < steps; step++) {
        place_charge(rho, step);
        relax(phi, next, rho);
        save_field(out, phi + NX, global, line);
        save_field(out, rho, global, line);
    }
    double e = 0, total;
    for (int k = 0; k < ny * NX; k++)
        e += phi[NX + k] * rho[k];
    MPI_Reduce(&e, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        fclose(out);
        printf("field energy %.10g\n", total);
    }
    MPI_Finalize();
    return 0;
}
