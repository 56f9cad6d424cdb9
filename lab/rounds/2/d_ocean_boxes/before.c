/* Box model of the ocean's carbon cycle: tracers of a chain of boxes are
 * stepped implicitly in small steps; a record is stored for every year. */
#include <math.h>
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>

#define NBOX 400
#define NTRACER 3

static void check(int status)
{
    if (status != NC_NOERR) {
        fprintf(stderr, "netcdf: %s\n", nc_strerror(status));
        exit(1);
    }
}

typedef struct {
    int nc, time_id, co2_id, tracer_id[NTRACER];
} history_t;

static void open_history(history_t *h)
{
    static const char *names[NTRACER] = {"dic", "alkalinity", "phosphate"};
    int dim[2];
    check(nc_create("boxes.nc", NC_CLOBBER | NC_64BIT_OFFSET, &h->nc));
    check(nc_def_dim(h->nc, "time", NC_UNLIMITED, &dim[0]));
    check(nc_def_dim(h->nc, "box", NBOX, &dim[1]));
    check(nc_def_var(h->nc, "time", NC_DOUBLE, 1, dim, &h->time_id));
    check(nc_def_var(h->nc, "pco2", NC_DOUBLE, 1, dim, &h->co2_id));
    for (int k = 0; k < NTRACER; k++)
        check(nc_def_var(h->nc, names[k], NC_DOUBLE, 2, dim, &h->tracer_id[k]));
    check(nc_enddef(h->nc));
}

static void store_year(const history_t *h, size_t rec, double year, double co2, double c[][NBOX])
{
    size_t start[2] = {rec, 0}, count[2] = {1, NBOX};
    check(nc_put_var1_double(h->nc, h->time_id, &rec, &year));
    check(nc_put_var1_double(h->nc, h->co2_id, &rec, &co2));
    for (int k = 0; k < NTRACER; k++)
        check(nc_put_vara_double(h->nc, h->tracer_id[k], start, count, c[k]));
}

static void mix(double *c, double kappa, double source)
{
    double cp[NBOX], dp[NBOX];
    cp[0] = -kappa / (1.0 + kappa);
    dp[0] = (c[0] + source) / (1.0 + kappa);
    for (int i = 1; i < NBOX; i++) {
        double m = 1.0 + 2.0 * kappa + kappa * cp[i - 1];
        cp[i] = -kappa / m;
        dp[i] = (c[i] + kappa * dp[i - 1]) / m;
    }
    c[NBOX - 1] = dp[NBOX - 1];
    for (int i = NBOX - 2; i >= 0; i--)
        c[i] = dp[i] - cp[i] * c[i + 1];
}

int main(int argc, char **argv)
{
    int years = argc > 1 ? atoi(argv[1]) : 100, sub = 1000;
    static double c[NTRACER][NBOX];
    double co2 = 280.0;
    history_t h;

    for (int k = 0; k < NTRACER; k++)
        for (int i = 0; i < NBOX; i++)
            c[k][i] = 2000.0 - 300.0 * k + 0.1 * i;
    open_history(&h);
    for (int y = 0; y < years; y++) {
        for (int s = 0; s < sub; s++) {
            double flux = 1e-3 * (co2 - 0.14 * c[0][0]);
            co2 += 1e-3 * (2.0 - flux);
            mix(c[0], 0.4, flux);
            mix(c[1], 0.3, 1e-4);
            mix(c[2], 0.2, 1e-5 * sin(0.01 * s));
        }
        store_year(&h, y, 1850.0 + y, co2, c);
        if (y % 25 == 24)
            check(nc_sync(h.nc));
    }
    check(nc_close(h.nc));
    printf("%d years, pCO2 %.6f, surface DIC %.6f\n", years, co2, c[0][0]);
    return 0;
}
