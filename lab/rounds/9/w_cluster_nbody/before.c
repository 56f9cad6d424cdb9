/* Open star cluster: direct summation with leapfrog; the phase space and
 * the energies go to an extendible HDF5 file as the run proceeds. */
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <hdf5.h>

#define NB 96

typedef struct { double m[NB], x[NB][3], v[NB][3], a[NB][3]; } System;

static double urand(void)
{
    static unsigned long long s = 88172645463325252ULL;
    s ^= s << 13; s ^= s >> 7; s ^= s << 17;
    return (s >> 11) * (1.0 / 9007199254740992.0);
}

static void setup(System *c)
{
    for (int i = 0; i < NB; i++) {
        c->m[i] = 1.0 / NB;
        for (int k = 0; k < 3; k++) {
            c->x[i][k] = 2.0 * urand() - 1.0;
            c->v[i][k] = 0.6 * (urand() - 0.5);
        }
    }
}

static double forces(System *c)
{
    double pot = 0.0;
    for (int i = 0; i < NB; i++) c->a[i][0] = c->a[i][1] = c->a[i][2] = 0.0;
    for (int i = 0; i < NB; i++)
        for (int j = i + 1; j < NB; j++) {
            double d[3], r2 = 2.5e-3;
            for (int k = 0; k < 3; k++) { d[k] = c->x[j][k] - c->x[i][k]; r2 += d[k] * d[k]; }
            double ir = 1.0 / sqrt(r2), ir3 = ir * ir * ir;
            pot -= c->m[i] * c->m[j] * ir;
            for (int k = 0; k < 3; k++) {
                c->a[i][k] += c->m[j] * d[k] * ir3;
                c->a[j][k] -= c->m[i] * d[k] * ir3;
            }
        }
    return pot;
}

static hid_t growing(hid_t file, const char *name, hsize_t cols, hsize_t chunk)
{
    hsize_t now[2] = {0, cols}, max[2] = {H5S_UNLIMITED, cols}, ch[2] = {chunk, cols};
    hid_t space = H5Screate_simple(2, now, max), dcpl = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(dcpl, 2, ch);
    hid_t d = H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, dcpl, H5P_DEFAULT);
    H5Pclose(dcpl);
    H5Sclose(space);
    return d;
}

static void append(hid_t d, hsize_t row, hsize_t cols, const double *data)
{
    hsize_t size[2] = {row + 1, cols}, start[2] = {row, 0}, count[2] = {1, cols};
    H5Dset_extent(d, size);
    hid_t fs = H5Dget_space(d), ms = H5Screate_simple(2, count, NULL);
    H5Sselect_hyperslab(fs, H5S_SELECT_SET, start, NULL, count, NULL);
    H5Dwrite(d, H5T_NATIVE_DOUBLE, ms, fs, H5P_DEFAULT, data);
    H5Sclose(ms);
    H5Sclose(fs);
}

int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 8000;
    double dt = 1e-3, e0 = 0.0, en[3] = {0, 0, 0};
    static System c;
    setup(&c);
    en[1] = forces(&c);
    hid_t file = H5Fcreate("cluster.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t pos = growing(file, "positions", 3 * NB, 400);
    hid_t vel = growing(file, "velocities", 3 * NB, 400);
    hid_t ene = growing(file, "energies", 3, 1024);

    for (int s = 0; s < steps; s++) {
        for (int i = 0; i < NB; i++)
            for (int k = 0; k < 3; k++) {
                c.v[i][k] += 0.5 * dt * c.a[i][k];
                c.x[i][k] += dt * c.v[i][k];
            }
        en[1] = forces(&c);
        en[0] = 0.0;
        for (int i = 0; i < NB; i++)
            for (int k = 0; k < 3; k++) {
                c.v[i][k] += 0.5 * dt * c.a[i][k];
                en[0] += 0.5 * c.m[i] * c.v[i][k] * c.v[i][k];
            }
        en[2] = en[0] + en[1];
        if (s == 0) e0 = en[2];
        append(pos, s, 3 * NB, &c.x[0][0]);
        append(vel, s, 3 * NB, &c.v[0][0]);
        append(ene, s, 3, en);
        H5Fflush(file, H5F_SCOPE_GLOBAL);
    }
    printf("steps %d  energy %.10f  drift %.3e\n", steps, en[2], (en[2] - e0) / fabs(e0));
    H5Dclose(ene);
    H5Dclose(vel);
    H5Dclose(pos);
    H5Fclose(file);
    return 0;
}
