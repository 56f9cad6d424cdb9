/* Soil temperature under a seasonal sky, 5 layers on a 64 x 96 grid.
 * Output: soil.nc with soil_temp(time, layer, lat, lon), one record a day.
 *
 * usage: soil DAYS
 */
#include <math.h>
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>

#define NLAT 64
#define NLON 96
#define NLAY 5
#define SUBSTEPS 24

#define CHECK(e) do { int s_ = (e); if (s_) { \
    fprintf(stderr, "line %d: %s\n", __LINE__, nc_strerror(s_)); exit(1); } } while (0)

static float temp[NLAY][NLAT][NLON];
static const double depth[NLAY] = { 0.05, 0.15, 0.40, 1.0, 2.5 };

static double diffusivity(int j, int i)
{
    /* wet and dry soils in patches */
    return 4e-7 + 3e-7 * sin(0.21 * i) * cos(0.33 * j);
}

static double sky(int j, int day, int sub)
{
    double lat = (j + 0.5) / NLAT * M_PI - M_PI / 2;
    double season = sin(2 * M_PI * (day - 80) / 365.0);
    double hour = cos(2 * M_PI * (sub - 13.0) / SUBSTEPS);
    return 288 - 30 * sin(lat) * sin(lat) + 12 * sin(lat) * season + 6 * cos(lat) * hour;
}

static void one_day(int day)
{
    const double dt = 86400.0 / SUBSTEPS;
    for (int sub = 0; sub < SUBSTEPS; sub++)
        for (int j = 0; j < NLAT; j++) {
            double air = sky(j, day, sub);
            for (int i = 0; i < NLON; i++) {
                double k = diffusivity(j, i), flux[NLAY + 1];
                flux[0] = 8e-6 * (air - temp[0][j][i]);
                for (int l = 1; l < NLAY; l++)
                    flux[l] = k * (temp[l - 1][j][i] - temp[l][j][i]) / (depth[l] - depth[l - 1]);
                flux[NLAY] = 0;
                for (int l = 0; l < NLAY; l++) {
                    double thick = l ? depth[l] - depth[l - 1] : depth[0];
                    temp[l][j][i] += dt * (flux[l] - flux[l + 1]) / thick;
                }
            }
        }
}

static void create(const char *name, int *nc, int *var)
{
    int dim[4];
    CHECK(nc_create(name, NC_NETCDF4 | NC_CLOBBER, nc));
    CHECK(nc_def_dim(*nc, "time", NC_UNLIMITED, &dim[0]));
    CHECK(nc_def_dim(*nc, "layer", NLAY, &dim[1]));
    CHECK(nc_def_dim(*nc, "lat", NLAT, &dim[2]));
    CHECK(nc_def_dim(*nc, "lon", NLON, &dim[3]));
    CHECK(nc_def_var(*nc, "soil_temp", NC_FLOAT, 4, dim, var));
    size_t chunk[4] = { 1, NLAY, NLAT, NLON };
    CHECK(nc_def_var_chunking(*nc, *var, NC_CHUNKED, chunk));
    CHECK(nc_put_att_text(*nc, *var, "units", 1, "K"));
    CHECK(nc_enddef(*nc));
}

static void store(int nc, int var, int day)
{
    size_t start[4] = { day, 0, 0, 0 }, count[4] = { 1, NLAY, NLAT, NLON };
    CHECK(nc_put_vara_float(nc, var, start, count, &temp[0][0][0]));
}

int main(int argc, char **argv)
{
    int days = argc > 1 ? atoi(argv[1]) : 30, nc, var;
    for (int l = 0; l < NLAY; l++)
        for (int j = 0; j < NLAT; j++)
            for (int i = 0; i < NLON; i++)
                temp[l][j][i] = 280 + 0.1 * l;
    create("soil.nc", &nc, &var);
    for (int day = 0; day < days; day++) {
        one_day(day);
        store(nc, var, day);
    }
    CHECK(nc_close(nc));
    double sum[NLAY] = { 0 };
    for (int l = 0; l < NLAY; l++) {
        for (int j = 0; j < NLAT; j++)
            for (int i = 0; i < NLON; i++) sum[l] += temp[l][j][i];
        printf("layer %.2f m: mean %.4f K\n", depth[l], sum[l] / (NLAT * NLON));
    }
    return 0;
}
