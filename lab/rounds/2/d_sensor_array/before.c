/* Acoustic sensor array: synthesise the pressure seen by every hydrophone
 * over time and store it as a [time][channel] record. */
#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define NCHAN 512

typedef struct {
    double x, y;
    double gain;
} hydrophone_t;

static void place_array(hydrophone_t *h, int n)
{
    for (int i = 0; i < n; i++) {
        double a = 2.0 * M_PI * i / n;
        h[i].x = 40.0 * cos(a) + 0.3 * (i % 7);
        h[i].y = 40.0 * sin(a) - 0.2 * (i % 5);
        h[i].gain = 1.0 + 0.01 * (i % 11);
    }
}

static void sample_pressure(const hydrophone_t *h, double t, float *p)
{
    double sx = 5.0 * t, sy = -12.0 + 3.0 * t;
    for (int i = 0; i < NCHAN; i++) {
        double dx = h[i].x - sx, dy = h[i].y - sy;
        double r = sqrt(dx * dx + dy * dy) + 1.0;
        p[i] = (float)(h[i].gain * sin(220.0 * (t - r / 1500.0)) / r);
    }
}

static hid_t create_record(hid_t file, hsize_t nt)
{
    hsize_t dims[2] = {nt, NCHAN};
    hsize_t chunk[2] = {1, 8};
    hid_t space = H5Screate_simple(2, dims, NULL);
    hid_t dcpl = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(dcpl, 2, chunk);
    hid_t dset = H5Dcreate2(file, "/array/pressure", H5T_IEEE_F32LE, space,
                            H5P_DEFAULT, dcpl, H5P_DEFAULT);
    H5Pclose(dcpl);
    H5Sclose(space);
    return dset;
}

static void store_block(hid_t dset, const float *block, hsize_t first, hsize_t rows)
{
    hsize_t start[2] = {first, 0}, count[2] = {rows, NCHAN};
    hid_t fspace = H5Dget_space(dset);
    hid_t mspace = H5Screate_simple(2, count, NULL);
    H5Sselect_hyperslab(fspace, H5S_SELECT_SET, start, NULL, count, NULL);
    if (H5Dwrite(dset, H5T_NATIVE_FLOAT, mspace, fspace, H5P_DEFAULT, block) < 0)
        exit(1);
    H5Sclose(mspace);
    H5Sclose(fspace);
}

int main(int argc, char **argv)
{
    int nt = argc > 1 ? atoi(argv[1]) : 1200;
    const int rows = 40;
    hydrophone_t *array = malloc(NCHAN * sizeof *array);
    float *block = malloc(sizeof(float) * NCHAN * rows);
    double energy = 0.0;

    place_array(array, NCHAN);
    hid_t file = H5Fcreate("array_record.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t group = H5Gcreate2(file, "/array", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    hid_t dset = create_record(file, nt);

    for (int t0 = 0; t0 < nt; t0 += rows) {
        int n = nt - t0 < rows ? nt - t0 : rows;
        for (int k = 0; k < n; k++) {
            float *p = block + (size_t)k * NCHAN;
            sample_pressure(array, (t0 + k) * 1e-3, p);
            for (int i = 0; i < NCHAN; i++)
                energy += (double)p[i] * p[i];
        }
        store_block(dset, block, t0, n);
    }
    H5Dclose(dset);
    H5Gclose(group);
    H5Fclose(file);
    printf("recorded %d samples x %d channels, energy %.6f\n", nt, NCHAN, energy);
    free(block);
    free(array);
    return 0;
}
