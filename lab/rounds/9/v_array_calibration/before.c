/* STA/LTA detection over a borehole seismometer array.
 * Counts are turned into ground velocity with each channel's calibration. */
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <hdf5.h>

#define NCHAN 40
#define WIN   160

typedef struct {
    double gain, offset, tau, depth;
} calib_t;

static double read_param(hid_t dset, const char *name)
{
    double v = 0.0;
    hid_t a = H5Aopen(dset, name, H5P_DEFAULT);
    H5Aread(a, H5T_NATIVE_DOUBLE, &v);
    H5Aclose(a);
    return v;
}

static calib_t channel_calibration(hid_t file, int ch)
{
    char name[32];
    calib_t c;
    snprintf(name, sizeof name, "chan_%02d", ch);
    hid_t d = H5Dopen2(file, name, H5P_DEFAULT);
    c.gain = read_param(d, "gain");
    c.offset = read_param(d, "offset");
    c.tau = read_param(d, "tau");
    c.depth = read_param(d, "depth");
    H5Dclose(d);
    return c;
}

static hsize_t load_trace(hid_t file, int ch, float **buf)
{
    char name[32];
    hsize_t n;
    snprintf(name, sizeof name, "chan_%02d", ch);
    hid_t d = H5Dopen2(file, name, H5P_DEFAULT);
    hid_t s = H5Dget_space(d);
    H5Sget_simple_extent_dims(s, &n, NULL);
    *buf = realloc(*buf, n * sizeof(float));
    H5Dread(d, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, *buf);
    H5Sclose(s);
    H5Dclose(d);
    return n;
}

static double window_energy(const float *x, int n, const calib_t *c, double *state)
{
    double e = 0.0, y = *state;
    double a = exp(-0.001 / c->tau);
    for (int i = 0; i < n; i++) {
        double v = (x[i] - c->offset) / c->gain;
        y = a * y + (1.0 - a) * v;
        e += y * y;
    }
    *state = y;
    return e / n;
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "array.h5";
    double threshold = argc > 2 ? atof(argv[2]) : 4.0;
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0)
        return 1;
    FILE *out = fopen("detections.txt", "w");
    float *x = NULL;
    long total = 0;

    for (int ch = 0; ch < NCHAN; ch++) {
        hsize_t n = load_trace(file, ch, &x);
        double lta = 0.0, state = 0.0, moment = 0.0;
        int hits = 0, first = -1;
        for (hsize_t w = 0; w + WIN <= n; w += WIN) {
            calib_t cal = channel_calibration(file, ch);
            double sta = window_energy(x + w, WIN, &cal, &state);
            if (w > 20 * WIN && sta > threshold * lta) {
                hits++;
                if (first < 0)
                    first = (int)w;
                moment += sta * (1.0 + 0.001 * cal.depth);
            }
            lta = 0.97 * lta + 0.03 * sta;
        }
        fprintf(out, "%02d %6d %8d %.8e\n", ch, hits, first, moment);
        total += hits;
    }
    printf("windows over threshold: %ld\n", total);
    fclose(out);
    free(x);
    H5Fclose(file);
    return 0;
}
