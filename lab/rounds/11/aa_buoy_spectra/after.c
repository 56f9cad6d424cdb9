/* Wave spectra of a moored buoy: each burst of heave samples is turned into
 * a smoothed periodogram, which is appended to an HDF5 data set together
 * with the wave height. */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <complex.h>

#define NSAMP 128           /* samples in a burst */
#define NFREQ 32            /* stored frequencies */
#define RATE 1.28           /* samples per second */

static unsigned long long seed = 88172645463325252ULL;

static double uniform(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (seed >> 11) * (1.0 / 9007199254740992.0);
}

/* heave of a swell plus wind sea */
static void burst(int k, double *z)
{
    double tp = 11.0 + 3.0 * sin(k * 0.003), ph = 6.283 * uniform();
    for (int i = 0; i < NSAMP; i++) {
        double t = i / RATE;
        z[i] = 1.5 * sin(6.2831853 * t / tp + ph) + 0.4 * sin(6.2831853 * t / 4.1) + 0.3 * (uniform() - 0.5);
    }
}

static void fft(double complex *x, int n)
{
    for (int i = 1, j = 0; i < n; i++) {
        int bit = n >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) { double complex t = x[i]; x[i] = x[j]; x[j] = t; }
    }
    for (int len = 2; len <= n; len <<= 1) {
        double complex w = cexp(-2.0 * M_PI * I / len);
        for (int i = 0; i < n; i += len) {
            double complex f = 1.0;
            for (int k = 0; k < len / 2; k++, f *= w) {
                double complex a = x[i + k], b = x[i + k + len / 2] * f;
                x[i + k] = a + b;
                x[i + k + len / 2] = a - b;
            }
        }
    }
}

static double spectrum(const double *z, double *s)
{
    double complex x[NSAMP];
    double m0 = 0.0;
    for (int i = 0; i < NSAMP; i++)
        x[i] = z[i] * 0.5 * (1.0 - cos(2.0 * M_PI * i / NSAMP));
    fft(x, NSAMP);
    for (int f = 0; f < NFREQ; f++) {
        double p = 0.0;
        for (int k = 0; k < 2; k++)
            p += pow(cabs(x[2 * f + k]), 2.0);
        s[f] = p / (RATE * NSAMP);
        m0 += s[f] * 2.0 * RATE / NSAMP;
    }
    return 4.0 * sqrt(m0);      /* significant wave height */
}

static hid_t create_series(hid_t file, const char *name, hsize_t width)
{
    hsize_t dims[2] = {0, width}, max[2] = {H5S_UNLIMITED, width}, chunk[2] = {width > 1 ? 64 : 1024, width};
    hid_t space = H5Screate_simple(2, dims, max);
    hid_t prop = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(prop, 2, chunk);
    hid_t set = H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, prop, H5P_DEFAULT);
    H5Pclose(prop);
    H5Sclose(space);
    return set;
}

static void append(hid_t set, hsize_t k, hsize_t width, const double *s)
{
    hsize_t size[2] = {k + 1, width}, start[2] = {k, 0}, count[2] = {1, width};
    H5Dset_extent(set, size);
    hid_t fspace = H5Dget_space(set);
    hid_t mspace = H5Screate_simple(2, count, NULL);
    H5Sselect_hyperslab(fspace, H5S_SELECT_SET, start, NULL, count, NULL);
    H5Dwrite(set, H5T_NATIVE_DOUBLE, mspace, fspace, H5P_DEFAULT, s);
    H5Sclose(mspace);
    H5Sclose(fspace);
}

int main(int argc, char **argv)
{
    int nburst = argc > 1 ? atoi(argv[1]) : 60000;
    double z[NSAMP], s[NFREQ], hs, sum = 0.0;
    hid_t file = H5Fcreate("buoy.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t spectra = create_series(file, "spectrum", NFREQ);
    hid_t heights = create_series(file, "height", 1);
    for (int k = 0; k < nburst; k++) {
        burst(k, z);
        hs = spectrum(z, s);
        sum += hs;
        append(spectra, k, NFREQ, s);
        append(heights, k, 1, &hs);
        }
    H5Dclose(spectra);
    H5Dclose(heights);
    H5Fclose(file);
    printf("%d bursts, mean significant wave height %.4f m\n", nburst, sum / nburst);
    return 0;
}
