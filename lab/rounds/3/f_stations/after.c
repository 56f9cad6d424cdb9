/* Hourly station climatology generator, one NetCDF file for the whole network. */
#include <math.h>
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call) do { int rc_ = (call); if (rc_ != NC_NOERR) { \
    fprintf(stderr, "%s\n", nc_strerror(rc_)); exit(1); } } while (0)

typedef struct {
    double lat, lon, elevation;
    double bias;
} Station;

typedef struct {
    int id, time_dim, station_dim;
    int temperature, pressure;
} NetworkFile;

static void place_stations(Station *st, int n)
{
    for (int i = 0; i < n; i++) {
        st[i].lat = -60.0 + 120.0 * fmod(i * 0.618033988749895, 1.0);
        st[i].lon = 360.0 * fmod(i * 0.754877666246693, 1.0);
        st[i].elevation = 2500.0 * fmod(i * 0.569840290998053, 1.0);
        st[i].bias = 0.2 * sin(i);
    }
}

static double temperature_at(const Station *s, int hour)
{
    double season = 12.0 * cos(2.0 * M_PI * hour / 8766.0) * (s->lat / 60.0);
    double daily = 4.0 * cos(2.0 * M_PI * (hour + s->lon / 15.0) / 24.0);
    return 288.0 - 0.3 * fabs(s->lat) - 0.0065 * s->elevation + season + daily + s->bias;
}

static double pressure_at(const Station *s, double temp)
{
    return 101325.0 * exp(-9.80665 * s->elevation / (287.05 * temp));
}

static void create_network(NetworkFile *f, const char *name, int nhour, int nstation)
{
    int dims[2];
    size_t chunk[2] = {(size_t)(nhour < 200 ? nhour : 200), (size_t)nstation};
    CHECK(nc_create(name, NC_CLOBBER | NC_NETCDF4, &f->id));
    CHECK(nc_def_dim(f->id, "time", (size_t)nhour, &f->time_dim));
    CHECK(nc_def_dim(f->id, "station", (size_t)nstation, &f->station_dim));
    dims[0] = f->time_dim;
    dims[1] = f->station_dim;
    CHECK(nc_def_var(f->id, "temperature", NC_DOUBLE, 2, dims, &f->temperature));
    CHECK(nc_def_var(f->id, "pressure", NC_DOUBLE, 2, dims, &f->pressure));
    CHECK(nc_def_var_chunking(f->id, f->temperature, NC_CHUNKED, chunk));
    CHECK(nc_def_var_chunking(f->id, f->pressure, NC_CHUNKED, chunk));
    CHECK(nc_put_att_text(f->id, f->temperature, "units", 1, "K"));
    CHECK(nc_put_att_text(f->id, f->pressure, "units", 2, "Pa"));
    CHECK(nc_enddef(f->id));
}

int main(int argc, char **argv)
{
    int nhour = argc > 1 ? atoi(argv[1]) : 500;
    int nstation = 120;
    Station *st = malloc(sizeof(Station) * nstation);
    NetworkFile net;
    double sum = 0.0;

    place_stations(st, nstation);
    create_network(&net, "network.nc", nhour, nstation);
    enum { BLOCK = 200 };
    double *t = malloc(sizeof(double) * BLOCK * nstation);
    double *p = malloc(sizeof(double) * BLOCK * nstation);
    for (int h0 = 0; h0 < nhour; h0 += BLOCK) {
        int nb = nhour - h0 < BLOCK ? nhour - h0 : BLOCK;
        for (int h = 0; h < nb; h++) {
            for (int i = 0; i < nstation; i++) {
                int k = h * nstation + i;
                t[k] = temperature_at(&st[i], h0 + h);
                p[k] = pressure_at(&st[i], t[k]);
                sum += t[k];
            }
        }
        size_t at[2] = {(size_t)h0, 0}, count[2] = {(size_t)nb, (size_t)nstation};
        CHECK(nc_put_vara_double(net.id, net.temperature, at, count, t));
        CHECK(nc_put_vara_double(net.id, net.pressure, at, count, p));
    }
    free(t);
    free(p);
    CHECK(nc_close(net.id));
    printf("mean temperature %.5f\n", sum / ((double)nhour * nstation));
    free(st);
    return 0;
}
