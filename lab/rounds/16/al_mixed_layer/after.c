/* One-dimensional ocean mixed layer: heat and salt diffuse with a mixing that depends
 * on wind and stratification; profiles go to a NetCDF file once per hour.
 *
 * usage: column ndays nlevels
 */
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <netcdf.h>

#define DEPTH 200.0       /* m */
#define DT 600.0          /* s */
#define STEPS_PER_HOUR 6
#define RHO0 1025.0
#define CP 3990.0

#define CHECK(call) do { int rc_ = (call); if (rc_ != NC_NOERR) { \
    fprintf(stderr, "netcdf: %s\n", nc_strerror(rc_)); exit(1); } } while (0)

typedef struct {
    int n;
    double dz, *temp, *salt, *kz, *work;
} Column;

typedef struct { int id, var_temp, var_salt, var_kz, var_time; } Output;

static void init_column(Column *c, int n)
{
    c->n = n;
    c->dz = DEPTH / n;
    c->temp = malloc(n * sizeof(double));
    c->salt = malloc(n * sizeof(double));
    c->kz = malloc(n * sizeof(double));
    c->work = malloc(n * sizeof(double));
    for (int k = 0; k < n; k++) {
        double z = (k + 0.5) * c->dz;
        c->temp[k] = 8.0 + 10.0 * exp(-z / 60.0);
        c->salt[k] = 35.2 - 0.4 * exp(-z / 80.0);
        c->kz[k] = 1e-5;
    }
}

static void mixing(Column *c, double wind)
{
    double ustar = 0.0012 * wind;
    for (int k = 0; k < c->n - 1; k++) {
        double z = (k + 1) * c->dz;
        double n2 = 9.81 * (2e-4 * (c->temp[k] - c->temp[k + 1])
                            - 7.6e-4 * (c->salt[k] - c->salt[k + 1])) / c->dz;
        double shear = ustar / (0.4 * z) * exp(-z / 40.0);
        double ri = fmax(n2, 0.0) / (shear * shear + 1e-9);
        c->kz[k] = 1e-5 + 5e-3 / ((1 + 5 * ri) * (1 + 5 * ri));
    }
    c->kz[c->n - 1] = 0.0;
}

static void diffuse(Column *c, double *q, double surface_flux)
{
    double up = surface_flux;
    double cap = 0.45 * c->dz * c->dz / DT;
    for (int k = 0; k < c->n; k++) {
        double down = k < c->n - 1 ? fmin(c->kz[k], cap) * (q[k] - q[k + 1]) / c->dz : 0.0;
        c->work[k] = q[k] + DT * (up - down) / c->dz;
        up = down;
    }
    for (int k = 0; k < c->n; k++) q[k] = c->work[k];
}

static void create_output(Output *o, const char *name, int n)
{
    int dims[2];
    size_t week[2] = {7 * 24, n}, times[1] = {1024};
    CHECK(nc_create(name, NC_CLOBBER | NC_NETCDF4, &o->id));
    CHECK(nc_def_dim(o->id, "time", NC_UNLIMITED, &dims[0]));
    CHECK(nc_def_dim(o->id, "level", n, &dims[1]));
    CHECK(nc_def_var(o->id, "time", NC_DOUBLE, 1, dims, &o->var_time));
    CHECK(nc_def_var(o->id, "temperature", NC_DOUBLE, 2, dims, &o->var_temp));
    CHECK(nc_def_var(o->id, "salinity", NC_DOUBLE, 2, dims, &o->var_salt));
    CHECK(nc_def_var(o->id, "diffusivity", NC_DOUBLE, 2, dims, &o->var_kz));
    CHECK(nc_def_var_chunking(o->id, o->var_time, NC_CHUNKED, times));
    CHECK(nc_def_var_chunking(o->id, o->var_temp, NC_CHUNKED, week));
    CHECK(nc_def_var_chunking(o->id, o->var_salt, NC_CHUNKED, week));
    CHECK(nc_def_var_chunking(o->id, o->var_kz, NC_CHUNKED, week));
    CHECK(nc_put_att_text(o->id, o->var_temp, "units", 5, "deg_C"));
    CHECK(nc_enddef(o->id));
}

static void store(Output *o, const Column *c, size_t record, double hours)
{
    CHECK(nc_put_var1_double(o->id, o->var_time, &record, &hours));
    size_t at[2] = {record, 0}, count[2] = {1, c->n};
    CHECK(nc_put_vara_double(o->id, o->var_temp, at, count, c->temp));
    CHECK(nc_put_vara_double(o->id, o->var_salt, at, count, c->salt));
    CHECK(nc_put_vara_double(o->id, o->var_kz, at, count, c->kz));
}

int main(int argc, char **argv)
{
    int ndays = argc > 1 ? atoi(argv[1]) : 60;
    int n = argc > 2 ? atoi(argv[2]) : 200;
    Column col;
    Output out;
    init_column(&col, n);
    create_output(&out, "column.nc", n);

    for (int hour = 0; hour < ndays * 24; hour++) {
        double day = hour / 24.0;
        double wind = 7.0 + 4.0 * sin(2 * M_PI * day / 5.3);
        double sun = fmax(0.0, 600.0 * sin(2 * M_PI * (day - 0.25)));
        double heat = (sun - 180.0) / (RHO0 * CP);
        for (int s = 0; s < STEPS_PER_HOUR; s++) {
            mixing(&col, wind);
            diffuse(&col, col.temp, heat);
            diffuse(&col, col.salt, 1e-8 * wind);
        }
        store(&out, &col, hour, hour + 1.0);
    }
    CHECK(nc_close(out.id));
    printf("after %d days: surface %.3f C, bottom %.3f C, salt %.4f\n",
           ndays, col.temp[0], col.temp[n - 1], col.salt[0]);
    return 0;
}
