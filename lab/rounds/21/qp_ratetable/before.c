/* Ionisation balance of carbon along a temperature profile. Rank 0 reads the
 * rate tables and sends them to all; every rank integrates its own chords;
 * the charge-state densities go to netCDF at the end.                     */
#include <math.h>
#include <mpi.h>
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>

#define NQ  7               /* C0 .. C6 */
#define NT  2000            /* temperatures in the table */
#define NPT 640             /* points of all chords */
#define NSUB 15000

static double (*ion)[NT], (*rec)[NT];

static double look(const double *t, double logt)
{
    double x = (logt - 0.0) * (NT - 1) / 4.0;
    int i = x < 0 ? 0 : x > NT - 2 ? NT - 2 : (int)x;
    return t[i] + (x - i) * (t[i + 1] - t[i]);
}

static void chord_point(double logt, double ne, double *n)
{
    double up[NQ], dn[NQ];
    for (int q = 0; q < NQ; q++) n[q] = q == 0;
    for (int s = 0; s < NSUB; s++) {
        double lt = logt + 0.05 * sin(0.01 * s), dt = 2e-3;
        for (int q = 0; q < NQ - 1; q++) {
            up[q] = ne * look(ion[q], lt) * n[q];
            dn[q] = ne * look(rec[q], lt) * n[q + 1];
        }
        for (int q = 0; q < NQ - 1; q++) {
            n[q] += dt * (dn[q] - up[q]);
            n[q + 1] += dt * (up[q] - dn[q]);
        }
    }
}

static void check(int rc)
{
    if (rc == NC_NOERR) return;
    fprintf(stderr, "netcdf: %s\n", nc_strerror(rc));
    MPI_Abort(MPI_COMM_WORLD, 1);
}

int main(int argc, char **argv)
{
    int me, np;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    ion = malloc((NQ - 1) * sizeof *ion);
    rec = malloc((NQ - 1) * sizeof *rec);
    if (me == 0) {
        FILE *f = fopen("carbon.rates", "rb");
        if (!f || fread(ion, sizeof *ion, NQ - 1, f) != NQ - 1 || fread(rec, sizeof *rec, NQ - 1, f) != NQ - 1)
            MPI_Abort(MPI_COMM_WORLD, 1);
        fclose(f);
    }
    MPI_Bcast(ion, (NQ - 1) * NT, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(rec, (NQ - 1) * NT, MPI_DOUBLE, 0, MPI_COMM_WORLD);

    int n = NPT / np;
    double *dens = malloc(n * NQ * sizeof *dens), *all = me ? NULL : malloc(NPT * NQ * sizeof *all);
    for (int i = 0; i < n; i++) {
        double s = (double)(i * np + me) / NPT;
        chord_point(3.6 * (1 - s * s) + 0.1, 1 + 0.5 * cos(3 * s), dens + i * NQ);
    }
    MPI_Gather(dens, n * NQ, MPI_DOUBLE, all, n * NQ, MPI_DOUBLE, 0, MPI_COMM_WORLD);

    if (me == 0) {
        int nc, dim[2], var;
        check(nc_create("carbon.nc", NC_CLOBBER | NC_64BIT_OFFSET, &nc));
        check(nc_def_dim(nc, "point", NPT, &dim[0]));
        check(nc_def_dim(nc, "charge", NQ, &dim[1]));
        check(nc_def_var(nc, "fraction", NC_DOUBLE, 2, dim, &var));
        check(nc_enddef(nc));
        check(nc_put_var_double(nc, var, all));
        check(nc_close(nc));
        double z = 0;
        for (int i = 0; i < NPT; i++)
            for (int q = 0; q < NQ; q++) z += q * all[i * NQ + q];
        printf("points %d mean charge %.8f\n", NPT, z / NPT);
    }
    free(dens);
    free(all);
    MPI_Finalize();
    return 0;
}
