/* One-dimensional mixed-layer model at many float positions; the daily
 * profiles of each float go into a netCDF file. */
#include <math.h>
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>

#define NZ 60
#define DZ 4.0

static void check(int status, const char *what)
{
    if (status != NC_NOERR) {
        fprintf(stderr, "%s: %s\n", what, nc_strerror(status));
        exit(2);
    }
}

struct output {
    int ncid, temp, salt, mld;
};

struct column {
    double temp[NZ], salt[NZ];
    double lat;
};

static struct output output_create(const char *path, size_t nfloat, size_t nday)
{
    struct output o;
    int dims[3];
    check(nc_create(path, NC_CLOBBER | NC_NETCDF4, &o.ncid), path);
    check(nc_def_dim(o.ncid, "day", nday, &dims[0]), "day");
    check(nc_def_dim(o.ncid, "float", nfloat, &dims[1]), "float");
    check(nc_def_dim(o.ncid, "depth", NZ, &dims[2]), "depth");
    check(nc_def_var(o.ncid, "temperature", NC_FLOAT, 3, dims, &o.temp), "temperature");
    check(nc_def_var(o.ncid, "salinity", NC_FLOAT, 3, dims, &o.salt), "salinity");
    check(nc_def_var(o.ncid, "mld", NC_FLOAT, 2, dims, &o.mld), "mld");
    check(nc_enddef(o.ncid), "enddef");
    return o;
}

static double density(double t, double s)
{
    return 1027.0 - 0.15 * (t - 10.0) - 0.0035 * (t - 10.0) * (t - 10.0) + 0.78 * (s - 35.0);
}

static double mixed_layer(const struct column *c)
{
    double surface = density(c->temp[0], c->salt[0]);
    for (int k = 1; k < NZ; k++)
        if (density(c->temp[k], c->salt[k]) > surface + 0.03)
            return k * DZ;
    return NZ * DZ;
}

/* All floats of one day. */
static void output_day(const struct output *o, size_t day, size_t nfloat, const struct column *c)
{
    size_t start[3] = { day, 0, 0 }, count[3] = { 1, nfloat, NZ };
    float *mld = malloc(sizeof *mld * nfloat);
    float *t = malloc(sizeof *t * nfloat * NZ), *s = malloc(sizeof *s * nfloat * NZ);
    for (size_t f = 0; f < nfloat; f++) {
        mld[f] = (float)mixed_layer(&c[f]);
        for (int k = 0; k < NZ; k++) {
            t[f * NZ + (size_t)k] = (float)c[f].temp[k];
            s[f * NZ + (size_t)k] = (float)c[f].salt[k];
        }
    }
    check(nc_put_vara_float(o->ncid, o->mld, start, count, mld), "mld");
    check(nc_put_vara_float(o->ncid, o->temp, start, count, t), "temperature");
    check(nc_put_vara_float(o->ncid, o->salt, start, count, s), "salinity");
    free(mld);
    free(t);
    free(s);
}

static void column_start(struct column *c, size_t fl, size_t nfloat)
{
    c->lat = -60.0 + 120.0 * (double)fl / (double)nfloat;
    double warm = 28.0 * cos(c->lat * M_PI / 180.0);
    for (int k = 0; k < NZ; k++) {
        double z = k * DZ;
        c->temp[k] = 4.0 + (warm - 4.0) * exp(-z / 110.0);
        c->salt[k] = 34.6 + 0.6 * exp(-(z - 90) * (z - 90) / 4000.0);
    }
}

/* One day in half-hour steps: solar heating, wind mixing, convection. */
static void column_day(struct column *c, int day)
{
    double season = 1.0 + 0.5 * sin(2 * M_PI * (day - 80) / 365.0) * (c->lat > 0 ? 1 : -1);
    for (int step = 0; step < 48; step++) {
        double sun = fmax(0.0, sin(2 * M_PI * (step - 12) / 48.0)) * 700.0 * season;
        double wind = 7.0 + 4.0 * sin(0.7 * day + 0.1 * c->lat);
        double kv[NZ], flux[NZ + 1];
        for (int k = 0; k < NZ; k++) {
            kv[k] = 1e-5 + 2e-2 * wind / 10.0 * exp(-k * DZ / (3.0 * wind));
            c->temp[k] += sun * exp(-k * DZ / 14.0) / 14.0 * 1800.0 / 4.1e6;
        }
        c->temp[0] -= 190.0 * 1800.0 / (4.1e6 * DZ);
        flux[0] = flux[NZ] = 0;
        for (int k = 1; k < NZ; k++)
            flux[k] = kv[k] * (c->temp[k] - c->temp[k - 1]) / DZ;
        for (int k = 0; k < NZ; k++)
            c->temp[k] += 180.0 * (flux[k + 1] - flux[k]) / DZ;
        for (int k = 0; k + 1 < NZ; k++)
            if (density(c->temp[k], c->salt[k]) > density(c->temp[k + 1], c->salt[k + 1])) {
                double t = 0.5 * (c->temp[k] + c->temp[k + 1]);
                double s = 0.5 * (c->salt[k] + c->salt[k + 1]);
                c->temp[k] = c->temp[k + 1] = t;
                c->salt[k] = c->salt[k + 1] = s;
            }
    }
}

int main(int argc, char **argv)
{
    size_t nfloat = argc > 1 ? (size_t)atol(argv[1]) : 120;
    int nday = argc > 2 ? atoi(argv[2]) : 60;
    struct column *col = malloc(sizeof *col * nfloat);
    struct output out = output_create("profiles.nc", nfloat, (size_t)nday);
    double heat = 0;

    for (size_t f = 0; f < nfloat; f++)
        column_start(&col[f], f, nfloat);
    for (int day = 0; day < nday; day++) {
        for (size_t f = 0; f < nfloat; f++)
            column_day(&col[f], day);
        output_day(&out, (size_t)day, nfloat, col);
    }
    for (size_t f = 0; f < nfloat; f++)
        for (int k = 0; k < NZ; k++)
            heat += col[f].temp[k];
    check(nc_close(out.ncid), "close");
    printf("floats %zu days %d mean temperature %.6f\n", nfloat, nday,
           heat / (double)(nfloat * NZ));
    free(col);
    return 0;
}
