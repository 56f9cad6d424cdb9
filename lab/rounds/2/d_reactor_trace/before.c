/* Point-kinetics reactor model with delayed neutrons; the trace of power and
 * precursors is appended to an extendible HDF5 dataset. */
#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define GROUPS 6

static const double beta[GROUPS] = {2.1e-4, 1.4e-3, 1.3e-3, 2.6e-3, 7.5e-4, 2.6e-4};
static const double lambda[GROUPS] = {0.0124, 0.0305, 0.111, 0.301, 1.14, 3.01};

typedef struct {
    double power, conc[GROUPS], temperature;
} reactor_t;

static void start(reactor_t *r)
{
    r->power = 1.0;
    r->temperature = 300.0;
    for (int g = 0; g < GROUPS; g++)
        r->conc[g] = beta[g] / (lambda[g] * 2e-5);
}

static void integrate(reactor_t *r, double t, double dt, int n)
{
    const double gen = 2e-5;
    double btot = 0.0;
    for (int g = 0; g < GROUPS; g++)
        btot += beta[g];
    for (int k = 0; k < n; k++) {
        double rho = 5e-4 * sin(0.3 * (t + k * dt)) - 1e-6 * (r->temperature - 300.0);
        double src = 0.0;
        for (int g = 0; g < GROUPS; g++)
            src += lambda[g] * r->conc[g];
        r->power += dt * ((rho - btot) / gen * r->power + src);
        for (int g = 0; g < GROUPS; g++)
            r->conc[g] += dt * (beta[g] / gen * r->power - lambda[g] * r->conc[g]);
        r->temperature += dt * (2.0 * r->power - 0.05 * (r->temperature - 300.0));
    }
}

static hid_t create_trace(hid_t file)
{
    hsize_t dims[2] = {0, GROUPS + 2}, maxdims[2] = {H5S_UNLIMITED, GROUPS + 2};
    hsize_t chunk[2] = {64, GROUPS + 2};
    hid_t space = H5Screate_simple(2, dims, maxdims);
    hid_t dcpl = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(dcpl, 2, chunk);
    hid_t dset = H5Dcreate2(file, "trace", H5T_IEEE_F64LE, space, H5P_DEFAULT, dcpl, H5P_DEFAULT);
    H5Pclose(dcpl);
    H5Sclose(space);
    return dset;
}

static void append(hid_t dset, const reactor_t *r, hsize_t row)
{
    hsize_t dims[2] = {row + 1, GROUPS + 2}, at[2] = {row, 0}, one[2] = {1, GROUPS + 2};
    H5Dset_extent(dset, dims);
    hid_t fspace = H5Dget_space(dset);
    hid_t mspace = H5Screate_simple(2, one, NULL);
    H5Sselect_hyperslab(fspace, H5S_SELECT_SET, at, NULL, one, NULL);
    H5Dwrite(dset, H5T_NATIVE_DOUBLE, mspace, fspace, H5P_DEFAULT, r);
    H5Sclose(mspace);
    H5Sclose(fspace);
}

int main(int argc, char **argv)
{
    int nout = argc > 1 ? atoi(argv[1]) : 300;
    const int inner = 400000;
    const double dt = 2e-6;
    reactor_t r;
    double t = 0.0, peak = 0.0;

    start(&r);
    hid_t file = H5Fcreate("reactor.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t trace = create_trace(file);
    for (int n = 0; n < nout; n++) {
        integrate(&r, t, dt, inner);
        t += inner * dt;
        if (r.power > peak)
            peak = r.power;
        append(trace, &r, n);
        if (n % 50 == 49)
            H5Fflush(file, H5F_SCOPE_GLOBAL);
    }
    H5Dclose(trace);
    H5Fclose(file);
    printf("t = %.2f s, peak power %.6f, temperature %.4f\n", t, peak, r.temperature);
    return 0;
}
