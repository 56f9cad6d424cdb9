/* Reaction-diffusion (Gray-Scott) in a box split along z; the concentration field is
 * kept at a few times in one HDF5 file. */
#include <hdf5.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define N 64

typedef struct {
    int rank, size, nz;
    double *u, *v, *un, *vn;
} Box;

static size_t at(int k, int j, int i)
{
    return ((size_t)k * N + j) * N + i;
}

static void halo(const Box *b, double *f)
{
    int below = (b->rank + b->size - 1) % b->size, above = (b->rank + 1) % b->size;
    MPI_Sendrecv(f + at(1, 0, 0), N * N, MPI_DOUBLE, below, 0, f + at(b->nz + 1, 0, 0), N * N,
                 MPI_DOUBLE, above, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(f + at(b->nz, 0, 0), N * N, MPI_DOUBLE, above, 1, f, N * N, MPI_DOUBLE, below, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static double laplace(const double *f, int k, int j, int i)
{
    int jm = (j + N - 1) % N, jp = (j + 1) % N, im = (i + N - 1) % N, ip = (i + 1) % N;
    return f[at(k - 1, j, i)] + f[at(k + 1, j, i)] + f[at(k, jm, i)] + f[at(k, jp, i)] +
           f[at(k, j, im)] + f[at(k, j, ip)] - 6.0 * f[at(k, j, i)];
}

static void react(Box *b)
{
    halo(b, b->u);
    halo(b, b->v);
    for (int k = 1; k <= b->nz; k++)
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++) {
                size_t p = at(k, j, i);
                double u = b->u[p], v = b->v[p], r = u * v * v;
                b->un[p] = u + 0.10 * laplace(b->u, k, j, i) - r + 0.03 * (1.0 - u);
                b->vn[p] = v + 0.05 * laplace(b->v, k, j, i) + r - 0.09 * v;
            }
    double *t = b->u;
    b->u = b->un;
    b->un = t;
    t = b->v;
    b->v = b->vn;
    b->vn = t;
}

static void store(hid_t file, hid_t dxpl, const Box *b, int number)
{
    char name[32];
    hsize_t dims[3] = { (hsize_t)b->nz * b->size, N, N };
    hsize_t start[3] = { (hsize_t)b->nz * b->rank, 0, 0 }, count[3] = { (hsize_t)b->nz, N, N };
    snprintf(name, sizeof name, "v_%03d", number);
    hid_t fspace = H5Screate_simple(3, dims, NULL), mspace = H5Screate_simple(3, count, NULL);
    hid_t dset = H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, fspace, H5P_DEFAULT, H5P_DEFAULT,
                            H5P_DEFAULT);
    H5Sselect_hyperslab(fspace, H5S_SELECT_SET, start, NULL, count, NULL);
    H5Dwrite(dset, H5T_NATIVE_DOUBLE, mspace, fspace, dxpl, b->v + at(1, 0, 0));
    H5Dclose(dset);
    H5Sclose(mspace);
    H5Sclose(fspace);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int steps = argc > 1 ? atoi(argv[1]) : 100;
    Box b;
    MPI_Comm_rank(MPI_COMM_WORLD, &b.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &b.size);
    b.nz = N / b.size;
    size_t n = at(b.nz + 2, 0, 0);
    b.u = malloc(n * sizeof(double));
    b.v = malloc(n * sizeof(double));
    b.un = malloc(n * sizeof(double));
    b.vn = malloc(n * sizeof(double));
    for (size_t p = 0; p < n; p++) {
        int i = p % N - N / 2, j = p / N % N - N / 2;
        int k = (int)(p / (N * N)) - 1 + b.rank * b.nz - N / 2;
        int inside = i * i + j * j + k * k < 150;
        b.u[p] = inside ? 0.5 : 1.0;
        b.v[p] = inside ? 0.3 + 0.05 * sin(0.7 * i + 0.4 * j) : 0.0;
    }
    hid_t fapl = H5Pcreate(H5P_FILE_ACCESS), dxpl = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_fapl_mpio(fapl, MPI_COMM_WORLD, MPI_INFO_NULL);
    H5Pset_dxpl_mpio(dxpl, H5FD_MPIO_COLLECTIVE);
    hid_t file = H5Fcreate("grayscott.h5", H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
    for (int s = 1; s <= steps; s++) {
        react(&b);
        if (s % (steps / 2) == 0)
            store(file, dxpl, &b, s);
    }
    H5Fclose(file);
    H5Pclose(dxpl);
    H5Pclose(fapl);
    double mine = 0.0, sum = 0.0;
    for (size_t p = at(1, 0, 0); p < at(b.nz + 1, 0, 0); p++)
        mine += b.v[p];
    MPI_Reduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (b.rank == 0)
        printf("steps %d mean v %.8f\n", steps, sum / ((double)N * N * N));
    MPI_Finalize();
    return 0;
}
