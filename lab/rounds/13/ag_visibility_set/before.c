/* Interferometer simulator: visibilities of a few point sources.
 * 27 antennas, 351 baselines, 4 channels.  The baselines are dealt out to the
 * ranks like cards (0, 1, 0, 1 ...), so that every rank has long and short
 * ones.  Output: vis.h5, /vis [time][baseline][channel] (re, im).
 *
 * usage: mpirun -n 2 vis BLOCKS     (a block is 200 integrations)
 */
#include <hdf5.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define NANT 27
#define NBASE (NANT * (NANT - 1) / 2)
#define NCHAN 4
#define NINT 200
#define NSRC 2

static double bx[NBASE], by[NBASE], bz[NBASE];
static double sl[NSRC], sm[NSRC], sflux[NSRC];

static void layout(void)
{
    double x[NANT], y[NANT], z[NANT];
    for (int a = 0; a < NANT; a++) {           /* Y-shaped array, three arms */
        double arm = 2 * M_PI * (a % 3) / 3 + 0.1, r = 40 * pow(1 + a / 3, 1.7);
        x[a] = r * cos(arm); y[a] = r * sin(arm); z[a] = 0.01 * r;
    }
    for (int a = 0, b = 0; a < NANT; a++)
        for (int c = a + 1; c < NANT; c++, b++) {
            bx[b] = x[c] - x[a]; by[b] = y[c] - y[a]; bz[b] = z[c] - z[a];
        }
    for (int s = 0; s < NSRC; s++) {
        sl[s] = 1e-3 * sin(2.1 * s + 1); sm[s] = 1e-3 * cos(3.7 * s);
        sflux[s] = 2.0 / (1 + s);
    }
}

/* visibilities of one baseline at one time, all channels */
static void visibility(int b, double hour, float *out)
{
    double h = hour * M_PI / 12, dec = 0.6;
    double u = sin(h) * bx[b] + cos(h) * by[b];
    double v = -sin(dec) * cos(h) * bx[b] + sin(dec) * sin(h) * by[b] + cos(dec) * bz[b];
    for (int c = 0; c < NCHAN; c++) {
        double lambda = 0.21 / (1 + 0.002 * c), re = 0, im = 0;
        for (int s = 0; s < NSRC; s++) {
            double phase = 2 * M_PI * (u * sl[s] + v * sm[s]) / lambda;
            re += sflux[s] * cos(phase);
            im += sflux[s] * sin(phase);
        }
        out[2 * c] = re; out[2 * c + 1] = im;
    }
}

static void put_block(hid_t set, hid_t xfer, int block, int rank, int size, int mine, const float *vis)
{
    hsize_t start[3] = { (hsize_t)block * NINT, rank, 0 }, stride[3] = { 1, size, 1 };
    hsize_t count[3] = { NINT, mine, 1 }, width[3] = { 1, 1, 2 * NCHAN };
    hsize_t dims[3] = { NINT, mine, 2 * NCHAN };
    hid_t file_space = H5Dget_space(set), mem_space = H5Screate_simple(3, dims, NULL);
    H5Sselect_hyperslab(file_space, H5S_SELECT_SET, start, stride, count, width);
    H5Dwrite(set, H5T_NATIVE_FLOAT, mem_space, file_space, xfer, vis);
    H5Sclose(mem_space);
    H5Sclose(file_space);
}

int main(int argc, char **argv)
{
    int rank, size, blocks = argc > 1 ? atoi(argv[1]) : 40;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    layout();
    int mine = (NBASE - rank + size - 1) / size;
    float *vis = malloc(sizeof(float) * NINT * mine * 2 * NCHAN);

    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
    hid_t file = H5Fcreate("vis.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    hsize_t dims[3] = { (hsize_t)blocks * NINT, NBASE, 2 * NCHAN };
    hid_t space = H5Screate_simple(3, dims, NULL);
    hid_t set = H5Dcreate(file, "vis", H5T_NATIVE_FLOAT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    hid_t xfer = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_dxpl_mpio(xfer, H5FD_MPIO_INDEPENDENT);

    double power = 0, total = 0;
    for (int block = 0; block < blocks; block++) {
        for (int t = 0; t < NINT; t++)
            for (int k = 0; k < mine; k++)
                visibility(rank + k * size, (block * NINT + t) * 0.002, vis + (t * mine + k) * 2 * NCHAN);
        for (int i = 0; i < NINT * mine * 2 * NCHAN; i++) power += vis[i] * vis[i];
        put_block(set, xfer, block, rank, size, mine, vis);
    }
    H5Pclose(xfer); H5Sclose(space); H5Dclose(set); H5Pclose(access); H5Fclose(file);
    MPI_Reduce(&power, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d integrations, mean power %.6f\n", blocks * NINT, total / ((double)blocks * NINT * NBASE * NCHAN));
    free(vis);
    MPI_Finalize();
    return 0;
}
