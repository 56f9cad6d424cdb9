/* NetCDF-4 by all ranks: independent, then collective access to a variable. */
#include <mpi.h>
#include <netcdf.h>
#include <netcdf_par.h>
#include <stdio.h>

static void check(int status)
{
    if (status != NC_NOERR) {
        fprintf(stderr, "%s\n", nc_strerror(status));
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, ranks, ncid, dimension, variable;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    check(nc_create_par(argv[1], NC_NETCDF4, MPI_COMM_WORLD, MPI_INFO_NULL, &ncid));
    check(nc_def_dim(ncid, "x", 256 * (size_t)ranks, &dimension));
    check(nc_def_var(ncid, "field", NC_INT, 1, &dimension, &variable));
    check(nc_enddef(ncid));
    int values[256] = {0};
    size_t start = 256 * (size_t)rank, count = 256;
    check(nc_put_vara_int(ncid, variable, &start, &count, values));
    check(nc_var_par_access(ncid, variable, NC_COLLECTIVE));
    check(nc_put_vara_int(ncid, variable, &start, &count, values));
    check(nc_close(ncid));
    MPI_Finalize();
    return 0;
}
