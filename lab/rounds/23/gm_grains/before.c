/* Grain growth (phase field, several order parameters), collective HDF5 output: one group per output,
 * one dataset per grain parameter, chunk = slab of a rank. */
#include <mpi.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

#define NP 4
static int rank, size, n, nloc, row0;
#define AT(p, j, i) ((size_t)(p) * (nloc + 2) * n + (size_t)(j) * n + (i))

static void halo(double *a)
{
    int up = (rank + 1) % size, dn = (rank + size - 1) % size;
    for (int p = 0; p < NP; p++) {
        MPI_Sendrecv(a + AT(p, nloc, 0), n, MPI_DOUBLE, up, p, a + AT(p, 0, 0), n, MPI_DOUBLE, dn, p, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(a + AT(p, 1, 0), n, MPI_DOUBLE, dn, NP + p, a + AT(p, nloc + 1, 0), n, MPI_DOUBLE, up, NP + p, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

static void step(const double *a, double *b)
{
    for (int j = 1; j <= nloc; j++)
        for (int i = 0; i < n; i++) {
            int l = (i + n - 1) % n, r = (i + 1) % n;
            double s2 = 0;
            for (int p = 0; p < NP; p++) s2 += a[AT(p, j, i)] * a[AT(p, j, i)];
            for (int p = 0; p < NP; p++) {
                double c = a[AT(p, j, i)];
                double lap = a[AT(p, j, l)] + a[AT(p, j, r)] + a[AT(p, j-1, i)] + a[AT(p, j+1, i)] - 4 * c;
                b[AT(p, j, i)] = c + 0.1 * (c - c * c * c - 2 * c * (s2 - c * c) + 0.8 * lap) * exp(-0.1 * s2);
            }
        }
}

static void output(hid_t file, int no, const double *a)
{
    char name[32];
    hsize_t dims[2] = { n, n }, cnt[2] = { nloc, n }, off[2] = { row0, 0 };
    snprintf(name, sizeof name, "out%04d", no);
    hid_t g = H5Gcreate(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    hid_t dcpl = H5Pcreate(H5P_DATASET_CREATE), dx = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_chunk(dcpl, 2, cnt);
    H5Pset_dxpl_mpio(dx, H5FD_MPIO_COLLECTIVE);
    hid_t fs = H5Screate_simple(2, dims, NULL), ms = H5Screate_simple(2, cnt, NULL);
    H5Sselect_hyperslab(fs, H5S_SELECT_SET, off, NULL, cnt, NULL);
    for (int p = 0; p < NP; p++) {
        snprintf(name, sizeof name, "eta%d", p);
        hid_t d = H5Dcreate(g, name, H5T_NATIVE_DOUBLE, fs, H5P_DEFAULT, dcpl, H5P_DEFAULT);
        if (d < 0 || H5Dwrite(d, H5T_NATIVE_DOUBLE, ms, fs, dx, a + AT(p, 1, 0)) < 0) MPI_Abort(MPI_COMM_WORLD, 2);
        H5Dclose(d);
    }
    H5Sclose(ms); H5Sclose(fs); H5Pclose(dx); H5Pclose(dcpl); H5Gclose(g);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    n = argc > 1 ? atoi(argv[1]) : 256;
    int steps = argc > 2 ? atoi(argv[2]) : 200;
    nloc = n / size; row0 = rank * nloc;
    double *a = calloc((size_t)NP * (nloc + 2) * n, 8), *b = calloc((size_t)NP * (nloc + 2) * n, 8), s = 0, t;
    for (int p = 0; p < NP; p++)
        for (int j = 1; j <= nloc; j++)
            for (int i = 0; i < n; i++) a[AT(p, j, i)] = 0.1 * sin(1.3 * p + 0.9 * i * (p + 1) + 0.7 * (row0 + j));
    hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_mpio(fapl, MPI_COMM_WORLD, MPI_INFO_NULL);
    hid_t file = H5Fcreate("grains.h5", H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
    if (file < 0) MPI_Abort(MPI_COMM_WORLD, 1);
    for (int k = 1; k <= steps; k++) {
        halo(a);
        step(a, b);
        double *x = a; a = b; b = x;
        if (k % 80 == 0) output(file, k / 80, a);
    }
    H5Fclose(file);
    H5Pclose(fapl);
    for (int j = 1; j <= nloc; j++) for (int i = 0; i < n; i++) s += a[AT(0, j, i)] * a[AT(0, j, i)];
    MPI_Reduce(&s, &t, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("eta0^2 %.8f\n", t / ((double)n * n));
    MPI_Finalize();
    return 0;
}
