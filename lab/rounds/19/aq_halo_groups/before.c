/* Halo finder output in the style of a Gadget/Subfind catalogue: one HDF5
 * group for each halo with its member ids and positions, parallel file. */
#include <hdf5.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct { int n; double mass, centre[3]; } halo;

static int rank, size;

static int members(int h) { return 20 + (h * 37) % 90; }

static void make_halo(int h, halo *o)
{
    o->n = members(h);
    o->mass = o->n * 8.6e8;
    for (int d = 0; d < 3; ++d) o->centre[d] = fmod(h * (13.7 + 5.1 * d), 100.0);
}

/* positions of the members k0..k1 of halo h */
static void fill(int h, const halo *o, int k0, int k1, float *pos, long long *id)
{
    for (int k = k0; k < k1; ++k) {
        double r = 0.02 * (1 + k % 17), a = 0.37 * k;
        pos[3 * (k - k0)] = o->centre[0] + r * cos(a);
        pos[3 * (k - k0) + 1] = o->centre[1] + r * sin(a);
        pos[3 * (k - k0) + 2] = o->centre[2] + 0.1 * r;
        id[k - k0] = 1000LL * h + k;
    }
}

static void write_part(hid_t loc, const char *name, hid_t type, int cols, int n, int k0, int k1,
                       const void *data)
{
    hsize_t dims[2] = {n, cols}, start[2] = {k0, 0}, count[2] = {k1 - k0, cols};
    hid_t space = H5Screate_simple(cols > 1 ? 2 : 1, dims, NULL);
    hid_t d = H5Dcreate2(loc, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
    hid_t mem = H5Screate_simple(cols > 1 ? 2 : 1, count, NULL);
    hid_t dx = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_dxpl_mpio(dx, H5FD_MPIO_COLLECTIVE);
    H5Dwrite(d, type, mem, space, dx, data);
    H5Pclose(dx);
    H5Sclose(mem);
    H5Dclose(d);
    H5Sclose(space);
}

static void write_catalogue(const char *path, int nhalo)
{
    hid_t fa = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_mpio(fa, MPI_COMM_WORLD, MPI_INFO_NULL);
    hid_t f = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, fa);
    float *pos = malloc(128 * 3 * sizeof *pos);
    long long *id = malloc(128 * sizeof *id);
    for (int h = 0; h < nhalo; ++h) {
        halo o;
        char name[32];
        make_halo(h, &o);
        int k0 = o.n * rank / size, k1 = o.n * (rank + 1) / size;
        fill(h, &o, k0, k1, pos, id);
        snprintf(name, sizeof name, "Halo_%06d", h);
        hid_t g = H5Gcreate2(f, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        write_part(g, "Coordinates", H5T_NATIVE_FLOAT, 3, o.n, k0, k1, pos);
        write_part(g, "ParticleIDs", H5T_NATIVE_LLONG, 1, o.n, k0, k1, id);
        H5Gclose(g);
    }
    free(pos);
    free(id);
    H5Fclose(f);
    H5Pclose(fa);
}

/* rank 0 reads everything back */
static void verify(const char *path, int nhalo)
{
    hid_t f = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    double sum = 0;
    long long ids = 0, total = 0;
    float pos[128 * 3];
    long long id[128];
    for (int h = 0; h < nhalo; ++h) {
        char name[48];
        int n = members(h);
        snprintf(name, sizeof name, "Halo_%06d/Coordinates", h);
        hid_t d = H5Dopen2(f, name, H5P_DEFAULT);
        H5Dread(d, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, pos);
        H5Dclose(d);
        snprintf(name, sizeof name, "Halo_%06d/ParticleIDs", h);
        d = H5Dopen2(f, name, H5P_DEFAULT);
        H5Dread(d, H5T_NATIVE_LLONG, H5S_ALL, H5S_ALL, H5P_DEFAULT, id);
        H5Dclose(d);
        for (int k = 0; k < n; ++k) {
            sum += pos[3 * k] + pos[3 * k + 1] - pos[3 * k + 2];
            ids += id[k] % 9973;
        }
        total += n;
    }
    H5Fclose(f);
    printf("%d halos, %lld members, position sum %.4f, id check %lld\n", nhalo, total, sum, ids);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int nhalo = argc > 1 ? atoi(argv[1]) : 500;
    write_catalogue("halos.h5", nhalo);
    if (rank == 0) verify("halos.h5", nhalo);
    MPI_Finalize();
    return 0;
}
