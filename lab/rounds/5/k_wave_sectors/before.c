/* Spectral wave model at coastal points, split by directional sector: significant wave
 * height, mean period and spread of each sector are kept for restart in one file. */
#include <mpi.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

typedef struct {
    hsize_t npts, nsec, sec0, nloc;
    double *height, *period, *spread;
} WaveGrid;

static void init_grid(WaveGrid *g, int rank, int size, hsize_t npts, hsize_t nsec)
{
    g->npts = npts;
    g->nsec = nsec;
    g->sec0 = nsec * rank / size;
    g->nloc = nsec * (rank + 1) / size - g->sec0;
    size_t cells = npts * g->nloc;
    g->height = malloc(cells * sizeof(double));
    g->period = malloc(cells * sizeof(double));
    g->spread = malloc(cells * sizeof(double));
    for (size_t i = 0; i < cells; i++) {
        g->height[i] = 1.0 + 0.001 * (i % 700);
        g->period[i] = 8.0;
        g->spread[i] = 0.01 * (i % 628);
    }
}

static double propagate(WaveGrid *g, double wind)
{
    double energy = 0;
    for (hsize_t j = 0; j < g->npts; j++)
        for (hsize_t i = 0; i < g->nloc; i++) {
            size_t c = j * g->nloc + i;
            double growth = 0.01 * (wind - g->height[c]);
            g->height[c] += growth;
            g->period[c] = 3.86 * sqrt(g->height[c]) + 2.0;
            g->spread[c] += 0.002 * growth;
            energy += g->height[c] * g->height[c];
        }
    double all;
    MPI_Allreduce(&energy, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all / (g->npts * g->nsec);
}

static void store_field(hid_t group, const char *name, const WaveGrid *g, const double *field)
{
    hsize_t dims[2] = { g->npts, g->nsec }, local[2] = { g->npts, g->nloc };
    hsize_t start[2] = { 0, g->sec0 };
    hid_t fspace = H5Screate_simple(2, dims, NULL);
    hid_t mspace = H5Screate_simple(2, local, NULL);
    hid_t set = H5Dcreate2(group, name, H5T_NATIVE_DOUBLE, fspace, H5P_DEFAULT, H5P_DEFAULT,
                           H5P_DEFAULT);
    H5Sselect_hyperslab(fspace, H5S_SELECT_SET, start, NULL, local, NULL);
    H5Dwrite(set, H5T_NATIVE_DOUBLE, mspace, fspace, H5P_DEFAULT, field);
    H5Dclose(set);
    H5Sclose(mspace);
    H5Sclose(fspace);
}

static void store_restart(hid_t file, const WaveGrid *g, int step)
{
    char name[32];
    snprintf(name, sizeof name, "restart_%02d", step);
    hid_t group = H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    store_field(group, "hs", g, g->height);
    store_field(group, "tm", g, g->period);
    store_field(group, "spread", g, g->spread);
    H5Gclose(group);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int restarts = argc > 1 ? atoi(argv[1]) : 3;
    hsize_t npts = argc > 2 ? (hsize_t)atol(argv[2]) : 60000;

    WaveGrid grid;
    init_grid(&grid, rank, size, npts, 16);
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
    hid_t file = H5Fcreate("wave_restart.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
    for (int s = 0; s < restarts; s++) {
        double e = propagate(&grid, 3.0 + 0.5 * s);
        store_restart(file, &grid, s);
        if (rank == 0)
            printf("restart %d  mean energy %.5f\n", s, e);
    }
    H5Fclose(file);
    free(grid.height);
    free(grid.period);
    free(grid.spread);
    MPI_Finalize();
    return 0;
}
