/* Runoff routing on a catchment grid: a linear reservoir per cell, discharge
 * and storage are stored for each model day in a NetCDF file. */
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

#define CHECK(e) do { int rc_ = (e); if (rc_ != NC_NOERR) { \
    fprintf(stderr, "%s\n", nc_strerror(rc_)); exit(1); } } while (0)

typedef struct {
    int ny, nx;
    float *storage, *discharge, *recession;
} Catchment;

typedef struct {
    int ncid, time, storage, discharge;
} Output;

static void init_catchment(Catchment *c, int ny, int nx)
{
    size_t cells = (size_t)ny * nx;
    c->ny = ny;
    c->nx = nx;
    c->storage = calloc(cells, sizeof(float));
    c->discharge = calloc(cells, sizeof(float));
    c->recession = malloc(cells * sizeof(float));
    for (size_t i = 0; i < cells; i++)
        c->recession[i] = 0.05f + 0.1f * (float)((i * 7919) % 100) / 100.0f;
}

static void open_output(Output *o, const Catchment *c)
{
    int dim[3];
    CHECK(nc_create("runoff.nc", NC_CLOBBER | NC_NETCDF4, &o->ncid));
    CHECK(nc_def_dim(o->ncid, "time", NC_UNLIMITED, &dim[0]));
    CHECK(nc_def_dim(o->ncid, "y", c->ny, &dim[1]));
    CHECK(nc_def_dim(o->ncid, "x", c->nx, &dim[2]));
    CHECK(nc_def_var(o->ncid, "time", NC_DOUBLE, 1, dim, &o->time));
    CHECK(nc_def_var(o->ncid, "storage", NC_FLOAT, 3, dim, &o->storage));
    CHECK(nc_def_var(o->ncid, "discharge", NC_FLOAT, 3, dim, &o->discharge));
    CHECK(nc_put_att_text(o->ncid, o->storage, "units", 2, "mm"));
    CHECK(nc_put_att_text(o->ncid, o->discharge, "units", 6, "mm d-1"));
    CHECK(nc_enddef(o->ncid));
}

static void route_day(Catchment *c, int day)
{
    for (int y = 0; y < c->ny; y++)
        for (int x = 0; x < c->nx; x++) {
            size_t i = (size_t)y * c->nx + x;
            float rain = 6.0f * fmaxf(0.0f, sinf(0.3f * day + 0.05f * x) * cosf(0.04f * y));
            c->storage[i] += rain;
            c->discharge[i] = c->recession[i] * c->storage[i];
            c->storage[i] -= c->discharge[i];
        }
}

static void store_day(const Output *o, const Catchment *c, size_t day)
{
    double t = (double)day;
    CHECK(nc_put_var1_double(o->ncid, o->time, &day, &t));
    size_t start[3] = { day, 0, 0 }, count[3] = { 1, (size_t)c->ny, (size_t)c->nx };
    CHECK(nc_put_vara_float(o->ncid, o->storage, start, count, c->storage));
    CHECK(nc_put_vara_float(o->ncid, o->discharge, start, count, c->discharge));
}

int main(int argc, char **argv)
{
    int days = argc > 1 ? atoi(argv[1]) : 36;
    Catchment c;
    Output out;
    init_catchment(&c, 80, 90);
    open_output(&out, &c);
    for (int day = 0; day < days; day++) {
        route_day(&c, day);
        store_day(&out, &c, day);
    }
    CHECK(nc_close(out.ncid));
    double total = 0;
    for (int i = 0; i < c.ny * c.nx; i++)
        total += c.storage[i];
    printf("days %d, mean storage %.4f mm\n", days, total / (c.ny * c.nx));
    free(c.storage);
    free(c.discharge);
    free(c.recession);
    return 0;
}
