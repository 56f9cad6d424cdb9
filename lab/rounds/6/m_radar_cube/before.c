/* Pulse-Doppler radar: simulate the echoes of a few point targets and store the
 * range profiles of each coherent interval in an HDF5 data cube. */
#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PULSES 64
#define GATES 1024
#define CHUNK_PULSES 1
#define CHUNK_GATES 16

typedef struct {
    double range, speed, amplitude;
} Target;

static const Target targets[] = {
    { 210.0, 0.11, 1.0 }, { 433.5, -0.07, 0.6 }, { 700.2, 0.02, 0.8 }
};

static double noise(unsigned *seed)
{
    *seed = *seed * 1103515245u + 12345u;
    return ((*seed >> 9) & 0xffff) / 65536.0 - 0.5;
}

static void simulate_interval(int interval, float *echo, unsigned *seed)
{
    for (int p = 0; p < PULSES; p++) {
        double t = interval * PULSES + p;
        float *row = echo + (size_t)p * GATES;
        for (int g = 0; g < GATES; g++)
            row[g] = (float)(0.05 * noise(seed));
        for (size_t k = 0; k < sizeof targets / sizeof targets[0]; k++) {
            int centre = (int)(targets[k].range + 0.01 * targets[k].speed * t);
            double phase = 2.0 * M_PI * targets[k].speed * t;
            for (int g = centre - 8; g <= centre + 8; g++)
                row[g] += (float)(targets[k].amplitude * cos(phase) *
                                  exp(-0.1 * (g - centre) * (g - centre)));
        }
    }
}

static hid_t create_cube(hid_t file, int intervals)
{
    hsize_t dims[3] = { (hsize_t)intervals, PULSES, GATES };
    hsize_t chunk[3] = { 1, CHUNK_PULSES, CHUNK_GATES };
    hid_t space = H5Screate_simple(3, dims, NULL);
    hid_t dcpl = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(dcpl, 3, chunk);
    hid_t dset = H5Dcreate2(file, "/echo", H5T_NATIVE_FLOAT, space, H5P_DEFAULT, dcpl,
                            H5P_DEFAULT);
    H5Pclose(dcpl);
    H5Sclose(space);
    return dset;
}

static void store_interval(hid_t dset, int interval, const float *echo)
{
    hsize_t start[3] = { (hsize_t)interval, 0, 0 };
    hsize_t count[3] = { 1, PULSES, GATES };
    hid_t fspace = H5Dget_space(dset);
    hid_t mspace = H5Screate_simple(3, count, NULL);
    H5Sselect_hyperslab(fspace, H5S_SELECT_SET, start, NULL, count, NULL);
    if (H5Dwrite(dset, H5T_NATIVE_FLOAT, mspace, fspace, H5P_DEFAULT, echo) < 0)
        exit(1);
    H5Sclose(mspace);
    H5Sclose(fspace);
}

int main(int argc, char **argv)
{
    int intervals = argc > 1 ? atoi(argv[1]) : 30;
    unsigned seed = 99;
    float *echo = malloc(sizeof(float) * PULSES * GATES);
    hid_t file = H5Fcreate("radar.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t cube = create_cube(file, intervals);
    double power = 0.0;

    for (int n = 0; n < intervals; n++) {
        simulate_interval(n, echo, &seed);
        for (size_t i = 0; i < (size_t)PULSES * GATES; i++)
            power += (double)echo[i] * echo[i];
        store_interval(cube, n, echo);
    }
    H5Dclose(cube);
    H5Fclose(file);
    printf("intervals %d mean power %.8f\n", intervals,
           power / ((double)intervals * PULSES * GATES));
    free(echo);
    return 0;
}
