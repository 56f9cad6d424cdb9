/* Wind-driven barotropic gyre (vorticity-streamfunction), with a NetCDF
 * record of the circulation and a few scalar series. */
#include <math.h>
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NX 128
#define NY 128

typedef struct {
    double psi[NY][NX], zeta[NY][NX], next[NY][NX], curl[NY];
    double h, dt, beta, drag;
} Gyre;

typedef struct {
    int ncid, time, energy, psi;
    size_t n;
} Output;

static void check(int rc)
{
    if (rc != NC_NOERR) {
        fprintf(stderr, "netcdf: %s\n", nc_strerror(rc));
        exit(1);
    }
}

static void gyre_init(Gyre *g)
{
    memset(g, 0, sizeof *g);
    g->h = 1.0 / (NX - 1);
    g->dt = 2e-4;
    g->beta = 60.0;
    g->drag = 1.2;
    for (int j = 0; j < NY; j++)
        g->curl[j] = -M_PI * sin(M_PI * j / (NY - 1));
}

static void relax(Gyre *g, int sweeps)
{
    double h2 = g->h * g->h, w = 1.7;
    for (int s = 0; s < sweeps; s++)
        for (int color = 0; color < 2; color++)
            for (int j = 1; j < NY - 1; j++)
                for (int i = 1 + (j + color) % 2; i < NX - 1; i += 2) {
                    double r = g->psi[j][i + 1] + g->psi[j][i - 1] + g->psi[j + 1][i] + g->psi[j - 1][i]
                             - 4.0 * g->psi[j][i] - h2 * g->zeta[j][i];
                    g->psi[j][i] += 0.25 * w * r;
                }
}

static void advance(Gyre *g)
{
    double i2 = 0.5 / g->h, ih2 = 1.0 / (g->h * g->h);
    for (int j = 1; j < NY - 1; j++)
        for (int i = 1; i < NX - 1; i++) {
            double u = -(g->psi[j + 1][i] - g->psi[j - 1][i]) * i2;
            double v = (g->psi[j][i + 1] - g->psi[j][i - 1]) * i2;
            double zx = (g->zeta[j][i + 1] - g->zeta[j][i - 1]) * i2;
            double zy = (g->zeta[j + 1][i] - g->zeta[j - 1][i]) * i2;
            double lap = (g->zeta[j][i + 1] + g->zeta[j][i - 1] + g->zeta[j + 1][i] + g->zeta[j - 1][i]
                          - 4.0 * g->zeta[j][i]) * ih2;
            g->next[j][i] = g->zeta[j][i] + g->dt * (-u * zx - v * zy - g->beta * v + g->curl[j]
                                                     - g->drag * g->zeta[j][i] + 0.02 * lap);
        }
    memcpy(g->zeta, g->next, sizeof g->zeta);
    relax(g, 6);
}

static double kinetic(const Gyre *g)
{
    double e = 0.0;
    for (int j = 1; j < NY; j++)
        for (int i = 1; i < NX; i++) {
            double u = g->psi[j][i] - g->psi[j - 1][i], v = g->psi[j][i] - g->psi[j][i - 1];
            e += 0.5 * (u * u + v * v);
        }
    return e;
}

static void output_create(Output *o, const char *path)
{
    int d[3];
    size_t chunk[3] = { 1, NY, NX };
    check(nc_create(path, NC_CLOBBER | NC_NETCDF4, &o->ncid));
    check(nc_def_dim(o->ncid, "time", NC_UNLIMITED, &d[0]));
    check(nc_def_dim(o->ncid, "y", NY, &d[1]));
    check(nc_def_dim(o->ncid, "x", NX, &d[2]));
    check(nc_def_var(o->ncid, "time", NC_DOUBLE, 1, d, &o->time));
    check(nc_def_var(o->ncid, "energy", NC_DOUBLE, 1, d, &o->energy));
    check(nc_def_var(o->ncid, "psi", NC_DOUBLE, 3, d, &o->psi));
    check(nc_def_var_chunking(o->ncid, o->psi, NC_CHUNKED, chunk));
    check(nc_enddef(o->ncid));
    o->n = 0;
}

static void output_record(Output *o, const Gyre *g, double t)
{
    size_t start[3] = { o->n, 0, 0 }, count[3] = { 1, NY, NX };
    double e = kinetic(g);
    check(nc_put_var1_double(o->ncid, o->time, start, &t));
    check(nc_put_var1_double(o->ncid, o->energy, start, &e));
    check(nc_put_vara_double(o->ncid, o->psi, start, count, &g->psi[0][0]));
    o->n++;
}

int main(int argc, char **argv)
{
    static Gyre g;
    Output o;
    int steps = argc > 1 ? atoi(argv[1]) : 3000;
    int every = argc > 2 ? atoi(argv[2]) : 100;
    gyre_init(&g);
    output_create(&o, "gyre.nc");
    for (int n = 0; n < steps; n++) {
        advance(&g);
        if (n % every == 0)
            output_record(&o, &g, n * g.dt);
    }
    check(nc_close(o.ncid));
    printf("%zu records, kinetic energy %.6e\n", o.n, kinetic(&g));
    return 0;
}
