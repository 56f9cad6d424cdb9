/* Parametric wave model: significant height, period and direction on a regional grid. */
#include <math.h>
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>

#define NLAT 60
#define NLON 90

static void check(int status)
{
    if (status != NC_NOERR) {
        fprintf(stderr, "%s\n", nc_strerror(status));
        exit(1);
    }
}

typedef struct {
    int id, height, period, direction, time;
} product_t;

static void define_product(product_t *p, const char *path)
{
    int dims[3];
    check(nc_create(path, NC_CLOBBER | NC_NETCDF4, &p->id));
    check(nc_def_dim(p->id, "time", NC_UNLIMITED, &dims[0]));
    check(nc_def_dim(p->id, "lat", NLAT, &dims[1]));
    check(nc_def_dim(p->id, "lon", NLON, &dims[2]));
    check(nc_def_var(p->id, "time", NC_DOUBLE, 1, dims, &p->time));
    check(nc_def_var(p->id, "hs", NC_FLOAT, 3, dims, &p->height));
    check(nc_def_var(p->id, "tp", NC_FLOAT, 3, dims, &p->period));
    check(nc_def_var(p->id, "dir", NC_FLOAT, 3, dims, &p->direction));
    size_t chunk[3] = {1, NLAT, NLON}, tchunk[1] = {1024};
    check(nc_def_var_chunking(p->id, p->time, NC_CHUNKED, tchunk));
    check(nc_def_var_chunking(p->id, p->height, NC_CHUNKED, chunk));
    check(nc_def_var_chunking(p->id, p->period, NC_CHUNKED, chunk));
    check(nc_def_var_chunking(p->id, p->direction, NC_CHUNKED, chunk));
    check(nc_put_att_text(p->id, p->height, "units", 1, "m"));
    check(nc_enddef(p->id));
}

static void sea_state(double u, double v, double fetch, float *hs, float *tp, float *dir)
{
    double speed = sqrt(u * u + v * v) + 0.1, x = 9.81 * fetch / (speed * speed);
    *hs = 0.283 * tanh(0.0125 * pow(x, 0.42)) * speed * speed / 9.81;
    *tp = 7.54 * tanh(0.077 * pow(x, 0.25)) * speed / 9.81;
    *dir = atan2(v, u) * 57.29578;
}

static double write_hour(const product_t *p, size_t hour)
{
    double mean = 0, stamp = 3600.0 * hour;
    check(nc_put_var1_double(p->id, p->time, &hour, &stamp));
    static float hs[NLAT][NLON], tp[NLAT][NLON], dir[NLAT][NLON];
    size_t start[3] = {hour, 0, 0}, count[3] = {1, NLAT, NLON};
    for (size_t j = 0; j < NLAT; j++)
        for (size_t i = 0; i < NLON; i++) {
            double u = 12.0 * cos(0.05 * i + 0.2 * hour), v = 9.0 * sin(0.08 * j - 0.1 * hour);
            sea_state(u, v, 1e3 * (10.0 + 4.0 * i), &hs[j][i], &tp[j][i], &dir[j][i]);
            mean += hs[j][i];
        }
    check(nc_put_vara_float(p->id, p->height, start, count, &hs[0][0]));
    check(nc_put_vara_float(p->id, p->period, start, count, &tp[0][0]));
    check(nc_put_vara_float(p->id, p->direction, start, count, &dir[0][0]));
    return mean / (NLAT * NLON);
}

int main(int argc, char **argv)
{
    int hours = argc > 1 ? atoi(argv[1]) : 24;
    product_t p;
    double sum = 0;
    define_product(&p, "swell.nc");
    for (int h = 0; h < hours; h++)
        sum += write_hour(&p, h);
    check(nc_close(p.id));
    printf("hours %d  mean height %.6f\n", hours, sum / hours);
    return 0;
}
