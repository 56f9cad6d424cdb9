/* Interpolates buoy records to a regular time axis and stores wave height and
 * period as NetCDF variables (time, buoy). */
#include <math.h>
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>

#define NBUOY 40

static void check(int status, const char *what)
{
    if (status != NC_NOERR) {
        fprintf(stderr, "%s: %s\n", what, nc_strerror(status));
        exit(1);
    }
}

struct product {
    int ncid;
    int height;
    int period;
};

static void product_create(struct product *p, const char *path, size_t ntime)
{
    int dims[2];
    check(nc_create(path, NC_CLOBBER | NC_NETCDF4, &p->ncid), "create");
    check(nc_def_dim(p->ncid, "time", ntime, &dims[0]), "time");
    check(nc_def_dim(p->ncid, "buoy", NBUOY, &dims[1]), "buoy");
    check(nc_def_var(p->ncid, "wave_height", NC_DOUBLE, 2, dims, &p->height),
          "wave_height");
    check(nc_def_var(p->ncid, "wave_period", NC_DOUBLE, 2, dims, &p->period),
          "wave_period");
    check(nc_put_att_text(p->ncid, p->height, "units", 1, "m"), "units");
    check(nc_put_att_text(p->ncid, p->period, "units", 1, "s"), "units");
    check(nc_enddef(p->ncid), "enddef");
}

static double swell(double hours, int buoy)
{
    double x = hours / 12.4 + 0.13 * buoy;
    x -= floor(x);
    return 4.0 * x * (1.0 - x);
}

static double interpolate(const double *sample, double position)
{
    int k = (int)position;
    double f = position - k;
    return (1.0 - f) * sample[k] + f * sample[k + 1];
}

int main(int argc, char **argv)
{
    size_t ntime = argc > 1 ? (size_t)atol(argv[1]) : 2000;
    struct product p;
    product_create(&p, "buoys.nc", ntime);

    double *raw = malloc((ntime + 2) * sizeof(double));
    double mean_height = 0.0, longest = 0.0;
    for (int b = 0; b < NBUOY; b++) {
        for (size_t t = 0; t < ntime + 2; t++)
            raw[t] = 0.6 + 1.9 * swell((double)t * 0.51, b);
        for (size_t t = 0; t < ntime; t++) {
            size_t at[2] = {t, (size_t)b};
            double h = interpolate(raw, (double)t * 0.998);
            double w = 3.86 * sqrt(h) + 0.02 * b;
            check(nc_put_var1_double(p.ncid, p.height, at, &h), "put height");
            check(nc_put_var1_double(p.ncid, p.period, at, &w), "put period");
            mean_height += h / (double)ntime / NBUOY;
            if (w > longest)
                longest = w;
        }
    }
    check(nc_close(p.ncid), "close");
    free(raw);
    printf("%zu times x %d buoys: mean height %.6f m, longest period %.4f s\n",
           ntime, NBUOY, mean_height, longest);
    return 0;
}
