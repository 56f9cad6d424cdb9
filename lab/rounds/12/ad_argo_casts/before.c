/* Quality control of Argo float profiles.
 * Each float delivers one cast (pressure, temperature, salinity) every ten
 * days; casts are checked for spikes and density inversions, and the good ones
 * go to the float archive in HDF5. */
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <hdf5.h>

#define NLEV    64
#define NVAR    3
#define ARCHIVE "floats.h5"

typedef struct { float v[NVAR][NLEV]; double lat, lon; } cast;

static unsigned long rs = 88172645463325252UL;
static double uni(void)
{
    rs ^= rs << 13; rs ^= rs >> 7; rs ^= rs << 17;
    return (rs >> 11) / 9007199254740992.0;
}
static double gauss(void) { return sqrt(-2 * log(uni() + 1e-300)) * cos(2 * M_PI * uni()); }

/* simplified UNESCO density anomaly, kg/m3 */
static double sigma(double t, double s)
{
    double rw = 999.842594 + t * (6.793952e-2 + t * (-9.09529e-3 + t * (1.001685e-4
              + t * (-1.120083e-6 + t * 6.536332e-9))));
    double a = 0.824493 + t * (-4.0899e-3 + t * (7.6438e-5 + t * (-8.2467e-7 + t * 5.3875e-9)));
    double b = -5.72466e-3 + t * (1.0227e-4 - t * 1.6546e-6);
    return rw + a * s + b * s * sqrt(s) + 4.8314e-4 * s * s - 1000;
}

static void receive_cast(cast *c, int cycle)
{
    double mld = 40 + 30 * cos(2 * M_PI * cycle / 36.5) + 5 * gauss();
    c->lat = 47 + 0.01 * cycle + 0.1 * gauss();
    c->lon = -32 + 0.1 * gauss();
    for (int k = 0; k < NLEV; k++) {
        double p = 2 + 2000.0 * pow((double)k / (NLEV - 1), 1.6);
        double th = p < mld ? 0 : (p - mld) / 400;
        c->v[0][k] = (float)p;
        c->v[1][k] = (float)(4 + 12 * exp(-th) + 0.004 * gauss());
        c->v[2][k] = (float)(34.9 + 0.8 * exp(-th) + 0.001 * gauss());
    }
    if (uni() < 0.08) c->v[1][(int)(uni() * NLEV)] += 6;
}

/* three-point spike test and density inversion test */
static int passes_qc(const cast *c)
{
    int bad = 0;
    for (int k = 1; k < NLEV - 1; k++) {
        double a = c->v[1][k - 1], b = c->v[1][k], d = c->v[1][k + 1];
        if (fabs(b - (a + d) / 2) - fabs((a - d) / 2) > 2.0) bad++;
    }
    for (int k = 1; k < NLEV; k++)
        if (sigma(c->v[1][k], c->v[2][k]) < sigma(c->v[1][k - 1], c->v[2][k - 1]) - 0.05) bad++;
    return bad == 0;
}

static void create_archive(void)
{
    hsize_t dims[3] = {0, NVAR, NLEV}, max[3] = {H5S_UNLIMITED, NVAR, NLEV}, chunk[3] = {128, NVAR, NLEV};
    hid_t f = H5Fcreate(ARCHIVE, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t s = H5Screate_simple(3, dims, max), p = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(p, 3, chunk);
    hid_t d = H5Dcreate2(f, "casts", H5T_NATIVE_FLOAT, s, H5P_DEFAULT, p, H5P_DEFAULT);
    H5Dclose(d); H5Pclose(p); H5Sclose(s); H5Fclose(f);
}

static void archive_cast(const cast *c, hsize_t row)
{
    hsize_t dims[3] = {row + 1, NVAR, NLEV}, start[3] = {row, 0, 0}, count[3] = {1, NVAR, NLEV};
    hid_t f = H5Fopen(ARCHIVE, H5F_ACC_RDWR, H5P_DEFAULT);
    hid_t d = H5Dopen2(f, "casts", H5P_DEFAULT);
    H5Dset_extent(d, dims);
    hid_t fs = H5Dget_space(d), ms = H5Screate_simple(3, count, NULL);
    H5Sselect_hyperslab(fs, H5S_SELECT_SET, start, NULL, count, NULL);
    if (H5Dwrite(d, H5T_NATIVE_FLOAT, ms, fs, H5P_DEFAULT, c->v) < 0) exit(1);
    H5Sclose(ms); H5Sclose(fs); H5Dclose(d);
    H5Fclose(f);
}

/* dynamic height 0/1500 dbar, the number the oceanographers ask for first */
static double dynamic_height(const cast *c)
{
    double h = 0;
    for (int k = 1; k < NLEV && c->v[0][k] < 1500; k++) {
        double dp = c->v[0][k] - c->v[0][k - 1];
        double s = 0.5 * (sigma(c->v[1][k], c->v[2][k]) + sigma(c->v[1][k - 1], c->v[2][k - 1]));
        h += dp * 1e4 * (1 / (1000 + s) - 1 / 1027.8) / 9.81;
    }
    return h;
}

int main(int argc, char **argv)
{
    int nfloat = argc > 1 ? atoi(argv[1]) : 30;
    int ncycle = argc > 2 ? atoi(argv[2]) : 100;
    hsize_t kept = 0;
    long rejected = 0;
    double sum = 0;
    cast c;

    create_archive();
    for (int f = 0; f < nfloat; f++) {
        for (int k = 0; k < ncycle; k++) {
            receive_cast(&c, k);
            if (!passes_qc(&c)) { rejected++; continue; }
            sum += dynamic_height(&c);
            archive_cast(&c, kept++);
        }
    }
    printf("%llu casts archived, %ld rejected, mean dynamic height %.4f m\n",
           (unsigned long long)kept, rejected, sum / kept);
    return 0;
}
