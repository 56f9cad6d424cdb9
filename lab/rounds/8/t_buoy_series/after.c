/* Synthesise wave-buoy records from a spectral model and store them as
 * one NetCDF file (time, buoy, variable fields). */
#include <math.h>
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>

#define NFREQ 48
#define NVAR 5

static const char *var_name[NVAR] = { "hs", "tp", "tm02", "dir", "spread" };
static const char *var_unit[NVAR] = { "m", "s", "s", "degree", "degree" };

typedef struct {
    int ncid;
    int var[NVAR];
    int time;
} Archive;

typedef struct {
    double lat, depth, shelter;
} Buoy;

static void check(int rc, const char *what)
{
    if (rc != NC_NOERR) {
        fprintf(stderr, "%s: %s\n", what, nc_strerror(rc));
        exit(1);
    }
}

static void archive_create(Archive *a, const char *path, int nbuoy, int ntime)
{
    int dims[2];
    check(nc_create(path, NC_CLOBBER | NC_NETCDF4, &a->ncid), "create");
    check(nc_def_dim(a->ncid, "time", (size_t)ntime, &dims[0]), "dim");
    check(nc_def_dim(a->ncid, "buoy", (size_t)nbuoy, &dims[1]), "dim");
    check(nc_def_var(a->ncid, "time", NC_DOUBLE, 1, dims, &a->time), "var");
    for (int v = 0; v < NVAR; v++) {
        check(nc_def_var(a->ncid, var_name[v], NC_FLOAT, 2, dims, &a->var[v]), "var");
        check(nc_put_att_text(a->ncid, a->var[v], "units", 6, var_unit[v][0] == 'd' ? "degree" : "si    "), "att");
    }
    check(nc_enddef(a->ncid), "enddef");
}

static void archive_all(Archive *a, float *const series[NVAR], const double *hours)
{
    check(nc_put_var_double(a->ncid, a->time, hours), "time");
    for (int v = 0; v < NVAR; v++)
        check(nc_put_var_float(a->ncid, a->var[v], series[v]), var_name[v]);
}

/* JONSWAP-like spectrum integrated to bulk parameters */
static void wave_record(const Buoy *b, double hours, float *rec)
{
    double wind = 9.0 + 5.0 * sin(hours / 31.0 + b->lat) + 2.0 * cos(hours / 7.0);
    double fp = 0.13 * 9.81 / (wind + 1.0), m0 = 0.0, m2 = 0.0, sx = 0.0, sy = 0.0;
    for (int k = 0; k < NFREQ; k++) {
        double f = 0.04 * pow(1.055, k), df = 0.055 * f;
        double r = fp / f, sig = f <= fp ? 0.07 : 0.09;
        double pk = exp(-(f - fp) * (f - fp) / (2 * sig * sig * fp * fp));
        double s = 0.0081 * 96.2 / pow(2 * M_PI, 4) * pow(f, -5) * exp(-1.25 * r * r * r * r) * pow(3.3, pk);
        s *= b->shelter * tanh(4 * M_PI * M_PI * f * f * b->depth / 9.81);
        double th = 0.3 * hours / 24.0 + 0.1 * log(f);
        m0 += s * df;
        m2 += s * f * f * df;
        sx += s * cos(th) * df;
        sy += s * sin(th) * df;
    }
    rec[0] = (float)(4.0 * sqrt(m0));
    rec[1] = (float)(1.0 / fp);
    rec[2] = (float)sqrt(m0 / m2);
    rec[3] = (float)(atan2(sy, sx) * 180.0 / M_PI);
    rec[4] = (float)(sqrt(fabs(2.0 - 2.0 * sqrt(sx * sx + sy * sy) / m0)) * 180.0 / M_PI);
}

static Buoy *buoys(int n)
{
    Buoy *b = malloc((size_t)n * sizeof *b);
    for (int i = 0; i < n; i++) {
        b[i].lat = 40.0 + 0.2 * i;
        b[i].depth = 20.0 + 3.0 * (i % 37);
        b[i].shelter = 1.0 - 0.3 * ((i * 7) % 10) / 10.0;
    }
    return b;
}

int main(int argc, char **argv)
{
    int nbuoy = argc > 1 ? atoi(argv[1]) : 100;
    int ntime = argc > 2 ? atoi(argv[2]) : 400;
    Archive a;
    Buoy *b = buoys(nbuoy);
    archive_create(&a, "buoys.nc", nbuoy, ntime);
    float *series[NVAR];
    double *hours = malloc((size_t)ntime * sizeof *hours);
    for (int v = 0; v < NVAR; v++)
        series[v] = malloc((size_t)ntime * nbuoy * sizeof(float));
    double top = 0.0;
    for (int t = 0; t < ntime; t++) {
        hours[t] = t * 0.5;
        for (int i = 0; i < nbuoy; i++) {
            float rec[NVAR];
            wave_record(&b[i], t * 0.5, rec);
            if (rec[0] > top)
                top = rec[0];
            for (int v = 0; v < NVAR; v++)
                series[v][(size_t)t * nbuoy + i] = rec[v];
        }
    }
    archive_all(&a, series, hours);
    check(nc_close(a.ncid), "close");
    printf("%d buoys, %d times, highest Hs %.3f m\n", nbuoy, ntime, top);
    free(b);
    return 0;
}
