/* Rainfall-runoff model on a small catchment; discharge and soil moisture of
 * every cell are stored at each output time in a NetCDF file. */
#include <math.h>
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>

#define NLAT 48
#define NLON 64

static void check(int status)
{
    if (status != NC_NOERR) {
        fprintf(stderr, "netcdf: %s\n", nc_strerror(status));
        exit(1);
    }
}

typedef struct {
    double soil[NLAT][NLON];
    double flow[NLAT][NLON];
} catchment_t;

static double rainfall(int step, int j, int i)
{
    double s = sin(0.13 * step + 0.2 * j) * cos(0.07 * step - 0.1 * i);
    return s > 0.4 ? 3.0 * (s - 0.4) : 0.0;
}

static void advance(catchment_t *c, int step)
{
    for (int j = 0; j < NLAT; j++)
        for (int i = 0; i < NLON; i++) {
            double s = c->soil[j][i] + rainfall(step, j, i);
            double q = s > 2.0 ? 0.3 * (s - 2.0) : 0.0;
            c->soil[j][i] = 0.985 * (s - q);
            c->flow[j][i] = 0.6 * c->flow[j][i] + q;
            if (i > 0)
                c->flow[j][i] += 0.1 * c->flow[j][i - 1];
        }
}

static void save_state(int nc, int soil_id, int flow_id, const catchment_t *c, size_t rec)
{
    size_t start[3] = {rec, 0, 0}, count[3] = {1, NLAT, NLON};
    check(nc_put_vara_double(nc, soil_id, start, count, &c->soil[0][0]));
    check(nc_put_vara_double(nc, flow_id, start, count, &c->flow[0][0]));
}

int main(int argc, char **argv)
{
    int nrec = argc > 1 ? atoi(argv[1]) : 24;
    int nc, dim[3], soil_id, flow_id;
    catchment_t *c = calloc(1, sizeof *c);

    check(nc_create("runoff.nc", NC_NETCDF4 | NC_CLOBBER, &nc));
    check(nc_def_dim(nc, "time", nrec, &dim[0]));
    check(nc_def_dim(nc, "lat", NLAT, &dim[1]));
    check(nc_def_dim(nc, "lon", NLON, &dim[2]));
    check(nc_def_var(nc, "soil_moisture", NC_DOUBLE, 3, dim, &soil_id));
    check(nc_def_var(nc, "discharge", NC_DOUBLE, 3, dim, &flow_id));
    check(nc_put_att_text(nc, flow_id, "units", 6, "mm/day"));
    check(nc_enddef(nc));

    for (int r = 0; r < nrec; r++) {
        for (int s = 0; s < 10; s++)
            advance(c, r * 10 + s);
        save_state(nc, soil_id, flow_id, c, r);
    }
    check(nc_close(nc));

    double sum = 0.0;
    for (int j = 0; j < NLAT; j++)
        for (int i = 0; i < NLON; i++)
            sum += c->flow[j][i];
    printf("%d records, final discharge %.6f\n", nrec, sum);
    free(c);
    return 0;
}
