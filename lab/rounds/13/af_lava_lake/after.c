/* cooling of a lava lake: 2-D heat conduction with a radiating surface and
 * latent heat; temperature and melt fraction go to lake.nc */
#include <math.h>
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>

#define NX 96
#define NZ 64
#define T_ERUPT 1453.0     /* K */
#define T_SOLIDUS 1273.0
#define T_AIR 300.0
#define KAPPA 6e-7         /* m2/s */
#define LATENT 3.2e5       /* J/kg */
#define CP 1200.0
#define SIGMA 5.67e-8

static double t[NZ][NX], tn[NZ][NX], melt[NZ][NX];
static const double dx = 0.5;     /* m */

static void check(int e)
{
    if (e != NC_NOERR) { fprintf(stderr, "%s\n", nc_strerror(e)); exit(1); }
}

struct output { int nc, temp, melt, time; size_t next; };

static struct output create(const char *name)
{
    struct output o = {0};
    int d[3];
    check(nc_create(name, NC_CLOBBER | NC_NETCDF4, &o.nc));
    check(nc_def_dim(o.nc, "time", NC_UNLIMITED, &d[0]));
    check(nc_def_dim(o.nc, "z", NZ, &d[1]));
    check(nc_def_dim(o.nc, "x", NX, &d[2]));
    check(nc_def_var(o.nc, "time", NC_DOUBLE, 1, d, &o.time));
    check(nc_def_var(o.nc, "temperature", NC_FLOAT, 3, d, &o.temp));
    check(nc_def_var(o.nc, "melt", NC_FLOAT, 3, d, &o.melt));
    check(nc_put_att_text(o.nc, o.temp, "units", 1, "K"));
    check(nc_enddef(o.nc));
    return o;
}

static void put_field(const struct output *o, int var, double f[NZ][NX])
{
    size_t at[3] = {o->next, 0, 0}, n[3] = {1, NZ, NX};
    check(nc_put_vara_double(o->nc, var, at, n, &f[0][0]));
}

static void save(struct output *o, double when)
{
    check(nc_put_var1_double(o->nc, o->time, &o->next, &when));
    put_field(o, o->temp, t);
    put_field(o, o->melt, melt);
    o->next++;
}

static void initial(void)
{
    for (int k = 0; k < NZ; k++)
        for (int i = 0; i < NX; i++) {
            double r = fabs(i - NX / 2.0) / (NX / 2.0), z = (double)k / NZ;
            t[k][i] = r < 0.9 * (1.0 - 0.5 * z * z) ? T_ERUPT + 4.0 * sin(0.3 * i) : 500.0;
            melt[k][i] = t[k][i] > T_SOLIDUS ? 1.0 : 0.0;
        }
}

/* one explicit step; heat of crystallisation holds the temperature at the solidus */
static void step(double dt)
{
    double a = KAPPA * dt / (dx * dx);
    for (int k = 0; k < NZ; k++)
        for (int i = 0; i < NX; i++) {
            double c = t[k][i];
            double up = k > 0 ? t[k - 1][i] : c, down = k < NZ - 1 ? t[k + 1][i] : c;
            double left = i > 0 ? t[k][i - 1] : c, right = i < NX - 1 ? t[k][i + 1] : c;
            double v = c + a * (up + down + left + right - 4.0 * c);
            if (k == 0) {
                double q = 0.9 * SIGMA * (pow(c, 4) - pow(T_AIR, 4));
                v -= fmin(dt * q / (2700.0 * CP * dx) * 0.01, 30.0);
            }
            if (melt[k][i] > 0.0 && v < T_SOLIDUS) {
                double need = (T_SOLIDUS - v) * CP / LATENT, use = fmin(need, melt[k][i]);
                melt[k][i] -= use;
                v += use * LATENT / CP;
            }
            tn[k][i] = v;
        }
    for (int k = 0; k < NZ; k++)
        for (int i = 0; i < NX; i++) t[k][i] = tn[k][i];
}

int main(int argc, char **argv)
{
    int records = argc > 1 ? atoi(argv[1]) : 150, sub = argc > 2 ? atoi(argv[2]) : 12;
    double dt = 40000.0, when = 0, liquid = 0, heat = 0;
    struct output o = create("lake.nc");
    initial();
    for (int r = 0; r < records; r++) {
        for (int s = 0; s < sub; s++, when += dt) step(dt);
        save(&o, when / 86400.0);
    }
    check(nc_close(o.nc));
    for (int k = 0; k < NZ; k++)
        for (int i = 0; i < NX; i++) { liquid += melt[k][i] * dx * dx; heat += t[k][i]; }
    printf("%.0f days: melt %.3f m2, mean temperature %.3f K\n", when / 86400.0, liquid, heat / (NX * NZ));
    return 0;
}
