/* Synthetic H I observation: each rank computes the brightness of its own
   frequency channels for a rotating galaxy disc; all go into one HDF5 cube
   ordered (y, x, channel), as the fitting code wants to have it. */
#include <hdf5.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int n;               /* pixels along each side */
    int channels;        /* of the whole band */
    int first, own;      /* channels of this rank */
    float *data;         /* [n][n][own] */
} Cube;

static double line_velocity(double x, double y, double incl)
{
    double yy = y / cos(incl), r = sqrt(x * x + yy * yy) + 1e-6;
    double rotation = 180.0 * tanh(r / 0.15);
    return rotation * sin(incl) * x / r;
}

static void observe(Cube *c, double incl, double sigma)
{
    for (int j = 0; j < c->n; j++)
        for (int i = 0; i < c->n; i++) {
            double x = 2.0 * (i + 0.5) / c->n - 1.0, y = 2.0 * (j + 0.5) / c->n - 1.0;
            double v0 = line_velocity(x, y, incl);
            double column = exp(-(x * x + y * y) / 0.18);
            float *spectrum = c->data + ((size_t)j * c->n + i) * c->own;
            for (int k = 0; k < c->own; k++) {
                double v = -240.0 + 480.0 * (c->first + k + 0.5) / c->channels;
                double d = (v - v0) / sigma;
                spectrum[k] = (float)(column * exp(-0.5 * d * d));
            }
        }
}

static void store(hid_t file, const char *name, const Cube *c)
{
    hsize_t dims[3] = {c->n, c->n, c->channels};
    hsize_t start[3] = {0, 0, c->first}, count[3] = {c->n, c->n, c->own};
    hid_t space = H5Screate_simple(3, dims, NULL), mem = H5Screate_simple(3, count, NULL);
    hid_t set = H5Dcreate2(file, name, H5T_NATIVE_FLOAT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
    hid_t xfer = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_dxpl_mpio(xfer, H5FD_MPIO_COLLECTIVE);
    if (H5Dwrite(set, H5T_NATIVE_FLOAT, mem, space, xfer, c->data) < 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    H5Pclose(xfer);
    H5Dclose(set);
    H5Sclose(mem);
    H5Sclose(space);
}

static double flux(const Cube *c)
{
    double own = 0.0, all = 0.0;
    size_t cells = (size_t)c->n * c->n * c->own;
    for (size_t k = 0; k < cells; k++)
        own += c->data[k];
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all / c->channels;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    Cube c = {.n = argc > 1 ? atoi(argv[1]) : 448, .channels = argc > 2 ? atoi(argv[2]) : 16};
    int models = argc > 3 ? atoi(argv[3]) : 1;
    c.first = c.channels * rank / size;
    c.own = c.channels * (rank + 1) / size - c.first;
    c.data = malloc((size_t)c.n * c.n * c.own * sizeof *c.data);

    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
    hid_t file = H5Fcreate("galaxy.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    for (int m = 0; m < models; m++) {
        char name[32];
        double incl = 0.5 + 0.25 * m;
        snprintf(name, sizeof name, "incl_%.2f", incl);
        observe(&c, incl, 12.0);
        store(file, name, &c);
        double f = flux(&c);
        if (rank == 0)
            printf("%s: mean flux %.8e\n", name, f);
    }
    H5Fclose(file);
    H5Pclose(access);
    free(c.data);
    MPI_Finalize();
    return 0;
}
