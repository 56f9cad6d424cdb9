/* Normal modes of an elastic network by power iteration with deflation;
 * every mode is stored with its frequency as soon as it has converged. */
#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define NATOMS 240
#define NDIM (3 * NATOMS)

static double hessian[NDIM][NDIM];
static double position[NATOMS][3];

static void fold_chain(void)
{
    for (int a = 0; a < NATOMS; a++) {
        double turn = 1.745 * a;
        position[a][0] = 2.3 * cos(turn) + 0.02 * a;
        position[a][1] = 2.3 * sin(turn);
        position[a][2] = 1.5 * (a % 40);
    }
}

static void build_hessian(double cutoff)
{
    for (int a = 0; a < NATOMS; a++)
        for (int b = 0; b < a; b++) {
            double d[3], r2 = 0;
            for (int k = 0; k < 3; k++) {
                d[k] = position[a][k] - position[b][k];
                r2 += d[k] * d[k];
            }
            if (r2 > cutoff * cutoff)
                continue;
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 3; l++) {
                    double h = d[k] * d[l] / (r2 + 0.1);
                    hessian[3 * a + k][3 * b + l] -= h;
                    hessian[3 * b + l][3 * a + k] -= h;
                    hessian[3 * a + k][3 * a + l] += h;
                    hessian[3 * b + k][3 * b + l] += h;
                }
        }
}

static double converge_mode(double *v, int iterations)
{
    static double w[NDIM];
    double lambda = 0;
    for (int i = 0; i < NDIM; i++)
        v[i] = sin(0.37 * i * i + 1.0);
    for (int it = 0; it < iterations; it++) {
        double norm = 0;
        for (int i = 0; i < NDIM; i++) {
            double sum = 0;
            for (int j = 0; j < NDIM; j++)
                sum += hessian[i][j] * v[j];
            w[i] = sum;
            norm += sum * sum;
        }
        lambda = sqrt(norm);
        for (int i = 0; i < NDIM; i++)
            v[i] = w[i] / lambda;
    }
    for (int i = 0; i < NDIM; i++)
        for (int j = 0; j < NDIM; j++)
            hessian[i][j] -= lambda * v[i] * v[j];
    return lambda;
}

static void store_mode(hid_t file, int mode, double lambda, const double *v)
{
    char name[32];
    hsize_t dims[2] = {NATOMS, 3};
    snprintf(name, sizeof name, "mode_%04d", mode);
    hid_t space = H5Screate_simple(2, dims, NULL);
    hid_t dset = H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, space,
                            H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(dset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, v);
    hid_t scalar = H5Screate(H5S_SCALAR);
    hid_t attr = H5Acreate2(dset, "eigenvalue", H5T_NATIVE_DOUBLE, scalar,
                            H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(attr, H5T_NATIVE_DOUBLE, &lambda);
    H5Aclose(attr);
    H5Sclose(scalar);
    H5Dclose(dset);
    H5Sclose(space);
    H5Fflush(file, H5F_SCOPE_LOCAL);
}

int main(int argc, char **argv)
{
    int nmodes = argc > 1 ? atoi(argv[1]) : 60;
    static double v[NDIM];
    fold_chain();
    build_hessian(9.0);
    hid_t file = H5Fcreate("modes.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    double trace = 0;
    for (int mode = 0; mode < nmodes; mode++) {
        double lambda = converge_mode(v, 60);
        store_mode(file, mode, lambda, v);
        trace += lambda;
    }
    H5Fclose(file);
    printf("sum of the %d stiffest modes %.8g\n", nmodes, trace);
    return 0;
}
