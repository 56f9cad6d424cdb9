/* Ensemble of Lorenz-96 models, the members dealt out to the ranks. The
 * ensemble is stored as state(frame, variable, member) in one HDF5 file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <mpi.h>
#include <hdf5.h>

#define NV 100000         /* variables on the ring */
#define NM 16            /* members */

typedef struct {
    int rank, size, members, first;
    double *x;           /* NV x members, member fastest */
    double *k, *y, *acc;
} Ensemble;

static void tendency(const Ensemble *e, const double *x, double *dx)
{
    int m = e->members;
    for (int i = 0; i < NV; i++) {
        const double *c = x + (size_t)i * m, *p1 = x + (size_t)((i + 1) % NV) * m;
        const double *m1 = x + (size_t)((i + NV - 1) % NV) * m, *m2 = x + (size_t)((i + NV - 2) % NV) * m;
        for (int j = 0; j < m; j++)
            dx[(size_t)i * m + j] = (p1[j] - m2[j]) * m1[j] - c[j] + 8.0;
    }
}

static void rk4(Ensemble *e, double dt)
{
    static const double half[3] = {0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
    size_t n = (size_t)NV * e->members;
    memcpy(e->y, e->x, n * sizeof(double));
    memset(e->acc, 0, n * sizeof(double));
    for (int s = 0; s < 4; s++) {
        tendency(e, e->y, e->k);
        for (size_t q = 0; q < n; q++) {
            e->acc[q] += weight[s] * e->k[q];
            if (s < 3) e->y[q] = e->x[q] + half[s] * dt * e->k[q];
        }
    }
    for (size_t q = 0; q < n; q++) e->x[q] += dt / 6.0 * e->acc[q];
}

static void start(Ensemble *e)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &e->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &e->size);
    e->members = NM / e->size;
    e->first = e->rank * e->members;
    size_t n = (size_t)NV * e->members;
    e->x = malloc(n * 8); e->k = malloc(n * 8);
    e->y = malloc(n * 8); e->acc = malloc(n * 8);
    for (int i = 0; i < NV; i++)
        for (int j = 0; j < e->members; j++)
            e->x[(size_t)i * e->members + j] = 8.0 + sin(0.7 * i) + 0.01 * cos(1.3 * i * (e->first + j + 1));
}

static double spread(const Ensemble *e)
{
    static double s[2 * NV];
    double var = 0.0;
    memset(s, 0, sizeof s);
    for (int i = 0; i < NV; i++)
        for (int j = 0; j < e->members; j++) {
            double v = e->x[(size_t)i * e->members + j];
            s[i] += v;
            s[NV + i] += v * v;
        }
    MPI_Allreduce(MPI_IN_PLACE, s, 2 * NV, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < NV; i++) var += s[NV + i] / NM - (s[i] / NM) * (s[i] / NM);
    return sqrt(var / NV);
}

static void store(const Ensemble *e, hid_t dset, hsize_t frame)
{
    hsize_t start[3] = {frame, 0, e->first}, count[3] = {1, NV, e->members};
    hid_t fspace = H5Dget_space(dset), mspace = H5Screate_simple(3, count, NULL);
    hid_t dxpl = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_dxpl_mpio(dxpl, H5FD_MPIO_INDEPENDENT);
    H5Sselect_hyperslab(fspace, H5S_SELECT_SET, start, NULL, count, NULL);
    if (H5Dwrite(dset, H5T_NATIVE_DOUBLE, mspace, fspace, dxpl, e->x) < 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    H5Pclose(dxpl);
    H5Sclose(mspace);
    H5Sclose(fspace);
}

int main(int argc, char **argv)
{
    Ensemble e;
    int frames = argc > 1 ? atoi(argv[1]) : 3;
    double sp = 0.0;
    MPI_Init(&argc, &argv);
    start(&e);

    hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_mpio(fapl, MPI_COMM_WORLD, MPI_INFO_NULL);
    hid_t file = H5Fcreate("ensemble.h5", H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
    hsize_t dims[3] = {frames, NV, NM};
    hid_t space = H5Screate_simple(3, dims, NULL);
    hid_t dset = H5Dcreate2(file, "state", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);

    for (int f = 0; f < frames; f++) {
        for (int t = 0; t < 2; t++) rk4(&e, 0.01);
        sp = spread(&e);
        store(&e, dset, f);
        if (e.rank == 0) printf("frame %3d  spread %.8f\n", f, sp);
    }
    H5Dclose(dset);
    H5Sclose(space);
    H5Fclose(file);
    H5Pclose(fapl);
    MPI_Finalize();
    return 0;
}
