/* Eddy covariance over a meadow: 10 Hz wind, temperature and water vapour are
 * cut into averaging blocks, rotated into the mean wind and turned into
 * fluxes; the raw series and the results of the blocks go into one HDF5 file. */
#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK 600                     /* samples per averaging block */
enum { USTAR, TAU, HEAT, VAPOUR, TKE, NRES };
static const char *res_name[NRES] = {"ustar", "tau", "H", "LE", "tke"};

typedef struct { double u, v, w, t, q; } sample;
typedef struct {
    hid_t file, raw;
    long nblocks;
    double *res;
} archive;

static double gauss(unsigned *s)
{
    double a = 0;
    for (int k = 0; k < 4; k++) {
        *s = *s * 1664525u + 1013904223u;
        a += (*s >> 8) / 16777216.0;
    }
    return (a - 2.0) * 1.732;
}

/* first-order autoregressive turbulence with a daily cycle */
static void measure(sample *x, long n, unsigned *seed)
{
    static double eu, ev, ew;
    static long clock;
    for (long i = 0; i < n; i++, clock++) {
        double day = sin(clock * 2e-6);
        eu = 0.95 * eu + 0.25 * gauss(seed);
        ev = 0.95 * ev + 0.22 * gauss(seed);
        ew = 0.90 * ew - 0.04 * eu + 0.12 * gauss(seed);
        x[i].u = 3.0 + day + eu;
        x[i].v = 0.4 + ev;
        x[i].w = 0.05 + ew;
        x[i].t = 15 + 6 * day + 0.5 * ew * (0.3 + day) + 0.2 * gauss(seed);
        x[i].q = 9 + 0.3 * ew + 0.1 * gauss(seed);
    }
}

static void archive_open(archive *a, const char *path, long nblocks)
{
    hsize_t dims[2] = {(hsize_t)nblocks * BLOCK, 5};
    hid_t space = H5Screate_simple(2, dims, NULL);
    a->file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    a->raw = H5Dcreate2(a->file, "sonic", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    a->nblocks = nblocks;
    a->res = malloc(nblocks * NRES * sizeof(double));
    H5Sclose(space);
}

static void archive_raw(archive *a, long b, const sample *x)
{
    hsize_t start[2] = {(hsize_t)b * BLOCK, 0}, count[2] = {BLOCK, 5};
    hid_t fspace = H5Dget_space(a->raw), mspace = H5Screate_simple(2, count, NULL);
    H5Sselect_hyperslab(fspace, H5S_SELECT_SET, start, NULL, count, NULL);
    H5Dwrite(a->raw, H5T_NATIVE_DOUBLE, mspace, fspace, H5P_DEFAULT, x);
    H5Sclose(mspace);
    H5Sclose(fspace);
}

static void archive_result(archive *a, long b, const double *res)
{
    memcpy(a->res + b * NRES, res, NRES * sizeof *res);
}

static void archive_close(archive *a)
{
    hsize_t dims[2] = {(hsize_t)a->nblocks, NRES};
    hid_t space = H5Screate_simple(2, dims, NULL);
    hid_t d = H5Dcreate2(a->file, "results", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, a->res);
    H5Dclose(d);
    H5Sclose(space);
    free(a->res);
    H5Dclose(a->raw);
    H5Fclose(a->file);
}

static void fluxes(const sample *x, double *res)
{
    double m[5] = {0}, uw = 0, vw = 0, wt = 0, wq = 0, k2 = 0;
    for (int i = 0; i < BLOCK; i++) {
        m[0] += x[i].u; m[1] += x[i].v; m[2] += x[i].w; m[3] += x[i].t; m[4] += x[i].q;
    }
    for (int k = 0; k < 5; k++)
        m[k] /= BLOCK;
    double yaw = atan2(m[1], m[0]), c = cos(yaw), s = sin(yaw);
    for (int i = 0; i < BLOCK; i++) {
        double du = x[i].u - m[0], dv = x[i].v - m[1], w = x[i].w - m[2];
        double u = c * du + s * dv, v = c * dv - s * du;
        uw += u * w; vw += v * w;
        wt += w * (x[i].t - m[3]); wq += w * (x[i].q - m[4]);
        k2 += u * u + v * v + w * w;
    }
    res[USTAR] = pow((uw * uw + vw * vw) / ((double)BLOCK * BLOCK), 0.25);
    res[TAU] = 1.2 * res[USTAR] * res[USTAR];
    res[HEAT] = 1.2 * 1005 * wt / BLOCK;
    res[VAPOUR] = 2450 * wq / BLOCK;
    res[TKE] = 0.5 * k2 / BLOCK;
}

int main(int argc, char **argv)
{
    long nblocks = argc > 1 ? atol(argv[1]) : 1800;
    unsigned seed = 77;
    double res[NRES], sum[NRES] = {0};
    sample *x = malloc(BLOCK * sizeof *x);
    archive ar;
    archive_open(&ar, "tower.h5", nblocks);
    for (long b = 0; b < nblocks; b++) {
        measure(x, BLOCK, &seed);
        fluxes(x, res);
        archive_raw(&ar, b, x);
        archive_result(&ar, b, res);
        for (int k = 0; k < NRES; k++)
            sum[k] += res[k];
    }
    archive_close(&ar);
    for (int k = 0; k < NRES; k++)
        printf("%-6s %12.6f\n", res_name[k], sum[k] / nblocks);
    free(x);
    return 0;
}
