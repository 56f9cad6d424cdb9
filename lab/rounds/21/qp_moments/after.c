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

    MPI_Datatype row;
    int gs[2] = {NSTEP * NMOM, NCELL}, ls[2] = {NSTEP * NMOM, nc}, st[2] = {0, me * nc};
    MPI_Type_create_subarray(2, gs, ls, st, MPI_ORDER_C, MPI_DOUBLE, &row);
    MPI_Type_commit(&row);
    MPI_File_set_view(fh, 0, MPI_DOUBLE, row, "native", MPI_INFO_NULL);
    double *hist = malloc((size_t)NSTEP * NMOM * nc * sizeof *hist);

    for (int s = 0; s < NSTEP; s++) {
        collide(f, nc, 1e-4);
        moments(f, nc, m);
        for (int k = 0; k < NMOM; k++)
            for (int c = 0; c < nc; c++) {
                hist[((size_t)s * NMOM + k) * nc + c] = m[k][c];
                sum += m[k][c];
            }
    }
    MPI_File_write_all(fh, hist, NSTEP * NMOM * nc, MPI_DOUBLE, MPI_STATUS_IGNORE);
    free(hist);
    MPI_Type_free(&row);

    MPI_File_close(&fh);
    MPI_Reduce(&sum, &tot, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (me == 0) printf("%d steps, sum of moments %.8e\n", NSTEP, tot);
    free(f);
    MPI_Finalize();
    return 0;
}
