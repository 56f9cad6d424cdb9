/*
 * Crystal orientations in a polycrystal: grains (seeds) of a Voronoi tiling get
 * random rotations; for each pixel of a section the misorientation to
 * the sheet normal is stored.  The scan follows the EBSD stage: pixels of a line
 * are visited alternately by the ranks (pairs of pixels), which balances grains
 * of different size.
 */
#include <hdf5.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define PAIR 2
static int rank, ranks;

typedef struct { double x, y, q[4]; } grain;

static double unit(unsigned *s)
{
    *s = *s * 1664525u + 1013904223u;
    return (*s >> 8) / 16777216.0;
}

static grain *tiling(int ngrains)
{
    unsigned s = 20240u;
    grain *g = malloc(ngrains * sizeof *g);
    for (int i = 0; i < ngrains; i++) {
        double u1 = unit(&s), u2 = 2 * M_PI * unit(&s), u3 = 2 * M_PI * unit(&s);
        g[i].x = unit(&s); g[i].y = unit(&s);
        g[i].q[0] = sqrt(1 - u1) * sin(u2); g[i].q[1] = sqrt(1 - u1) * cos(u2);
        g[i].q[2] = sqrt(u1) * sin(u3);     g[i].q[3] = sqrt(u1) * cos(u3);
    }
    return g;
}

/* smallest angle between a crystal <100> axis and the sheet normal, degrees */
static float tilt(const double q[4])
{
    double r31 = 2 * (q[0] * q[2] - q[3] * q[1]), r32 = 2 * (q[1] * q[2] + q[3] * q[0]);
    double r33 = 1 - 2 * (q[0] * q[0] + q[1] * q[1]);
    double m = fmax(fabs(r31), fmax(fabs(r32), fabs(r33)));
    return (float)(acos(fmin(m, 1.0)) * 180 / M_PI);
}

static void scan_line(const grain *g, int ngrains, int n, int y, float *mine)
{
    for (int k = 0; k < n / ranks; k++) {
        int x = (k / PAIR * ranks + rank) * PAIR + k % PAIR, best = 0;
        double px = (x + 0.5) / n, py = (y + 0.5) / n, d2 = 9;
        for (int i = 0; i < ngrains; i++) {
            double dx = g[i].x - px, dy = g[i].y - py, d = dx * dx + dy * dy;
            if (d < d2) { d2 = d; best = i; }
        }
        mine[k] = tilt(g[best].q) + 0.2f * (float)sin(37.0 * px + 91.0 * py);
    }
}

static void store(hid_t set, const float *block, int n, int first, int rows)
{
    hsize_t start[2] = { first, (hsize_t)rank * PAIR }, stride[2] = { 1, (hsize_t)ranks * PAIR };
    hsize_t count[2] = { rows, n / PAIR / ranks }, size[2] = { 1, PAIR };
    hsize_t len[2] = { rows, n / ranks };
    hid_t file = H5Dget_space(set), mem = H5Screate_simple(2, len, NULL);
    H5Sselect_hyperslab(file, H5S_SELECT_SET, start, stride, count, size);
    hid_t how = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_dxpl_mpio(how, H5FD_MPIO_INDEPENDENT);
    H5Dwrite(set, H5T_NATIVE_FLOAT, mem, file, how, block);
    H5Pclose(how);
    H5Sclose(mem);
    H5Sclose(file);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1280;
    int ngrains = argc > 2 ? atoi(argv[2]) : 60;
    int rows = 256;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);

    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
    hid_t file = H5Fcreate("section.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    hsize_t dims[2] = { n, n };
    hid_t space = H5Screate_simple(2, dims, NULL);
    hid_t set = H5Dcreate2(file, "tilt", H5T_NATIVE_FLOAT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);

    grain *g = tiling(ngrains);
    float *block = malloc((size_t)rows * (n / ranks) * sizeof *block);
    double sum = 0, all = 0;
    for (int y = 0; y < n; y += rows) {
        for (int r = 0; r < rows; r++) {
            scan_line(g, ngrains, n, y + r, block + (size_t)r * (n / ranks));
            for (int k = 0; k < n / ranks; k++) sum += block[(size_t)r * (n / ranks) + k];
        }
        store(set, block, n, y, rows);
    }
    H5Dclose(set); H5Sclose(space); H5Pclose(access); H5Fclose(file);
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("mean tilt %.4f degrees over %d x %d pixels\n", all / n / n, n, n);
    free(block); free(g);
    MPI_Finalize();
    return 0;
}
