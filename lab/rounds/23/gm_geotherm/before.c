/* Geotherms of many lithospheric columns (steady heat production + transient cooling).
 * Output by rank 0 in NetCDF, after the netCDF example sfc_pres_temp_wr / pres_temp_4D_wr. */
#include <mpi.h>
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

#define CHK(e) do { int s_ = (e); if (s_ != NC_NOERR) { fprintf(stderr, "netcdf: %s (line %d)\n", nc_strerror(s_), __LINE__); MPI_Abort(MPI_COMM_WORLD, 2); } } while (0)

static void column(int c, int nz, double age, double *t)
{
    double k = 2.5 + 0.2 * sin(0.03 * c), a0 = 1e-6, hr = 1e4, q = 0.03 + 0.005 * cos(0.01 * c);
    for (int j = 0; j < nz; j++) {
        double z = 1000.0 * j, s = 0;
        double steady = 273 + q * z / k + a0 * hr * hr / k * (1 - exp(-z / hr));
        for (int m = 1; m <= 6; m++)
            s += (m % 2 ? 1 : -1) * sin(m * M_PI * z / (1000.0 * nz)) * exp(-m * m * age) / m;
        t[j] = steady + 200 * s;
    }
}

static int create(const char *name, int nc, int nz, int *tvar, int *fvar)
{
    int id, d[3], one[2];
    CHK(nc_create(name, NC_CLOBBER | NC_NETCDF4, &id));
    CHK(nc_def_dim(id, "time", NC_UNLIMITED, &d[0]));
    CHK(nc_def_dim(id, "column", nc, &d[1]));
    CHK(nc_def_dim(id, "depth", nz, &d[2]));
    CHK(nc_def_var(id, "temperature", NC_DOUBLE, 3, d, tvar));
    size_t ch[3] = { 1, nc, nz };
    CHK(nc_def_var_chunking(id, *tvar, NC_CHUNKED, ch));
    CHK(nc_put_att_text(id, *tvar, "units", 1, "K"));
    one[0] = d[0]; one[1] = d[1];
    CHK(nc_def_var(id, "surface_heat_flow", NC_DOUBLE, 2, one, fvar));
    CHK(nc_enddef(id));
    return id;
}

static void put_step(int id, int tvar, int fvar, size_t step, size_t nc, size_t nz, const double *t)
{
    double *flow = malloc(nc * sizeof *flow);
    for (size_t c = 0; c < nc; c++)
        for (size_t j = 0; j < nz; j++) {
            size_t at[3] = { step, c, j };
            CHK(nc_put_var1_double(id, tvar, at, &t[c * nz + j]));
        }
    for (size_t c = 0; c < nc; c++) flow[c] = 2.5e-3 * (t[c * nz + 1] - t[c * nz]);
    size_t st[2] = { step, 0 }, n[2] = { 1, nc };
    CHK(nc_put_vara_double(id, fvar, st, n, flow));
    free(flow);
}

int main(int argc, char **argv)
{
    int rank, size, ncol = argc > 1 ? atoi(argv[1]) : 1000, nz = 120, nstep = argc > 2 ? atoi(argv[2]) : 4;
    int id = 0, tvar = 0, fvar = 0;
    double moho = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int nloc = ncol / size;
    ncol = nloc * size;
    double *mine = malloc(sizeof(double) * nloc * nz), *all = rank ? NULL : malloc(sizeof(double) * ncol * nz);
    if (rank == 0) id = create("geotherms.nc", ncol, nz, &tvar, &fvar);
    for (int s = 0; s < nstep; s++) {
        for (int c = 0; c < nloc; c++) column(rank * nloc + c, nz, 0.05 * (s + 1), mine + (size_t)c * nz);
        MPI_Gather(mine, nloc * nz, MPI_DOUBLE, all, nloc * nz, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        if (rank == 0) {
            put_step(id, tvar, fvar, s, ncol, nz, all);
            moho = all[(size_t)(ncol / 2) * nz + 35];
        }
    }
    if (rank == 0) {
        CHK(nc_close(id));
        printf("columns %d steps %d moho %.4f K\n", ncol, nstep, moho);
    }
    free(mine); free(all);
    MPI_Finalize();
    return 0;
}
