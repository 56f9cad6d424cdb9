/* Premixed flame on a two-dimensional grid, split into row blocks.  The mid
 * slice diagnostics and the temperature field are kept in one HDF5 file. */
#include <mpi.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

typedef struct {
    int nx, ny, y0, nyloc;
    double *temp, *fuel, *next;
} Flame;

static void ignite(Flame *f, int rank, int size, int nx, int ny)
{
    f->nx = nx;
    f->ny = ny;
    f->y0 = ny * rank / size;
    f->nyloc = ny * (rank + 1) / size - f->y0;
    size_t cells = (size_t)nx * (f->nyloc + 2);
    f->temp = malloc(cells * sizeof(double));
    f->fuel = malloc(cells * sizeof(double));
    f->next = malloc(cells * sizeof(double));
    for (int j = 0; j < f->nyloc + 2; j++)
        for (int i = 0; i < nx; i++) {
            size_t c = (size_t)j * nx + i;
            double front = 20.0 + 4.0 * sin(0.1 * (f->y0 + j));
            f->temp[c] = f->next[c] = i < front ? 1.0 : 0.0;
            f->fuel[c] = i < front ? 0.0 : 1.0;
        }
}

static void swap_halo(Flame *f, int rank, int size)
{
    int up = rank + 1 < size ? rank + 1 : MPI_PROC_NULL, down = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    MPI_Sendrecv(f->temp + (size_t)f->nyloc * f->nx, f->nx, MPI_DOUBLE, up, 1, f->temp, f->nx,
                 MPI_DOUBLE, down, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(f->temp + f->nx, f->nx, MPI_DOUBLE, down, 2, f->temp + (size_t)(f->nyloc + 1) * f->nx,
                 f->nx, MPI_DOUBLE, up, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static double burn(Flame *f, double dt)
{
    double released = 0;
    for (int j = 1; j <= f->nyloc; j++)
        for (int i = 1; i < f->nx - 1; i++) {
            size_t c = (size_t)j * f->nx + i;
            double lap = f->temp[c - 1] + f->temp[c + 1] + f->temp[c - f->nx] + f->temp[c + f->nx] -
                         4.0 * f->temp[c];
            double rate = 8.0 * f->fuel[c] * exp(-6.0 * (1.0 - f->temp[c]));
            f->next[c] = f->temp[c] + dt * (lap + rate);
            f->fuel[c] -= dt * rate;
            released += rate;
        }
    double *t = f->temp;
    f->temp = f->next;
    f->next = t;
    return released;
}

static void write_slice(hid_t set, hid_t transfer, const Flame *f, hsize_t index)
{
    hsize_t start[3] = { index, (hsize_t)f->y0, 0 };
    hsize_t count[3] = { 1, (hsize_t)f->nyloc, (hsize_t)f->nx };
    hid_t fspace = H5Dget_space(set), mspace = H5Screate_simple(3, count, NULL);
    H5Sselect_hyperslab(fspace, H5S_SELECT_SET, start, NULL, count, NULL);
    H5Dwrite(set, H5T_NATIVE_DOUBLE, mspace, fspace, transfer, f->temp + f->nx);
    H5Sclose(mspace);
    H5Sclose(fspace);
}

static void tag_slice(hid_t set, const char *key, double value)
{
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t attr = H5Acreate2(set, key, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(attr, H5T_NATIVE_DOUBLE, &value);
    H5Aclose(attr);
    H5Sclose(space);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int steps = argc > 1 ? atoi(argv[1]) : 240, every = 40;
    Flame flame;
    ignite(&flame, rank, size, 640, 480);

    hid_t access = H5Pcreate(H5P_FILE_ACCESS), transfer = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
    hid_t file = H5Fcreate("flame.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    hsize_t dims[3] = { (hsize_t)(steps / every), (hsize_t)flame.ny, (hsize_t)flame.nx };
    hid_t space = H5Screate_simple(3, dims, NULL);
    hid_t set = H5Dcreate2(file, "temperature", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT,
                           H5P_DEFAULT);
    for (int s = 1; s <= steps; s++) {
        swap_halo(&flame, rank, size);
        double local = burn(&flame, 0.02), total;
        MPI_Allreduce(&local, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        if (s % every == 0) {
            char key[32];
            write_slice(set, transfer, &flame, s / every - 1);
            snprintf(key, sizeof key, "heat_release_%03d", s);
            tag_slice(set, key, total);
            if (rank == 0)
                printf("step %4d heat release %.5e\n", s, total);
        }
    }
    H5Dclose(set);
    H5Sclose(space);
    H5Fclose(file);
    H5Pclose(access);
    H5Pclose(transfer);
    free(flame.temp);
    free(flame.fuel);
    free(flame.next);
    MPI_Finalize();
    return 0;
}
