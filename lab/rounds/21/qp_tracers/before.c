/* Tracer particles in an ABC flow; their positions are a time series in an
 * extendible dataset that grows by one row per output step. */
#include <hdf5.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define NTR   1024          /* tracers, all ranks */
#define NSTEP 200
#define NCOMP 3

static void push(double *x, int n, double dt)
{
    for (int i = 0; i < n; i++) {
        double *p = x + NCOMP * i;
        double u = sin(p[2]) + 0.6 * cos(p[1]);
        double v = 0.8 * sin(p[0]) + cos(p[2]);
        double w = 0.6 * sin(p[1]) + 0.8 * cos(p[0]);
        p[0] += dt * u;
        p[1] += dt * v;
        p[2] += dt * w;
    }
}

int main(int argc, char **argv)
{
    int me, np;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    int n = NTR / np;
    double *x = malloc(n * NCOMP * sizeof *x);
    for (int i = 0; i < n * NCOMP; i++)
        x[i] = 6.283185307 * fmod(0.6180339887 * (i + 1 + me * n * NCOMP), 1.0);

    hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_mpio(fapl, MPI_COMM_WORLD, MPI_INFO_NULL);
    hid_t file = H5Fcreate("tracers.h5", H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
    H5Pclose(fapl);

    hsize_t dims[3] = {0, NTR, NCOMP}, maxd[3] = {H5S_UNLIMITED, NTR, NCOMP};
    hsize_t chunk[3] = {1, 8, NCOMP};
    hid_t space = H5Screate_simple(3, dims, maxd);
    hid_t dcpl = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(dcpl, 3, chunk);
    hid_t set = H5Dcreate2(file, "position", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, dcpl, H5P_DEFAULT);
    H5Pclose(dcpl);
    H5Sclose(space);

    hid_t xfer = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_dxpl_mpio(xfer, H5FD_MPIO_COLLECTIVE);
    hsize_t count[3] = {1, n, NCOMP};
    hid_t mem = H5Screate_simple(3, count, NULL);

    for (int s = 0; s < NSTEP; s++) {
        push(x, n, 0.01);
        dims[0] = s + 1;
        H5Dset_extent(set, dims);
        hid_t fs = H5Dget_space(set);
        hsize_t start[3] = {s, (hsize_t)me * n, 0};
        H5Sselect_hyperslab(fs, H5S_SELECT_SET, start, NULL, count, NULL);
        H5Dwrite(set, H5T_NATIVE_DOUBLE, mem, fs, xfer, x);
        H5Sclose(fs);
    }

    double r2 = 0, tot;
    for (int i = 0; i < n * NCOMP; i++) r2 += x[i] * x[i];
    MPI_Reduce(&r2, &tot, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (me == 0) printf("tracers %d steps %d <r2> %.9f\n", NTR, NSTEP, tot / NTR);

    H5Sclose(mem);
    H5Pclose(xfer);
    H5Dclose(set);
    H5Fclose(file);
    free(x);
    MPI_Finalize();
    return 0;
}
