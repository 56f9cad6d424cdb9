/* Velocity moments of a Vlasov slab. Each rank owns some cells of x and
 * keeps a history of density, flux, pressure and heat flux of its cells.
 * history file: [step][moment][cell], doubles                            */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define NV    48
#define NCELL 32
#define NMOM  4
#define NSTEP 16000

static void moments(const double *f, int nc, double m[NMOM][NCELL])
{
    for (int c = 0; c < nc; c++) {
        double a = 0, b = 0, p = 0, q = 0;
        for (int k = 0; k < NV; k++) {
            double v = (k - NV / 2 + 0.5) * (8.0 / NV), g = f[c * NV + k];
            a += g;
            b += g * v;
            p += g * v * v;
            q += g * v * v * v;
        }
        m[0][c] = a;
        m[1][c] = b;
        m[2][c] = p;
        m[3][c] = q;
    }
}

static void collide(double *f, int nc, double nu)
{
    for (int c = 0; c < nc; c++)
        for (int k = 1; k < NV - 1; k++)
            f[c * NV + k] += nu * (f[c * NV + k - 1] - 2 * f[c * NV + k] + f[c * NV + k + 1]);
}

int main(int argc, char **argv)
{
    int me, np;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    int nc = NCELL / np;
    double *f = malloc(nc * NV * sizeof *f), m[NMOM][NCELL], sum = 0, tot;
    for (int c = 0; c < nc; c++)
        for (int k = 0; k < NV; k++) {
            double v = (k - NV / 2 + 0.5) * (8.0 / NV) - 0.3 * sin(0.2 * (me * nc + c));
            f[c * NV + k] = exp(-0.5 * v * v);
        }

    MPI_File fh;
    MPI_File_open(MPI_COMM_WORLD, "moments.bin", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &fh);

    for (int s = 0; s < NSTEP; s++) {
        collide(f, nc, 1e-4);
        moments(f, nc, m);
        for (int k = 0; k < NMOM; k++) {
            MPI_Offset at = (((MPI_Offset)s * NMOM + k) * NCELL + me * nc) * sizeof(double);
            MPI_File_write_at_all(fh, at, m[k], nc, MPI_DOUBLE, MPI_STATUS_IGNORE);
            for (int c = 0; c < nc; c++) sum += m[k][c];
        }
    }

    MPI_File_close(&fh);
    MPI_Reduce(&sum, &tot, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (me == 0) printf("%d steps, sum of moments %.8e\n", NSTEP, tot);
    free(f);
    MPI_Finalize();
    return 0;
}
