/* Hourly archive of river gauges: stage, discharge and water temperature of
 * all stations of a basin, routed from a simple rainfall signal. */
#include <math.h>
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>

#define NSTATIONS 120

static void check(int status)
{
    if (status != NC_NOERR) {
        fprintf(stderr, "netcdf: %s\n", nc_strerror(status));
        exit(1);
    }
}

struct basin {
    double storage[NSTATIONS];
    float stage[NSTATIONS], discharge[NSTATIONS], temperature[NSTATIONS];
};

static void route_hour(struct basin *b, int hour)
{
    double inflow = 0;
    for (int s = 0; s < NSTATIONS; s++) {
        double rain = 4.0 + 3.5 * sin(0.031 * hour + 0.2 * s);
        b->storage[s] += rain + 0.2 * inflow;
        double q = 0.02 * pow(b->storage[s], 1.3);
        b->storage[s] -= q;
        inflow = q;
        b->discharge[s] = (float)q;
        b->stage[s] = (float)(0.4 * pow(q, 0.55));
        b->temperature[s] = (float)(11.0 + 6.0 * sin(hour * 2 * M_PI / 8760.0) - 0.01 * s);
    }
}

int main(int argc, char **argv)
{
    int nhours = argc > 1 ? atoi(argv[1]) : 720;
    int nc, dims[2], v_stage, v_discharge, v_temp;
    static struct basin basin;

    check(nc_create("gauges.nc", NC_NETCDF4 | NC_CLOBBER, &nc));
    check(nc_def_dim(nc, "hour", nhours, &dims[0]));
    check(nc_def_dim(nc, "station", NSTATIONS, &dims[1]));
    check(nc_def_var(nc, "stage", NC_FLOAT, 2, dims, &v_stage));
    check(nc_def_var(nc, "discharge", NC_FLOAT, 2, dims, &v_discharge));
    check(nc_def_var(nc, "temperature", NC_FLOAT, 2, dims, &v_temp));
    check(nc_put_att_text(nc, v_discharge, "units", 5, "m3/s "));
    check(nc_enddef(nc));

    for (int s = 0; s < NSTATIONS; s++)
        basin.storage[s] = 100.0 + s;
    double volume = 0;
    for (int hour = 0; hour < nhours; hour++) {
        route_hour(&basin, hour);
        for (int s = 0; s < NSTATIONS; s++) {
            size_t at[2] = {hour, s};
            check(nc_put_var1_float(nc, v_stage, at, &basin.stage[s]));
            check(nc_put_var1_float(nc, v_discharge, at, &basin.discharge[s]));
            check(nc_put_var1_float(nc, v_temp, at, &basin.temperature[s]));
        }
        volume += basin.discharge[NSTATIONS - 1] * 3600.0;
    }
    check(nc_close(nc));
    printf("volume at outlet %.6g m3\n", volume);
    return 0;
}
