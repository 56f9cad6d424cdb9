/* Flowline glacier model; mass balance and thickness are logged to an extendible HDF5 file. */
#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define NODES 80

typedef struct {
    hid_t file, thickness, balance;
    hsize_t rows;
} logbook_t;

static hid_t create_series(hid_t file, const char *name, hsize_t width)
{
    hsize_t dims[2] = {0, width}, limit[2] = {H5S_UNLIMITED, width}, chunk[2] = {512, width};
    hid_t space = H5Screate_simple(2, dims, limit);
    hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(plist, 2, chunk);
    hid_t set = H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, plist, H5P_DEFAULT);
    H5Pclose(plist);
    H5Sclose(space);
    return set;
}

static void append_row(hid_t set, hsize_t row, hsize_t width, const double *values)
{
    hsize_t dims[2] = {row + 1, width}, start[2] = {row, 0}, count[2] = {1, width};
    H5Dset_extent(set, dims);
    hid_t target = H5Dget_space(set), source = H5Screate_simple(2, count, NULL);
    H5Sselect_hyperslab(target, H5S_SELECT_SET, start, NULL, count, NULL);
    H5Dwrite(set, H5T_NATIVE_DOUBLE, source, target, H5P_DEFAULT, values);
    H5Sclose(source);
    H5Sclose(target);
}

static void open_logbook(logbook_t *b, const char *path)
{
    b->file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    b->thickness = create_series(b->file, "thickness", NODES);
    b->balance = create_series(b->file, "balance", 2);
    b->rows = 0;
}

static void note(logbook_t *b, const double *h, double year, double total)
{
    double pair[2] = {year, total};
    append_row(b->thickness, b->rows, NODES, h);
    append_row(b->balance, b->rows, 2, pair);
    b->rows++;
    if (b->rows % 2048 == 0)
        H5Fflush(b->file, H5F_SCOPE_GLOBAL);
}

static void close_logbook(logbook_t *b)
{
    H5Dclose(b->thickness);
    H5Dclose(b->balance);
    H5Fclose(b->file);
}

static double flow(double *h, const double *bed, double dt)
{
    double flux[NODES + 1] = {0}, total = 0;
    for (int i = 1; i < NODES; i++) {
        double slope = (h[i] + bed[i] - h[i - 1] - bed[i - 1]) / 100.0;
        double mean = 0.5 * (h[i] + h[i - 1]);
        flux[i] = -1e-9 * pow(mean, 5.0) * slope * slope * slope;
    }
    for (int i = 0; i < NODES; i++) {
        double gain = 0.004 * (h[i] + bed[i] - 2900.0);
        h[i] += dt * (gain - (flux[i + 1] - flux[i]) / 100.0);
        if (h[i] < 0)
            h[i] = 0;
        total += gain;
    }
    return total / NODES;
}

int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 5000;
    double h[NODES], bed[NODES], total = 0;
    logbook_t book;
    for (int i = 0; i < NODES; i++) {
        bed[i] = 3300.0 - 10.0 * i;
        h[i] = 40.0;
    }
    open_logbook(&book, "glacier.h5");
    for (int s = 0; s < steps; s++) {
        total = flow(h, bed, 0.01);
        note(&book, h, 0.01 * s, total);
    }
    close_logbook(&book);
    printf("steps %d  last balance %.6f  top thickness %.4f\n", steps, total, h[0]);
    return 0;
}
