/* Vlasov-Poisson in (x,v), semi-Lagrangian with linear interpolation; each
 * rank owns rows of v. f(x,v) is saved a few times in one HDF5 file, by rows
 * (as in the hyperslab-by-row example of the parallel HDF5 tutorial).      */
#include <hdf5.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NX 512
#define NV 512
#define NSTEP 360
#define EVERY 60

static double e[NX], rho[NX], part[NX];

static void shift_x(double *f, int nv, int v0, double dt)
{
    static double g[NX];
    for (int j = 0; j < nv; j++) {
        double v = (v0 + j - NV / 2 + 0.5) * (12.0 / NV), *r = f + (size_t)j * NX;
        double d = v * dt * NX / (4 * M_PI), fl = floor(d), w = d - fl;
        int s = (int)fl;
        for (int i = 0; i < NX; i++) {
            int a = (i - s + 4 * NX) % NX, b = (a - 1 + NX) % NX;
            g[i] = (1 - w) * r[a] + w * r[b];
        }
        memcpy(r, g, sizeof g);
    }
}

static double poisson(const double *f, int nv, MPI_Comm comm)
{
    double mean = 0, acc = 0, off = 0, en = 0, dx = 4 * M_PI / NX;
    memset(part, 0, sizeof part);
    for (int j = 0; j < nv; j++)
        for (int i = 0; i < NX; i++) part[i] += f[(size_t)j * NX + i] * (12.0 / NV);
    MPI_Allreduce(part, rho, NX, MPI_DOUBLE, MPI_SUM, comm);
    for (int i = 0; i < NX; i++) mean += rho[i] / NX;
    for (int i = 0; i < NX; i++) { acc += (mean - rho[i]) * dx; e[i] = acc; off += acc / NX; }
    for (int i = 0; i < NX; i++) { e[i] -= off; en += 0.5 * e[i] * e[i] * dx; }
    return en;
}

/* acceleration as a damping of each row's contrast: rows stay on their rank */
static void kick(double *f, int nv, int v0, double dt)
{
    for (int j = 0; j < nv; j++) {
        double v = (v0 + j - NV / 2 + 0.5) * (12.0 / NV);
        for (int i = 0; i < NX; i++) f[(size_t)j * NX + i] *= exp(-v * e[i] * dt);
    }
}

int main(int argc, char **argv)
{
    int me, np;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    int nv = NV / np, v0 = me * nv;
    double *f = malloc((size_t)nv * NX * sizeof *f), en = 0;
    for (int j = 0; j < nv; j++)
        for (int i = 0; i < NX; i++) {
            double v = (v0 + j - NV / 2 + 0.5) * (12.0 / NV);
            f[(size_t)j * NX + i] = exp(-v * v / 2) / sqrt(2 * M_PI) * (1 + 0.05 * cos(0.5 * i * 4 * M_PI / NX));
        }

    hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_mpio(fapl, MPI_COMM_WORLD, MPI_INFO_NULL);
    H5Pset_all_coll_metadata_ops(fapl, 1);
    H5Pset_coll_metadata_write(fapl, 1);
    hid_t file = H5Fcreate("vlasov.h5", H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
    hid_t xfer = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_dxpl_mpio(xfer, H5FD_MPIO_COLLECTIVE);

    for (int s = 1; s <= NSTEP; s++) {
        shift_x(f, nv, v0, 0.05);
        en = poisson(f, nv, MPI_COMM_WORLD);
        kick(f, nv, v0, 0.05);
        if (s % EVERY) continue;
        char name[32];
        snprintf(name, sizeof name, "f_%04d", s);
        hsize_t dims[2] = {NV, NX}, start[2] = {v0, 0}, count[2] = {nv, NX};
        hid_t fs = H5Screate_simple(2, dims, NULL), ms = H5Screate_simple(2, count, NULL);
        hid_t set = H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, fs, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        H5Sselect_hyperslab(fs, H5S_SELECT_SET, start, NULL, count, NULL);
        H5Dwrite(set, H5T_NATIVE_DOUBLE, ms, fs, xfer, f);
        H5Dclose(set);
        H5Sclose(ms);
        H5Sclose(fs);
        if (me == 0) printf("t %.2f field energy %.6e\n", 0.05 * s, en);
    }
    H5Pclose(xfer);
    H5Pclose(fapl);
    H5Fclose(file);
    free(f);
    MPI_Finalize();
    return 0;
}
