/* Acoustic wave propagation in a layered crust, many shots at once.
 *
 * The shots are dealt out to the ranks like cards (shot s belongs to rank s mod n).
 * For each shot a one-dimensional wave equation is solved along depth; the
 * section time x shot of the surface pressure is stored in one HDF5 file.
 */
#include <hdf5.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define NZ 400
#define DZ 10.0         /* m */
#define DT 0.001        /* s */

static int rank, nranks;

/* velocity of the layers, with a lateral trend along the shot line */
static double velocity(int z, int shot, int nshots)
{
    static const double top[] = {0, 300, 900, 1700, 2600};
    static const double v[] = {1500, 2100, 2600, 3400, 4300};
    double depth = z * DZ + 120.0 * sin(2.0 * M_PI * shot / nshots);
    int k = 0;
    while (k < 4 && depth >= top[k + 1])
        k++;
    return v[k];
}

static double ricker(double t)
{
    double a = M_PI * 12.0 * (t - 0.09);
    return (1 - 2 * a * a) * exp(-a * a);
}

static void one_shot(int shot, int nshots, int nt, float *trace, int nloc)
{
    double p0[NZ] = {0}, p1[NZ] = {0}, p2[NZ], c2[NZ];
    for (int z = 0; z < NZ; z++) {
        double c = velocity(z, shot, nshots) * DT / DZ;
        c2[z] = c * c;
    }
    for (int t = 0; t < nt; t++) {
        for (int z = 1; z < NZ - 1; z++)
            p2[z] = 2 * p1[z] - p0[z] + c2[z] * (p1[z + 1] - 2 * p1[z] + p1[z - 1]);
        p2[2] += ricker(t * DT) * 0.1;
        p2[0] = p2[1];
        p2[NZ - 1] = p1[NZ - 2];
        for (int z = 0; z < NZ; z++) {
            p0[z] = p1[z];
            p1[z] = p2[z];
        }
        trace[(size_t)t * nloc + shot / nranks] = (float)p1[1];
    }
}

static void store(hid_t file, const char *name, const float *a, int nt, int nshots, int nloc)
{
    hsize_t dims[2] = {nt, nshots}, mdims[2] = {nt, nloc};
    hsize_t start[2] = {0, rank}, stride[2] = {1, nranks}, count[2] = {nt, nloc};
    hid_t fs = H5Screate_simple(2, dims, NULL), ms = H5Screate_simple(2, mdims, NULL);
    hid_t ds = H5Dcreate2(file, name, H5T_NATIVE_FLOAT, fs, H5P_DEFAULT, H5P_DEFAULT,
                          H5P_DEFAULT);
    H5Sselect_hyperslab(fs, H5S_SELECT_SET, start, stride, count, NULL);
    hid_t xfer = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_dxpl_mpio(xfer, H5FD_MPIO_COLLECTIVE);
    H5Dwrite(ds, H5T_NATIVE_FLOAT, ms, fs, xfer, a);
    H5Pclose(xfer);
    H5Dclose(ds);
    H5Sclose(ms);
    H5Sclose(fs);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &nranks);
    int nshots = argc > 1 ? atoi(argv[1]) : 640;
    int nt = argc > 2 ? atoi(argv[2]) : 1500;
    int nloc = nshots / nranks;
    float *trace = malloc((size_t)nt * nloc * sizeof *trace);

    for (int s = rank; s < nshots; s += nranks)
        one_shot(s, nshots, nt, trace, nloc);
    double e = 0, total;
    for (size_t i = 0; i < (size_t)nt * nloc; i++)
        e += (double)trace[i] * trace[i];
    MPI_Reduce(&e, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);

    hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_mpio(fapl, MPI_COMM_WORLD, MPI_INFO_NULL);
    hid_t file = H5Fcreate("section.h5", H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
    store(file, "section", trace, nt, nshots, nloc);
    H5Fclose(file);
    H5Pclose(fapl);
    if (rank == 0)
        printf("shots %d  samples %d  energy %.6e\n", nshots, nt, total);
    free(trace);
    MPI_Finalize();
    return 0;
}
