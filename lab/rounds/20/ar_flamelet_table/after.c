/* Flamelet library: for every scalar dissipation and enthalpy defect a profile over mixture
 * fraction is computed by the rank that owns it and stored in one HDF5 table. */
#include <mpi.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>

#define NZ 64

typedef struct { int nchi, nenth, iters; } config;

static void read_config(const char *name, config *c)
{
    char key[32];
    int val;
    FILE *f = fopen(name, "r");
    c->nchi = 30; c->nenth = 20; c->iters = 40;
    if (!f) return;
    while (fscanf(f, "%31s %d", key, &val) == 2) {
        if (!strcmp(key, "nchi")) c->nchi = val;
        else if (!strcmp(key, "nenth")) c->nenth = val;
        else if (!strcmp(key, "iters")) c->iters = val;
    }
    fclose(f);
}

static void flamelet(double chi, double defect, int iters, double *t)
{
    for (int i = 0; i < NZ; i++) {
        double z = (double)i / (NZ - 1);
        t[i] = 300.0 + 1500.0 * (z < 0.3 ? z / 0.3 : (1.0 - z) / 0.7) * (1.0 - defect);
    }
    for (int n = 0; n < iters; n++)
        for (int i = 1; i < NZ - 1; i++) {
            double z = (double)i / (NZ - 1);
            double d = chi * exp(-2.0 * (z - 0.5) * (z - 0.5)) * 0.02;
            t[i] += d * (t[i - 1] - 2.0 * t[i] + t[i + 1]);
        }
}

static hid_t open_table(const char *name)
{
    hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_mpio(fapl, MPI_COMM_WORLD, MPI_INFO_NULL);
    hid_t file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
    H5Pclose(fapl);
    return file;
}

static double store(hid_t file, const config *c, int rank, int nproc)
{
    int total = c->nchi * c->nenth, first = rank * total / nproc, last = (rank + 1) * total / nproc;
    hsize_t flat[2] = { total, NZ };
    hsize_t off[2] = { first, 0 }, cnt[2] = { last - first, NZ };
    hid_t space = H5Screate_simple(2, flat, NULL), mem = H5Screate_simple(2, cnt, NULL);
    hid_t d = H5Dcreate2(file, "T", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    hid_t dxpl = H5Pcreate(H5P_DATASET_XFER);
    double *t = malloc(sizeof(double) * NZ * (last - first + 1)), sum = 0;
    for (int n = first; n < last; n++) {
        double *p = t + (size_t)(n - first) * NZ;
        flamelet(0.1 * (n / c->nenth + 1), 0.6 * (n % c->nenth) / c->nenth, c->iters, p);
        for (int i = 0; i < NZ; i++) sum += p[i];
    }
    H5Pset_dxpl_mpio(dxpl, H5FD_MPIO_COLLECTIVE);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, off, NULL, cnt, NULL);
    H5Dwrite(d, H5T_NATIVE_DOUBLE, mem, space, dxpl, t);
    H5Pclose(dxpl);
    H5Dclose(d);
    H5Sclose(mem);
    H5Sclose(space);
    free(t);
    return sum;
}

int main(int argc, char **argv)
{
    config c;
    int rank, nproc;
    double sum, all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &nproc);
    read_config(argc > 1 ? argv[1] : "flamelet.in", &c);
    hid_t file = open_table("flamelets.h5");
    sum = store(file, &c, rank, nproc);
    H5Fclose(file);
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        FILE *f = fopen("table.info", "w");
        fprintf(f, "flamelets %d points %d\n", c.nchi * c.nenth, NZ);
        fclose(f);
        printf("flamelets %d mean temperature %.5f\n", c.nchi * c.nenth, all / (c.nchi * c.nenth * (double)NZ));
    }
    MPI_Finalize();
    return 0;
}
