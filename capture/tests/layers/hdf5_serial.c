/* Selections, a growing dataset, an external link, and failures of which the
 * error stack must stay. Argument: a folder. */
#include <hdf5.h>
#include <stdio.h>
#include <string.h>

static int errors_on_stack(void)
{
    return (int)H5Eget_num(H5E_DEFAULT);
}

int main(int argc, char **argv)
{
    (void)argc;
    static double values[1000];
    char path[600];
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);

    snprintf(path, sizeof path, "%s/other.h5", argv[1]);
    hid_t other = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hsize_t extent[1] = {100}, unlimited[1] = {H5S_UNLIMITED}, chunk[1] = {10};
    hid_t space = H5Screate_simple(1, extent, unlimited);
    hid_t create = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(create, 1, chunk);
    hid_t growing = H5Dcreate2(other, "growing", H5T_NATIVE_FLOAT, space, H5P_DEFAULT, create, H5P_DEFAULT);
    H5Dwrite(growing, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values); /* converts: 8 bytes in memory */
    hsize_t longer[1] = {200};
    H5Dset_extent(growing, longer);

    hid_t points = H5Dget_space(growing);
    hsize_t at[3] = {1, 50, 150}, three[1] = {3};
    H5Sselect_elements(points, H5S_SELECT_SET, 3, at);
    hid_t memory = H5Screate_simple(1, three, NULL);
    H5Dread(growing, H5T_NATIVE_DOUBLE, memory, points, H5P_DEFAULT, values);
    hsize_t first[1] = {0}, second[1] = {7}, one[1] = {1}, two[1] = {2};
    H5Sselect_hyperslab(points, H5S_SELECT_SET, first, NULL, one, NULL);
    H5Sselect_hyperslab(points, H5S_SELECT_OR, second, NULL, two, NULL);
    H5Dread(growing, H5T_NATIVE_DOUBLE, memory, points, H5P_DEFAULT, values);
    H5Sselect_none(points);
    H5Sselect_none(memory);
    H5Dread(growing, H5T_NATIVE_DOUBLE, memory, points, H5P_DEFAULT, values);
    H5Sclose(memory);
    H5Sclose(points);
    H5Dclose(growing);
    H5Fclose(other);

    snprintf(path, sizeof path, "%s/master.h5", argv[1]);
    hid_t master = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_external("other.h5", "growing", master, "link", H5P_DEFAULT, H5P_DEFAULT);
    hid_t linked = H5Dopen2(master, "link", H5P_DEFAULT);
    H5Dread(linked, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    H5Oclose(linked);

    if (H5Dopen2(master, "nothing", H5P_DEFAULT) >= 0 || errors_on_stack() == 0)
        return 2;
    if (H5Fopen("/nonexistent/file.h5", H5F_ACC_RDONLY, H5P_DEFAULT) >= 0 || errors_on_stack() == 0)
        return 3;
    H5Pclose(create);
    H5Sclose(space);
    H5Idec_ref(master);
    return 0;
}
