/* Two libraries of HDF5 in one process, as Debian's symbol versions allow:
 * the program's own is the parallel one, that of NetCDF is the serial one.
 * Argument: a folder. */
#include <hdf5.h>
#include <netcdf.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    (void)argc;
    char path[600];
    int values[10] = {0}, ncid, dimension, variable;
    hsize_t extent[1] = {10};

    snprintf(path, sizeof path, "%s/own.h5", argv[1]);
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t space = H5Screate_simple(1, extent, NULL);
    hid_t dataset = H5Dcreate2(file, "own", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    int is_good = H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;

    snprintf(path, sizeof path, "%s/theirs.nc", argv[1]);
    is_good = is_good && nc_create(path, NC_NETCDF4, &ncid) == NC_NOERR;
    is_good = is_good && nc_def_dim(ncid, "x", 10, &dimension) == NC_NOERR;
    is_good = is_good && nc_def_var(ncid, "theirs", NC_INT, 1, &dimension, &variable) == NC_NOERR;
    is_good = is_good && nc_put_var_int(ncid, variable, values) == NC_NOERR;
    is_good = is_good && nc_close(ncid) == NC_NOERR;

    H5Dclose(dataset);
    H5Sclose(space);
    return !(is_good && H5Fclose(file) >= 0);
}
