/* Monte-Carlo of neuron populations: every neuron's spike histogram is kept in HDF5. */
#include <hdf5.h>
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NBIN 50

static uint64_t state;

static double uniform(void)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(state >> 11) / 9007199254740992.0;
}

static void simulate(int neuron, int32_t *hist)
{
    double v = -65.0, drive = 14.0 + 4.0 * sin(0.37 * neuron);
    state = 1234567ull + 977ull * (uint64_t)neuron;
    memset(hist, 0, sizeof(int32_t) * NBIN);
    for (int t = 0; t < 500; t++) {
        v += (-(v + 65.0) + drive + 12.0 * (uniform() - 0.5)) * 0.1;
        if (v > -50.0) {
            hist[t * NBIN / 500]++;
            v = -70.0;
        }
    }
}

static hid_t open_results(const char *name)
{
    hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_mpio(fapl, MPI_COMM_WORLD, MPI_INFO_NULL);
    hid_t f = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
    H5Pclose(fapl);
    return f;
}

static void save_histograms(hid_t file, const int32_t *hist, int nlocal, int rank, int size)
{
    hsize_t dims[1] = {NBIN};
    hid_t space = H5Screate_simple(1, dims, NULL);
    char name[40];
    for (int n = 0; n < nlocal * size; n++) {
        snprintf(name, sizeof name, "neuron_%06d", n);
        hid_t set = H5Dcreate2(file, name, H5T_NATIVE_INT32, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        if (n / nlocal == rank)
            H5Dwrite(set, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, hist + (n % nlocal) * NBIN);
        H5Dclose(set);
    }
    H5Sclose(space);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int nneuron = argc > 1 ? atoi(argv[1]) : 4000;
    int nlocal = nneuron / size;
    int32_t *hist = malloc(sizeof(int32_t) * NBIN * nlocal);

    for (int i = 0; i < nlocal; i++)
        simulate(rank * nlocal + i, hist + i * NBIN);
    hid_t file = open_results("spikes.h5");
    save_histograms(file, hist, nlocal, rank, size);
    H5Fclose(file);

    long mine = 0, all = 0;
    for (int k = 0; k < nlocal * NBIN; k++)
        mine += hist[k];
    MPI_Reduce(&mine, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%ld spikes from %d neurons\n", all, nlocal * size);
    free(hist);
    MPI_Finalize();
    return 0;
}
