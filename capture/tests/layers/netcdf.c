/* A NetCDF-4 file with a chunked and compressed variable, or with "classic" a
 * file of the old format. */
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(int status)
{
    if (status != NC_NOERR) {
        fprintf(stderr, "%s\n", nc_strerror(status));
        exit(1);
    }
}

int main(int argc, char **argv)
{
    int is_classic = argc > 2 && strcmp(argv[2], "classic") == 0;
    int ncid, dims[2], variable, old;
    size_t chunk[2] = {4, 16}, start[2] = {2, 0}, count[2] = {2, 64};
    static int values[8 * 64];
    check(nc_create(argv[1], is_classic ? NC_CLOBBER : NC_NETCDF4, &ncid));
    check(nc_def_dim(ncid, "y", 8, &dims[0]));
    check(nc_def_dim(ncid, "x", 64, &dims[1]));
    check(nc_def_var(ncid, "field", NC_INT, 2, dims, &variable));
    if (is_classic)
        check(nc_set_fill(ncid, NC_NOFILL, &old));
    else
        check(nc_def_var_chunking(ncid, variable, NC_CHUNKED, chunk));
    check(nc_enddef(ncid));
    check(nc_put_var_int(ncid, variable, values));
    check(nc_put_vara_int(ncid, variable, start, count, values));
    check(nc_get_var1_int(ncid, variable, start, values));
    check(nc_sync(ncid));
    check(nc_close(ncid));
    /* That is no file. */
    return nc_open("/nonexistent/file.nc", NC_NOWRITE, &ncid) == NC_NOERR;
}
