/* Radiative equilibrium of atmospheric columns, blocks of columns per rank. */
#include <hdf5.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define LEVELS 60

static void initial_column(double *t, int column)
{
    for (int k = 0; k < LEVELS; k++)
        t[k] = 288.0 - 1.1 * k + 6.0 * sin(0.02 * column);
}

static void relax_column(double *t, int iterations)
{
    double up[LEVELS + 1], down[LEVELS + 1];
    for (int it = 0; it < iterations; it++) {
        up[0] = pow(t[0] / 288.0, 4.0);
        for (int k = 0; k < LEVELS; k++) {
            double eps = 0.08 * exp(-0.05 * k);
            up[k + 1] = (1 - eps) * up[k] + eps * pow(t[k] / 288.0, 4.0);
        }
        down[LEVELS] = 0;
        for (int k = LEVELS - 1; k >= 0; k--) {
            double eps = 0.08 * exp(-0.05 * k);
            down[k] = (1 - eps) * down[k + 1] + eps * pow(t[k] / 288.0, 4.0);
        }
        for (int k = 1; k < LEVELS; k++)
            t[k] += 2.0 * (up[k] - up[k + 1] + down[k + 1] - down[k]);
    }
}

static void put_text(hid_t object, const char *name, const char *text)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, 16);
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t attr = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(attr, type, text);
    H5Aclose(attr);
    H5Sclose(space);
    H5Tclose(type);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int ncolumns = argc > 1 ? atoi(argv[1]) : 2000;
    int iterations = argc > 2 ? atoi(argv[2]) : 50;
    int mine = ncolumns / size, first = rank * mine;
    int frames = 4;

    double *temp = malloc((size_t)mine * LEVELS * sizeof(double));
    for (int c = 0; c < mine; c++)
        initial_column(temp + (size_t)c * LEVELS, first + c);

    hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_mpio(fapl, MPI_COMM_WORLD, MPI_INFO_NULL);
    hid_t file = H5Fcreate("columns.h5", H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
    hsize_t dims[3] = {(hsize_t)frames, (hsize_t)mine * size, LEVELS};
    hsize_t chunk[3] = {1, (hsize_t)mine, LEVELS};
    hid_t space = H5Screate_simple(3, dims, NULL);
    hid_t dcpl = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(dcpl, 3, chunk);
    H5Pset_fill_time(dcpl, H5D_FILL_TIME_NEVER);
    hid_t set = H5Dcreate2(file, "temperature", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, dcpl,
                           H5P_DEFAULT);
    put_text(set, "units", "K\0\0\0\0\0\0\0\0\0\0\0\0\0\0");
    put_text(set, "grid", "reduced\0\0\0\0\0\0\0\0");
    hsize_t count[3] = {1, (hsize_t)mine, LEVELS};
    hid_t mspace = H5Screate_simple(3, count, NULL);

    for (int frame = 0; frame < frames; frame++) {
        for (int c = 0; c < mine; c++)
            relax_column(temp + (size_t)c * LEVELS, iterations);
        hsize_t start[3] = {(hsize_t)frame, (hsize_t)first, 0};
        H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
        H5Dwrite(set, H5T_NATIVE_DOUBLE, mspace, space, H5P_DEFAULT, temp);
    }
    H5Sclose(mspace);
    H5Sclose(space);
    H5Pclose(dcpl);
    H5Dclose(set);
    H5Fclose(file);
    H5Pclose(fapl);

    double sum = 0, total = 0;
    for (int c = 0; c < mine; c++)
        sum += temp[(size_t)c * LEVELS + LEVELS / 2];
    MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("columns %d  mid temperature %.5f\n", mine * size, total / (mine * size));
    free(temp);
    MPI_Finalize();
    return 0;
}
