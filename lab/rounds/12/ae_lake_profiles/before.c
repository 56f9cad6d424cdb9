/* Thermal stratification of a lake: heat diffusion with a wind-dependent
 * mixing coefficient, absorbed sunlight and convective overturning; the
 * profiles of temperature and oxygen are kept in a NetCDF file. */
#include <math.h>
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>

#define NZ 80
#define DZ 0.5
#define PI 3.14159265358979

typedef struct {
    double temp[NZ], oxy[NZ], k[NZ + 1];
} lake;

typedef struct {
    int id, temp, oxy, time;
} output;

static void check(int rc)
{
    if (rc != NC_NOERR) {
        fprintf(stderr, "%s\n", nc_strerror(rc));
        exit(1);
    }
}

static void output_open(output *o, const char *path, size_t ntime)
{
    int dim[2];
    check(nc_create(path, NC_CLOBBER | NC_NETCDF4, &o->id));
    check(nc_def_dim(o->id, "time", ntime, &dim[0]));
    check(nc_def_dim(o->id, "depth", NZ, &dim[1]));
    check(nc_def_var(o->id, "temperature", NC_DOUBLE, 2, dim, &o->temp));
    check(nc_def_var(o->id, "oxygen", NC_DOUBLE, 2, dim, &o->oxy));
    check(nc_def_var(o->id, "time", NC_DOUBLE, 1, dim, &o->time));
    check(nc_put_att_text(o->id, o->temp, "units", 7, "celsius"));
    check(nc_enddef(o->id));
}

static void put_value(const output *o, int var, size_t t, size_t z, double v)
{
    size_t at[2] = {t, z};
    check(nc_put_var1_double(o->id, var, at, &v));
}

static void put_profile(const output *o, int var, size_t t, const double *v)
{
    for (size_t z = 0; z < NZ; z++)
        put_value(o, var, t, z, v[z]);
}

static void output_state(const output *o, size_t t, double day, const lake *l)
{
    check(nc_put_var1_double(o->id, o->time, &t, &day));
    put_profile(o, o->temp, t, l->temp);
    put_profile(o, o->oxy, t, l->oxy);
}

static double density(double t)
{
    return 1000.0 * (1.0 - (t + 288.9414) * (t - 3.9863) * (t - 3.9863) / (508929.2 * (t + 68.12963)));
}

static void overturn(lake *l)
{
    for (int pass = 0; pass < 2; pass++)
        for (int z = 0; z + 1 < NZ; z++)
            if (density(l->temp[z]) > density(l->temp[z + 1]) + 1e-6) {
                double t = 0.5 * (l->temp[z] + l->temp[z + 1]), x = 0.5 * (l->oxy[z] + l->oxy[z + 1]);
                l->temp[z] = l->temp[z + 1] = t;
                l->oxy[z] = l->oxy[z + 1] = x;
            }
}

static void diffuse(double *c, const double *k, double dt, double top)
{
    double flux[NZ + 1];
    flux[0] = top;
    flux[NZ] = 0;
    for (int z = 1; z < NZ; z++)
        flux[z] = -k[z] * (c[z] - c[z - 1]) / DZ;
    for (int z = 0; z < NZ; z++)
        c[z] += dt * (flux[z] - flux[z + 1]) / DZ;
}

static void hour(lake *l, double day)
{
    const double dt = 600.0;
    for (int sub = 0; sub < 6; sub++) {
        double d = day + sub * dt / 86400, sun = fmax(0, sin(2 * PI * (d - 0.25)));
        double air = 10 + 11 * sin(2 * PI * (d - 110) / 365) + 4 * sun;
        double wind = 3 + 2 * sin(0.9 * d) + 1.5 * sin(2.3 * d);
        for (int z = 1; z < NZ; z++)
            l->k[z] = 1e-6 + 4e-5 * wind * wind / 9 * exp(-z * DZ / (2 + wind));
        diffuse(l->temp, l->k, dt, 4e-6 * (air - l->temp[0]));
        diffuse(l->oxy, l->k, dt, 2e-6 * (14.6 - 0.3 * l->temp[0] - l->oxy[0]));
        for (int z = 0; z < NZ; z++) {
            l->temp[z] += dt * sun * 1.1e-4 * exp(-0.6 * z * DZ) * 0.3;
            l->oxy[z] = fmax(0, l->oxy[z] - dt * 1e-7 * l->temp[z] * 0.1);
        }
    }
    overturn(l);
}

int main(int argc, char **argv)
{
    size_t nhours = argc > 1 ? atol(argv[1]) : 3500;
    lake l;
    output o;
    for (int z = 0; z < NZ; z++) {
        l.temp[z] = 5.0;
        l.oxy[z] = 11.0;
    }
    output_open(&o, "lake.nc", nhours);
    for (size_t t = 0; t < nhours; t++) {
        hour(&l, 90 + t / 24.0);
        output_state(&o, t, 90 + t / 24.0, &l);
    }
    check(nc_close(o.id));
    printf("surface %.4f C, bottom %.4f C, bottom oxygen %.4f mg/l\n", l.temp[0], l.temp[NZ - 1], l.oxy[NZ - 1]);
    return 0;
}
