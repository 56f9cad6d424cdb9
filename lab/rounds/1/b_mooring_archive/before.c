/* Internal tide at a set of moorings: vertical modes are solved daily and archived in NetCDF. */
#include <math.h>
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>

#define LEVELS 64
#define MOORINGS 6
#define MODES 4

static void check(int status)
{
    if (status != NC_NOERR) {
        fprintf(stderr, "%s\n", nc_strerror(status));
        exit(1);
    }
}

static void stratification(int mooring, int day, double *n2)
{
    for (int k = 0; k < LEVELS; k++)
        n2[k] = 1e-5 + 1e-4 * exp(-0.08 * k * (1 + 0.05 * mooring)) * (1 + 0.2 * sin(0.3 * day));
}

/* inverse iteration with deflation on the tridiagonal vertical operator */
static void vertical_modes(const double *n2, float modes[MODES][LEVELS], double *speeds)
{
    double v[MODES][LEVELS], c[LEVELS], d[LEVELS];
    for (int m = 0; m < MODES; m++) {
        double size = 1;
        for (int k = 0; k < LEVELS; k++)
            v[m][k] = sin((m + 1) * M_PI * (k + 1.0) / (LEVELS + 1)) + 1e-3 * k;
        for (int it = 0; it < 1500; it++) {
            for (int p = 0; p < m; p++) {
                double dot = 0;
                for (int k = 0; k < LEVELS; k++)
                    dot += v[m][k] * v[p][k] * n2[k];
                for (int k = 0; k < LEVELS; k++)
                    v[m][k] -= dot * v[p][k];
            }
            c[0] = -0.5;
            d[0] = 0.5 * n2[0] * v[m][0];
            for (int k = 1; k < LEVELS; k++) {
                double w = 2.0 + c[k - 1];
                c[k] = -1.0 / w;
                d[k] = (n2[k] * v[m][k] + d[k - 1]) / w;
            }
            v[m][LEVELS - 1] = d[LEVELS - 1];
            for (int k = LEVELS - 2; k >= 0; k--)
                v[m][k] = d[k] - c[k] * v[m][k + 1];
            size = 0;
            for (int k = 0; k < LEVELS; k++)
                size += v[m][k] * v[m][k] * n2[k];
            size = sqrt(size);
            for (int k = 0; k < LEVELS; k++)
                v[m][k] /= size;
        }
        speeds[m] = 100.0 * sqrt(size);
        for (int k = 0; k < LEVELS; k++)
            modes[m][k] = v[m][k];
    }
}

int main(int argc, char **argv)
{
    int days = argc > 1 ? atoi(argv[1]) : 60, nc, dims[4], mode_var, speed_var;
    check(nc_create("moorings.nc", NC_CLOBBER | NC_NETCDF4, &nc));
    check(nc_def_dim(nc, "day", NC_UNLIMITED, &dims[0]));
    check(nc_def_dim(nc, "mooring", MOORINGS, &dims[1]));
    check(nc_def_dim(nc, "mode", MODES, &dims[2]));
    check(nc_def_dim(nc, "level", LEVELS, &dims[3]));
    check(nc_def_var(nc, "structure", NC_FLOAT, 4, dims, &mode_var));
    check(nc_def_var(nc, "speed", NC_DOUBLE, 3, dims, &speed_var));
    check(nc_enddef(nc));
    double first = 0;
    for (int day = 0; day < days; day++) {
        for (int q = 0; q < MOORINGS; q++) {
            double n2[LEVELS], speeds[MODES];
            float modes[MODES][LEVELS];
            stratification(q, day, n2);
            vertical_modes(n2, modes, speeds);
            size_t start[4] = {day, q, 0, 0}, count[4] = {1, 1, MODES, LEVELS};
            check(nc_put_vara_float(nc, mode_var, start, count, &modes[0][0]));
            for (size_t m = 0; m < MODES; m++) {
                size_t at[3] = {day, q, m};
                check(nc_put_var1_double(nc, speed_var, at, &speeds[m]));
            }
            first += speeds[0];
        }
        if (day % 20 == 19)
            check(nc_sync(nc));
    }
    check(nc_close(nc));
    printf("days %d  mean first-mode speed %.5f\n", days, first / (days * MOORINGS));
    return 0;
}
