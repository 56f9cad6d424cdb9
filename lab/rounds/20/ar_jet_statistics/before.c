/* Turbulent jet: synthetic fluctuations are averaged over many samples, the moments of the
 * velocity are kept in one HDF5 file with a few datasets and attributes. */
#include <mpi.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

enum { NMOM = 4 };
static const char *const moment_name[NMOM] = { "mean", "variance", "third", "fourth" };

struct field { int nx, ny, lx, rank, nproc; double *m[NMOM]; };

static unsigned long long mix64(unsigned long long x)
{
    x ^= x >> 33; x *= 0xff51afd7ed558ccdULL;
    x ^= x >> 33; x *= 0xc4ceb9fe1a85ec53ULL;
    return x ^ (x >> 33);
}

static void sample(struct field *f, int n)
{
    for (int i = 0; i < f->lx; i++) {
        int gi = f->rank * f->lx + i;
        double half = 0.05 * f->ny + 0.1 * gi;
        for (int j = 0; j < f->ny; j++) {
            size_t c = (size_t)i * f->ny + j;
            double eta = (j - 0.5 * f->ny) / half;
            double u = exp(-0.69 * eta * eta);
            double r = (double)(mix64(((unsigned long long)gi << 40) ^ ((unsigned long long)j << 20) ^ n) >> 11) / 9007199254740992.0;
            double v = u * (1.0 + 0.25 * (r - 0.5));
            f->m[0][c] += v;
            f->m[1][c] += v * v;
            f->m[2][c] += v * v * v;
            f->m[3][c] += v * v * v * v;
        }
    }
}

static void label(hid_t obj, const char *name, double value)
{
    hid_t s = H5Screate(H5S_SCALAR);
    hid_t a = H5Acreate2(obj, name, H5T_NATIVE_DOUBLE, s, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(a, H5T_NATIVE_DOUBLE, &value);
    H5Aclose(a);
    H5Sclose(s);
}

static void save(const struct field *f, int samples)
{
    hid_t fapl = H5Pcreate(H5P_FILE_ACCESS), dxpl = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_fapl_mpio(fapl, MPI_COMM_WORLD, MPI_INFO_NULL);
    H5Pset_dxpl_mpio(dxpl, H5FD_MPIO_COLLECTIVE);
    hid_t file = H5Fcreate("jet.h5", H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
    hsize_t dims[2] = { f->nx, f->ny }, cnt[2] = { f->lx, f->ny }, off[2] = { f->rank * f->lx, 0 };
    hid_t space = H5Screate_simple(2, dims, NULL), mem = H5Screate_simple(2, cnt, NULL);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, off, NULL, cnt, NULL);
    for (int k = 0; k < NMOM; k++) {
        hid_t d = H5Dcreate2(file, moment_name[k], H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        H5Dwrite(d, H5T_NATIVE_DOUBLE, mem, space, dxpl, f->m[k]);
        label(d, "order", k + 1);
        label(d, "samples", samples);
        H5Dclose(d);
    }
    H5Sclose(mem); H5Sclose(space);
    H5Fclose(file);
    H5Pclose(dxpl); H5Pclose(fapl);
}

int main(int argc, char **argv)
{
    struct field f;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &f.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &f.nproc);
    int samples = argc > 1 ? atoi(argv[1]) : 400;
    f.lx = (argc > 2 ? atoi(argv[2]) : 600) / f.nproc;
    f.nx = f.lx * f.nproc;
    f.ny = 600;
    for (int k = 0; k < NMOM; k++) f.m[k] = calloc((size_t)f.lx * f.ny, sizeof(double));
    for (int n = 0; n < samples; n++) sample(&f, n);
    double s[NMOM], all[NMOM];
    for (int k = 0; k < NMOM; k++) {
        s[k] = 0;
        for (size_t c = 0; c < (size_t)f.lx * f.ny; c++) { f.m[k][c] /= samples; s[k] += f.m[k][c]; }
    }
    save(&f, samples);
    MPI_Reduce(s, all, NMOM, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (f.rank == 0) {
        FILE *o = fopen("moments.txt", "w");
        for (int k = 0; k < NMOM; k++) fprintf(o, "%s %.8f\n", moment_name[k], all[k]);
        fclose(o);
        printf("samples %d moments %.6f %.6f %.6f %.6f\n", samples, all[0], all[1], all[2], all[3]);
    }
    for (int k = 0; k < NMOM; k++) free(f.m[k]);
    MPI_Finalize();
    return 0;
}
