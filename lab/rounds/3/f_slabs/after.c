/* Spectral ocean model toy: pencils along y, fields stored as global arrays in one HDF5 file. */
#include <hdf5.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int rank, size;
    int ny, nx, width, first;
    double *u, *v;
} Pencil;

static void setup(Pencil *p, int ny, int nx)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &p->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p->size);
    p->ny = ny;
    p->nx = nx;
    p->width = nx / p->size;
    p->first = p->rank * p->width;
    p->u = malloc(sizeof(double) * p->width * ny);
    p->v = malloc(sizeof(double) * p->width * ny);
    for (int j = 0; j < ny; j++) {
        for (int i = 0; i < p->width; i++) {
            double x = (double)(p->first + i) / nx, y = (double)j / ny;
            p->u[j * p->width + i] = x * (1.0 - x) * (0.5 - y);
            p->v[j * p->width + i] = y * (1.0 - y) * (x - 0.5);
        }
    }
}

static void relax(Pencil *p)
{
    for (int j = 1; j < p->ny - 1; j++) {
        for (int i = 0; i < p->width; i++) {
            int k = j * p->width + i;
            p->u[k] += 0.2 * (p->u[k - p->width] - 2.0 * p->u[k] + p->u[k + p->width]);
            p->v[k] += 0.2 * (p->v[k - p->width] - 2.0 * p->v[k] + p->v[k + p->width]);
        }
    }
}

static void put_field(hid_t file, const char *name, const Pencil *p, const double *data)
{
    hsize_t dims[2] = {(hsize_t)p->ny, (hsize_t)p->nx};
    hsize_t start[2] = {0, (hsize_t)p->first}, count[2] = {(hsize_t)p->ny, (hsize_t)p->width};
    hid_t fspace = H5Screate_simple(2, dims, NULL), mspace = H5Screate_simple(2, count, NULL);
    hid_t set = H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, fspace, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    hid_t xfer = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_dxpl_mpio(xfer, H5FD_MPIO_COLLECTIVE);
    H5Sselect_hyperslab(fspace, H5S_SELECT_SET, start, NULL, count, NULL);
    H5Dwrite(set, H5T_NATIVE_DOUBLE, mspace, fspace, xfer, data);
    H5Pclose(xfer);
    H5Dclose(set);
    H5Sclose(mspace);
    H5Sclose(fspace);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int ny = argc > 1 ? atoi(argv[1]) : 100000, ndump = 2;
    Pencil p;
    char name[32];

    setup(&p, ny, 8);
    hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_mpio(fapl, MPI_COMM_WORLD, MPI_INFO_NULL);
    hid_t file = H5Fcreate("ocean.h5", H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
    for (int n = 0; n < ndump; n++) {
        for (int it = 0; it < 3; it++)
            relax(&p);
        snprintf(name, sizeof name, "u_%02d", n);
        put_field(file, name, &p, p.u);
        snprintf(name, sizeof name, "v_%02d", n);
        put_field(file, name, &p, p.v);
    }
    H5Fclose(file);
    H5Pclose(fapl);

    double mine = 0.0, all = 0.0;
    for (int k = 0; k < p.width * p.ny; k++)
        mine += p.u[k] * p.u[k] + p.v[k] * p.v[k];
    MPI_Reduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (p.rank == 0)
        printf("energy %.10e\n", all);
    free(p.u);
    free(p.v);
    MPI_Finalize();
    return 0;
}
