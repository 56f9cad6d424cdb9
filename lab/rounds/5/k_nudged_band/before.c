/* Nudged elastic band search on a model potential: the images relax step by
 * step; energies and a rolling record of the band go to an HDF5 file that a
 * plotting script follows while the search is running. */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

#define IMAGES 16
#define ATOMS 180

typedef struct {
    double x[IMAGES][ATOMS][3];
    double f[IMAGES][ATOMS][3];
    double energy[IMAGES];
} Band;

static void build_band(Band *b)
{
    for (int m = 0; m < IMAGES; m++)
        for (int a = 0; a < ATOMS; a++) {
            b->x[m][a][0] = 1.1 * (a % 5) + 0.02 * m;
            b->x[m][a][1] = 1.1 * ((a / 5) % 5) + 0.01 * m * (a % 2);
            b->x[m][a][2] = 1.1 * (a / 25);
        }
}

static void evaluate_image(Band *b, int m)
{
    double e = 0;
    for (int i = 0; i < ATOMS; i++)
        for (int d = 0; d < 3; d++)
            b->f[m][i][d] = 0;
    for (int i = 0; i < ATOMS; i++)
        for (int j = i + 1; j < ATOMS; j++) {
            double r[3], r2 = 0;
            for (int d = 0; d < 3; d++) {
                r[d] = b->x[m][i][d] - b->x[m][j][d];
                r2 += r[d] * r[d];
            }
            double dist = sqrt(r2), ex = exp(-6.0 * (dist - 1.1));
            double g = 12.0 * (ex * ex - ex) / dist;
            e += ex * ex - 2.0 * ex;
            for (int d = 0; d < 3; d++) {
                b->f[m][i][d] += g * r[d];
                b->f[m][j][d] -= g * r[d];
            }
        }
    b->energy[m] = e;
}

static double relax(Band *b, double step)
{
    double worst = 0;
    for (int m = 1; m < IMAGES - 1; m++)
        for (int a = 0; a < ATOMS; a++)
            for (int d = 0; d < 3; d++) {
                double spring = 0.5 * (b->x[m + 1][a][d] + b->x[m - 1][a][d] - 2 * b->x[m][a][d]);
                double f = b->f[m][a][d] + spring;
                b->x[m][a][d] += step * f;
                worst = fmax(worst, fabs(f));
            }
    return worst;
}

static hid_t create_history(hid_t file, const char *name, hsize_t width, hsize_t rows)
{
    hsize_t dims[2] = { 0, width }, maxdims[2] = { H5S_UNLIMITED, width }, chunk[2] = { rows, width };
    hid_t space = H5Screate_simple(2, dims, maxdims), plist = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(plist, 2, chunk);
    hid_t set = H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, plist, H5P_DEFAULT);
    H5Pclose(plist);
    H5Sclose(space);
    return set;
}

static void append_row(hid_t set, hsize_t row, hsize_t width, const double *values)
{
    hsize_t size[2] = { row + 1, width }, start[2] = { row, 0 }, count[2] = { 1, width };
    H5Dset_extent(set, size);
    hid_t fspace = H5Dget_space(set), mspace = H5Screate_simple(2, count, NULL);
    H5Sselect_hyperslab(fspace, H5S_SELECT_SET, start, NULL, count, NULL);
    H5Dwrite(set, H5T_NATIVE_DOUBLE, mspace, fspace, H5P_DEFAULT, values);
    H5Sclose(mspace);
    H5Sclose(fspace);
}

static void note_progress(hid_t file, const char *name, double value)
{
    hid_t space = H5Screate(H5S_SCALAR);
    if (H5Aexists(file, name) > 0)
        H5Adelete(file, name);
    hid_t attr = H5Acreate2(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(attr, H5T_NATIVE_DOUBLE, &value);
    H5Aclose(attr);
    H5Sclose(space);
}

int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 560;
    static Band band;
    build_band(&band);
    hid_t file = H5Fcreate("neb.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t energies = create_history(file, "energy", IMAGES, 64);
    hid_t saddle = create_history(file, "climbing_image", ATOMS * 3, 16);
    double worst = 0;
    for (int s = 0; s < steps; s++) {
        int top = 0;
        for (int m = 0; m < IMAGES; m++) {
            evaluate_image(&band, m);
            if (band.energy[m] > band.energy[top])
                top = m;
        }
        worst = relax(&band, 1e-4);
        append_row(energies, s, IMAGES, band.energy);
        append_row(saddle, s, ATOMS * 3, &band.x[top][0][0]);
        if (s % 40 == 39) {
            note_progress(file, "max_force", worst);
            H5Fflush(file, H5F_SCOPE_LOCAL);
        }
    }
    H5Dclose(energies);
    H5Dclose(saddle);
    H5Fclose(file);
    printf("steps %d  residual force %.6f\n", steps, worst);
    return 0;
}
