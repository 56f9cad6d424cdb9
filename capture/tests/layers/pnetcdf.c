/* Blocking, non-blocking and independent PnetCDF calls on two variables, and one
 * on both at once. */
#include <mpi.h>
#include <pnetcdf.h>
#include <stdio.h>
#include <stdlib.h>

static void check(int status)
{
    if (status != NC_NOERR) {
        fprintf(stderr, "%s\n", ncmpi_strerror(status));
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, ranks, ncid, dims[2], grid, series, request;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    check(ncmpi_create(MPI_COMM_WORLD, argv[1], NC_CLOBBER, MPI_INFO_NULL, &ncid));
    check(ncmpi_def_dim(ncid, "time", NC_UNLIMITED, &dims[0]));
    check(ncmpi_def_dim(ncid, "x", 32 * ranks, &dims[1]));
    check(ncmpi_def_var(ncid, "grid", NC_DOUBLE, 1, &dims[1], &grid));
    check(ncmpi_def_var(ncid, "series", NC_FLOAT, 2, dims, &series));
    check(ncmpi_enddef(ncid));

    double values[32] = {0};
    float step[32] = {0};
    MPI_Offset start[2] = {0, 32 * rank}, count[2] = {1, 32};
    check(ncmpi_put_vara_double_all(ncid, grid, &start[1], &count[1], values));
    check(ncmpi_put_vara_float_all(ncid, series, start, count, step));
    check(ncmpi_iput_vara_float(ncid, series, start, count, step, &request));
    check(ncmpi_wait_all(ncid, 1, &request, NULL));
    /* The flexible call converts: 32 doubles in memory, 128 bytes in the file. */
    check(ncmpi_put_vara_all(ncid, series, start, count, values, 32, MPI_DOUBLE));
    int both[2] = {grid, series};
    MPI_Offset *starts[2] = {&start[1], start}, *counts[2] = {&count[1], count};
    void *buffers[2] = {values, step};
    MPI_Offset lengths[2] = {32, 32};
    MPI_Datatype types[2] = {MPI_DOUBLE, MPI_FLOAT};
    check(ncmpi_mput_vara_all(ncid, 2, both, starts, counts, buffers, lengths, types));
    check(ncmpi_begin_indep_data(ncid));
    if (rank == 0)
        check(ncmpi_get_var1_double(ncid, grid, &start[1], values));
    check(ncmpi_end_indep_data(ncid));
    check(ncmpi_close(ncid));
    MPI_Finalize();
    return 0;
}
