/* Slab-decomposed wave equation; planes written collectively to a chunked HDF5 dataset. */
#include <hdf5.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NX 128
#define NY 128
#define NZL 8

typedef struct {
    hid_t file, set, space, mem, xfer;
} Output;

static double now[NZL + 2][NY][NX], past[NZL + 2][NY][NX], next[NZL + 2][NY][NX];

static void output_open(Output *o, const char *name, int nout, int size)
{
    hsize_t dims[4] = {(hsize_t)nout, (hsize_t)NZL * size, NY, NX}, part[4] = {1, NZL, NY, NX};
    hid_t fapl = H5Pcreate(H5P_FILE_ACCESS), dcpl = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_fapl_mpio(fapl, MPI_COMM_WORLD, MPI_INFO_NULL);
    o->file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
    H5Pset_chunk(dcpl, 4, part);
    H5Pset_alloc_time(dcpl, H5D_ALLOC_TIME_EARLY);
    H5Pset_fill_time(dcpl, H5D_FILL_TIME_NEVER);
    o->space = H5Screate_simple(4, dims, NULL);
    o->mem = H5Screate_simple(4, part, NULL);
    o->set = H5Dcreate2(o->file, "pressure", H5T_NATIVE_DOUBLE, o->space, H5P_DEFAULT, dcpl, H5P_DEFAULT);
    o->xfer = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_dxpl_mpio(o->xfer, H5FD_MPIO_COLLECTIVE);
    H5Pclose(dcpl);
    H5Pclose(fapl);
}

static void output_write(Output *o, int n, int rank)
{
    hsize_t start[4] = {(hsize_t)n, (hsize_t)NZL * rank, 0, 0}, count[4] = {1, NZL, NY, NX};
    H5Sselect_hyperslab(o->space, H5S_SELECT_SET, start, NULL, count, NULL);
    H5Dwrite(o->set, H5T_NATIVE_DOUBLE, o->mem, o->space, o->xfer, now[1]);
}

static void output_close(Output *o)
{
    H5Pclose(o->xfer);
    H5Sclose(o->mem);
    H5Sclose(o->space);
    H5Dclose(o->set);
    H5Fclose(o->file);
}

static void exchange(int rank, int size)
{
    int up = rank + 1 < size ? rank + 1 : MPI_PROC_NULL, down = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    MPI_Sendrecv(now[NZL], NX * NY, MPI_DOUBLE, up, 0, now[0], NX * NY, MPI_DOUBLE, down, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(now[1], NX * NY, MPI_DOUBLE, down, 1, now[NZL + 1], NX * NY, MPI_DOUBLE, up, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void propagate(double c2)
{
    for (int k = 1; k <= NZL; k++)
        for (int j = 1; j < NY - 1; j++)
            for (int i = 1; i < NX - 1; i++)
                next[k][j][i] = 2.0 * now[k][j][i] - past[k][j][i] +
                                c2 * (now[k - 1][j][i] + now[k + 1][j][i] + now[k][j - 1][i] + now[k][j + 1][i] +
                                      now[k][j][i - 1] + now[k][j][i + 1] - 6.0 * now[k][j][i]);
    memcpy(past, now, sizeof now);
    memcpy(now, next, sizeof now);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int nstep = argc > 1 ? atoi(argv[1]) : 800, nout = 2;
    Output out;

    for (int k = 0; k < NZL + 2; k++)
        for (int j = 0; j < NY; j++)
            for (int i = 0; i < NX; i++)
                now[k][j][i] = exp(-0.01 * ((i - 60) * (i - 60) + (j - 60) * (j - 60)));
    memcpy(past, now, sizeof now);
    output_open(&out, "waves.h5", nout, size);
    for (int n = 0; n < nout; n++) {
        for (int s = 0; s < nstep / nout; s++) {
            exchange(rank, size);
            propagate(0.1);
        }
        output_write(&out, n, rank);
    }
    output_close(&out);
    double e = 0.0, all = 0.0;
    for (int k = 1; k <= NZL; k++)
        for (int j = 0; j < NY; j++)
            for (int i = 0; i < NX; i++)
                e += now[k][j][i] * now[k][j][i];
    MPI_Reduce(&e, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("pressure norm %.9e\n", sqrt(all));
    MPI_Finalize();
    return 0;
}
