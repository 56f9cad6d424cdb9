/* Small N-body run with Gadget-like snapshots: one HDF5 file a snapshot with
 * a Header group (attributes) and PartType1 blocks, written in parallel. */
#include <hdf5.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size, ntot, nown;
static float *pos, *vel, *acc; /* pos of everybody, the rest mine */

static void allocate(int n)
{
    ntot = n - n % size;
    nown = ntot / size;
    pos = malloc(ntot * 3 * sizeof *pos);
    vel = calloc(nown * 3, sizeof *vel);
    acc = malloc(nown * 3 * sizeof *acc);
    unsigned s = 1;
    for (int i = 0; i < 3 * ntot; ++i) {
        s = s * 1664525u + 1013904223u;
        pos[i] = (s >> 8) / 16777216.0f;
    }
}

static void forces(void)
{
    const float eps2 = 1e-3f;
    for (int i = 0; i < nown; ++i) {
        const float *p = pos + 3 * (rank * nown + i);
        float ax = 0, ay = 0, az = 0;
        for (int j = 0; j < ntot; ++j) {
            float dx = pos[3 * j] - p[0], dy = pos[3 * j + 1] - p[1], dz = pos[3 * j + 2] - p[2];
            float r2 = dx * dx + dy * dy + dz * dz + eps2;
            float w = 1.0f / (r2 * sqrtf(r2));
            ax += w * dx;
            ay += w * dy;
            az += w * dz;
        }
        acc[3 * i] = ax / ntot;
        acc[3 * i + 1] = ay / ntot;
        acc[3 * i + 2] = az / ntot;
    }
}

static void drift_kick(float dt)
{
    float *mine = pos + 3 * rank * nown;
    for (int i = 0; i < 3 * nown; ++i) {
        vel[i] += dt * acc[i];
        mine[i] += dt * vel[i];
    }
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, pos, 3 * nown, MPI_FLOAT, MPI_COMM_WORLD);
}

static void attribute(hid_t loc, const char *name, hid_t type, const void *value)
{
    hid_t s = H5Screate(H5S_SCALAR);
    hid_t a = H5Acreate2(loc, name, type, s, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(a, type, value);
    H5Aclose(a);
    H5Sclose(s);
}

static void block(hid_t loc, const char *name, hid_t type, int cols, const void *data)
{
    hsize_t dims[2] = {ntot, cols}, start[2] = {(hsize_t)rank * nown, 0}, count[2] = {nown, cols};
    hid_t space = H5Screate_simple(cols > 1 ? 2 : 1, dims, NULL);
    hid_t mem = H5Screate_simple(cols > 1 ? 2 : 1, count, NULL);
    hid_t d = H5Dcreate2(loc, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    hid_t dx = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_dxpl_mpio(dx, H5FD_MPIO_COLLECTIVE);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
    H5Dwrite(d, type, mem, space, dx, data);
    H5Pclose(dx);
    H5Dclose(d);
    H5Sclose(mem);
    H5Sclose(space);
}

static void snapshot(int number, double time)
{
    char name[64];
    int files = 1;
    double mass = 1.0 / ntot;
    snprintf(name, sizeof name, "snapshot_%03d.hdf5", number);
    hid_t fa = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_mpio(fa, MPI_COMM_WORLD, MPI_INFO_NULL);
    hid_t f = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, fa);
    hid_t g = H5Gcreate2(f, "Header", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    attribute(g, "NumPart_Total", H5T_NATIVE_INT, &ntot);
    attribute(g, "NumFilesPerSnapshot", H5T_NATIVE_INT, &files);
    attribute(g, "Time", H5T_NATIVE_DOUBLE, &time);
    attribute(g, "MassTable", H5T_NATIVE_DOUBLE, &mass);
    H5Gclose(g);
    long long *id = malloc(nown * sizeof *id);
    for (int i = 0; i < nown; ++i) id[i] = (long long)rank * nown + i + 1;
    g = H5Gcreate2(f, "PartType1", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    block(g, "Coordinates", H5T_NATIVE_FLOAT, 3, pos + 3 * rank * nown);
    block(g, "Velocities", H5T_NATIVE_FLOAT, 3, vel);
    block(g, "ParticleIDs", H5T_NATIVE_LLONG, 1, id);
    free(id);
    H5Gclose(g);
    H5Fclose(f);
    H5Pclose(fa);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    allocate(argc > 1 ? atoi(argv[1]) : 4000);
    int steps = argc > 2 ? atoi(argv[2]) : 12, every = argc > 3 ? atoi(argv[3]) : 4;
    for (int s = 1; s <= steps; ++s) {
        forces();
        drift_kick(0.01f);
        if (s % every == 0) snapshot(s / every, 0.01 * s);
    }
    double e = 0, total;
    for (int i = 0; i < 3 * nown; ++i) e += 0.5 * vel[i] * vel[i] / ntot;
    MPI_Reduce(&e, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("%d particles, %d snapshots, kinetic energy %.6e\n", ntot, steps / every, total);
    MPI_Finalize();
    return 0;
}
