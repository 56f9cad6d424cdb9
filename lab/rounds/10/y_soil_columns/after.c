/* Soil temperature below a land surface: one implicit heat diffusion column per
   grid cell, hourly forcing, result in NetCDF.   usage: soil_columns NY NX NHOURS */
#include <math.h>
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>

#define NZ 12
#define CHECK(e) do { int r_ = (e); if (r_) { fprintf(stderr, "%s\n", nc_strerror(r_)); exit(1); } } while (0)

typedef struct {
    int ncid, temp;
} output_t;

static output_t create_output(const char *name, int nt, int ny, int nx)
{
    output_t o;
    int d[4];
    CHECK(nc_create(name, NC_NETCDF4 | NC_CLOBBER, &o.ncid));
    CHECK(nc_def_dim(o.ncid, "time", nt, &d[0]));
    CHECK(nc_def_dim(o.ncid, "y", ny, &d[1]));
    CHECK(nc_def_dim(o.ncid, "x", nx, &d[2]));
    CHECK(nc_def_dim(o.ncid, "depth", NZ, &d[3]));
    CHECK(nc_def_var(o.ncid, "soil_temperature", NC_DOUBLE, 4, d, &o.temp));
    CHECK(nc_put_att_text(o.ncid, o.temp, "units", 1, "K"));
    CHECK(nc_enddef(o.ncid));
    return o;
}

/* implicit step, Thomas algorithm; layer thickness grows with depth */
static void column_step(double *t, double surface, double kappa, double dt)
{
    double c[NZ], d[NZ], z = 0.05;
    for (int k = 0; k < NZ; k++) {
        double up = kappa * dt / (z * z), dn = k < NZ - 1 ? up / 1.4 : 0.0;
        double rhs = t[k] + (k == 0 ? up * surface : 0.0);
        double a = k == 0 ? 0.0 : -up, b = 1.0 + up + dn;
        double m = b - (k ? a * c[k - 1] : 0.0);
        c[k] = -dn / m;
        d[k] = (rhs - (k ? a * d[k - 1] : 0.0)) / m;
        z *= 1.25;
    }
    t[NZ - 1] = d[NZ - 1];
    for (int k = NZ - 2; k >= 0; k--)
        t[k] = d[k] - c[k] * t[k + 1];
}

int main(int argc, char **argv)
{
    int ny = argc > 1 ? atoi(argv[1]) : 40;
    int nx = argc > 2 ? atoi(argv[2]) : 60;
    int nt = argc > 3 ? atoi(argv[3]) : 24;
    double *temp = malloc(sizeof(double) * ny * nx * NZ);
    double *kappa = malloc(sizeof(double) * ny * nx);
    srand(3);
    for (int i = 0; i < ny * nx; i++) {
        kappa[i] = 4e-7 + 6e-7 * rand() / RAND_MAX;
        for (int k = 0; k < NZ; k++)
            temp[i * NZ + k] = 283.0 - 0.1 * k;
    }

    output_t out = create_output("soil.nc", nt, ny, nx);
    for (int h = 0; h < nt; h++) {
        for (int y = 0; y < ny; y++) {
            double base = 288.0 - 12.0 * y / ny;
            for (int x = 0; x < nx; x++) {
                double *col = temp + ((size_t)y * nx + x) * NZ;
                double lon = 2 * M_PI * x / nx;
                for (int q = 0; q < 12; q++) {
                    double s = base + 8.0 * sin(2 * M_PI * (h + q / 12.0) / 24.0 + lon);
                    column_step(col, s, kappa[y * nx + x], 300.0);
                }
            }
        }
        size_t start[4] = {h, 0, 0, 0}, count[4] = {1, ny, nx, NZ};
        CHECK(nc_put_vara_double(out.ncid, out.temp, start, count, temp));
    }
    CHECK(nc_close(out.ncid));

    double top = 0, deep = 0;
    for (int i = 0; i < ny * nx; i++) {
        top += temp[i * NZ] / (ny * nx);
        deep += temp[i * NZ + NZ - 1] / (ny * nx);
    }
    printf("hours %d  mean top %.8f  mean deep %.8f\n", nt, top, deep);
    free(temp);
    free(kappa);
    return 0;
}
