/* 1-D elastic wave propagation; receivers recorded into a growing HDF5 gather. */
#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NCELL 20000
#define NREC 500
#define ROWS 64

typedef struct {
    hid_t file, dset;
    hsize_t nrow;
    int fill;
    float buf[ROWS][NREC];
} Gather;

static void gather_open(Gather *g, const char *name)
{
    hsize_t dims[2] = {0, NREC}, maxdims[2] = {H5S_UNLIMITED, NREC}, chunk[2] = {ROWS, NREC};
    g->file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t sp = H5Screate_simple(2, dims, maxdims);
    hid_t pl = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(pl, 2, chunk);
    g->dset = H5Dcreate2(g->file, "traces", H5T_NATIVE_FLOAT, sp, H5P_DEFAULT, pl, H5P_DEFAULT);
    H5Pclose(pl);
    H5Sclose(sp);
    g->nrow = 0;
    g->fill = 0;
}

static void gather_attribute(Gather *g, const char *key, double value)
{
    hid_t sp = H5Screate(H5S_SCALAR);
    hid_t at = H5Acreate2(g->dset, key, H5T_NATIVE_DOUBLE, sp, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(at, H5T_NATIVE_DOUBLE, &value);
    H5Aclose(at);
    H5Sclose(sp);
}

static void gather_flush(Gather *g)
{
    if (g->fill == 0)
        return;
    hsize_t start[2] = {g->nrow, 0}, count[2] = {(hsize_t)g->fill, NREC};
    hsize_t dims[2] = {g->nrow + g->fill, NREC};
    H5Dset_extent(g->dset, dims);
    hid_t fs = H5Dget_space(g->dset), ms = H5Screate_simple(2, count, NULL);
    H5Sselect_hyperslab(fs, H5S_SELECT_SET, start, NULL, count, NULL);
    H5Dwrite(g->dset, H5T_NATIVE_FLOAT, ms, fs, H5P_DEFAULT, g->buf);
    H5Sclose(ms);
    H5Sclose(fs);
    H5Fflush(g->file, H5F_SCOPE_LOCAL);
    g->nrow += g->fill;
    g->fill = 0;
}

static void gather_sample(Gather *g, const double *v)
{
    for (int r = 0; r < NREC; r++)
        g->buf[g->fill][r] = (float)v[(r * (NCELL / NREC)) + 7];
    if (++g->fill == ROWS)
        gather_flush(g);
}

static void advance(double *v, double *s, const double *mod, double dt)
{
    for (int i = 1; i < NCELL - 1; i++)
        v[i] += dt * (s[i + 1] - s[i]) / (1.0 + 0.1 * mod[i]);
    for (int i = 1; i < NCELL - 1; i++)
        s[i] += dt * mod[i] * (v[i] - v[i - 1]) - 1e-4 * s[i];
}

int main(int argc, char **argv)
{
    int nstep = argc > 1 ? atoi(argv[1]) : 10000;
    double *v = calloc(NCELL, sizeof(double)), *s = calloc(NCELL, sizeof(double));
    double *mod = malloc(sizeof(double) * NCELL);
    static Gather g;

    for (int i = 0; i < NCELL; i++)
        mod[i] = 1.0 + 0.3 * sin(i * 0.003) + (i > NCELL / 2 ? 0.4 : 0.0);
    gather_open(&g, "gather.h5");
    gather_attribute(&g, "dt", 0.5);
    gather_attribute(&g, "dx", 1.0);
    gather_attribute(&g, "source", NCELL / 3);
    for (int n = 0; n < nstep; n++) {
        double a = 0.05 * (n - 120);
        v[NCELL / 3] += (1.0 - 2.0 * a * a) * exp(-a * a);
        advance(v, s, mod, 0.5);
        if (n % 5 == 0)
            gather_sample(&g, v);
    }
    gather_flush(&g);
    H5Dclose(g.dset);
    H5Fclose(g.file);
    double e = 0.0;
    for (int i = 0; i < NCELL; i++)
        e += v[i] * v[i];
    printf("kinetic energy %.8e\n", e);
    return 0;
}
