/* Column model of soil moisture on a catchment grid; daily fields are stored in HDF5. */
#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define NROW 96
#define NCOL 128

struct soil {
    double *theta;
    double *rain;
};

struct store {
    hid_t file;
    hid_t dset;
};

static int store_open(struct store *st, const char *path, int ndays)
{
    hsize_t dims[3] = {(hsize_t)ndays, NROW, NCOL};
    hsize_t chunk[3] = {1, NROW, NCOL};
    hid_t space = H5Screate_simple(3, dims, NULL);
    hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
    st->file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    if (st->file < 0)
        return -1;
    H5Pset_chunk(plist, 3, chunk);
    st->dset = H5Dcreate2(st->file, "theta", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, plist, H5P_DEFAULT);
    H5Pclose(plist);
    H5Sclose(space);
    return st->dset < 0 ? -1 : 0;
}

static void store_day(struct store *st, int day, const double *theta)
{
    hsize_t start[3] = {(hsize_t)day, 0, 0};
    hsize_t count[3] = {1, NROW, NCOL};
    hid_t filespace = H5Dget_space(st->dset);
    hid_t memspace = H5Screate_simple(3, count, NULL);
    H5Sselect_hyperslab(filespace, H5S_SELECT_SET, start, NULL, count, NULL);
    H5Dwrite(st->dset, H5T_NATIVE_DOUBLE, memspace, filespace, H5P_DEFAULT, theta);
    H5Sclose(memspace);
    H5Sclose(filespace);
}

static void store_close(struct store *st)
{
    H5Dclose(st->dset);
    H5Fclose(st->file);
}

static void simulate_day(struct soil *s, int day)
{
    for (int r = 0; r < NROW; r++) {
        for (int c = 0; c < NCOL; c++) {
            int k = r * NCOL + c;
            s->rain[k] = 0.01 * (1.0 + sin(0.2 * day + 0.05 * r + 0.03 * c));
            double drain = 0.03 * pow(s->theta[k], 3.0);
            double evap = 0.008 * s->theta[k];
            s->theta[k] += s->rain[k] - drain - evap;
            if (s->theta[k] > 0.9)
                s->theta[k] = 0.9;
        }
    }
}

int main(int argc, char **argv)
{
    int ndays = argc > 1 ? atoi(argv[1]) : 60;
    struct soil s;
    struct store st;
    s.theta = malloc(NROW * NCOL * sizeof(double));
    s.rain = malloc(NROW * NCOL * sizeof(double));
    for (int k = 0; k < NROW * NCOL; k++)
        s.theta[k] = 0.3 + 0.1 * cos(0.01 * k);
    if (store_open(&st, "soil.h5", ndays))
        return 1;
    for (int day = 0; day < ndays; day++) {
        simulate_day(&s, day);
        store_day(&st, day, s.theta);
    }
    store_close(&st);
    double mean = 0;
    for (int k = 0; k < NROW * NCOL; k++)
        mean += s.theta[k] / (NROW * NCOL);
    printf("days %d mean moisture %.6f\n", ndays, mean);
    free(s.theta);
    free(s.rain);
    return 0;
}
