/* Radio spectrometer: ranks own bands of channels, the dynamic spectrum is time x channel. */
#include <hdf5.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static float power(int t, int ch)
{
    float burst = expf(-1e-4f * (t - 500 - ch) * (t - 500 - ch));
    return 10.0f + 0.01f * (ch % 37) + 5.0f * burst;
}

static hid_t create_file(const char *path)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
    return file;
}

static hid_t create_spectrum(hid_t file, hsize_t times, hsize_t channels)
{
    hsize_t dims[2] = {times, channels};
    hid_t space = H5Screate_simple(2, dims, NULL);
    hid_t set = H5Dcreate2(file, "spectrum", H5T_NATIVE_FLOAT, space, H5P_DEFAULT, H5P_DEFAULT,
                           H5P_DEFAULT);
    H5Sclose(space);
    return set;
}

static void write_channels(hid_t set, const float *data, hsize_t times, hsize_t bands, hsize_t width,
                           int rank, int size)
{
    hsize_t start[2] = {0, rank * width}, stride[2] = {1, size * width};
    hsize_t count[2] = {times, bands}, block[2] = {1, width};
    hsize_t local[2] = {times, bands * width};
    hid_t target = H5Dget_space(set), source = H5Screate_simple(2, local, NULL);
    H5Sselect_hyperslab(target, H5S_SELECT_SET, start, stride, count, block);
    hid_t transfer = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_dxpl_mpio(transfer, H5FD_MPIO_INDEPENDENT);
    H5Dwrite(set, H5T_NATIVE_FLOAT, source, target, transfer, data);
    H5Pclose(transfer);
    H5Sclose(source);
    H5Sclose(target);
}

int main(int argc, char **argv)
{
    int rank, size, times = argc > 1 ? atoi(argv[1]) : 4000;
    const int bands = 128, width = 4;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    float *data = malloc((size_t)times * bands * width * sizeof(float));
    double mine = 0, total;
    for (int t = 0; t < times; t++)
        for (int b = 0; b < bands; b++)
            for (int c = 0; c < width; c++) {
                float p = power(t, (b * size + rank) * width + c);
                data[((size_t)t * bands + b) * width + c] = p;
                mine += p;
            }
    hid_t file = create_file("spectrum.h5");
    hid_t set = create_spectrum(file, times, (hsize_t)bands * width * size);
    write_channels(set, data, times, bands, width, rank, size);
    H5Dclose(set);
    H5Fclose(file);
    MPI_Reduce(&mine, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("times %d  mean power %.6f\n", times, total / ((double)times * bands * width * size));
    free(data);
    MPI_Finalize();
    return 0;
}
