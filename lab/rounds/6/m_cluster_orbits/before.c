/* Direct N-body integration of a small star cluster (leapfrog, softened gravity).
 * One line of diagnostics per step, restart file every 20 steps. */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define NSTAR 1200

typedef struct {
    double x[NSTAR], y[NSTAR], z[NSTAR];
    double vx[NSTAR], vy[NSTAR], vz[NSTAR];
} Cluster;

static Cluster c;
static double ax[NSTAR], ay[NSTAR], az[NSTAR];

static double uniform(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) / 16777216.0;
}

static double accelerations(void)
{
    const double eps2 = 0.01, mass = 1.0 / NSTAR;
    double potential = 0.0;
    for (int i = 0; i < NSTAR; i++) {
        double sx = 0, sy = 0, sz = 0, pot = 0;
        for (int j = 0; j < NSTAR; j++) {
            double dx = c.x[j] - c.x[i], dy = c.y[j] - c.y[i], dz = c.z[j] - c.z[i];
            double r2 = dx * dx + dy * dy + dz * dz + eps2;
            double inv = 1.0 / sqrt(r2);
            double w = mass * inv * inv * inv;
            sx += w * dx;
            sy += w * dy;
            sz += w * dz;
            pot -= mass * inv;
        }
        ax[i] = sx;
        ay[i] = sy;
        az[i] = sz;
        potential += 0.5 * mass * pot;
    }
    return potential;
}

static void save_restart(int step)
{
    char name[64];
    snprintf(name, sizeof name, "restart_%04d.bin", step);
    FILE *f = fopen(name, "wb");
    if (!f) {
        perror(name);
        exit(1);
    }
    fwrite(&step, sizeof step, 1, f);
    fwrite(&c, sizeof c, 1, f);
    fclose(f);
}

int main(int argc, char **argv)
{
    int nsteps = argc > 1 ? atoi(argv[1]) : 240;
    double dt = 0.005;
    unsigned seed = 31;
    for (int i = 0; i < NSTAR; i++) {
        c.x[i] = uniform(&seed) - 0.5;
        c.y[i] = uniform(&seed) - 0.5;
        c.z[i] = uniform(&seed) - 0.5;
        c.vx[i] = 0.2 * (uniform(&seed) - 0.5);
        c.vy[i] = 0.2 * (uniform(&seed) - 0.5);
        c.vz[i] = 0.2 * (uniform(&seed) - 0.5);
    }
    FILE *diag = fopen("diagnostics.txt", "w");
    if (!diag)
        return 1;
    double pot = accelerations(), kin = 0.0;
    for (int step = 1; step <= nsteps; step++) {
        for (int i = 0; i < NSTAR; i++) {
            c.vx[i] += 0.5 * dt * ax[i];
            c.vy[i] += 0.5 * dt * ay[i];
            c.vz[i] += 0.5 * dt * az[i];
            c.x[i] += dt * c.vx[i];
            c.y[i] += dt * c.vy[i];
            c.z[i] += dt * c.vz[i];
        }
        pot = accelerations();
        kin = 0.0;
        for (int i = 0; i < NSTAR; i++) {
            c.vx[i] += 0.5 * dt * ax[i];
            c.vy[i] += 0.5 * dt * ay[i];
            c.vz[i] += 0.5 * dt * az[i];
            kin += 0.5 / NSTAR * (c.vx[i] * c.vx[i] + c.vy[i] * c.vy[i] + c.vz[i] * c.vz[i]);
        }
        fprintf(diag, "%6d %10.4f %16.8e %16.8e %16.8e\n", step, step * dt, kin, pot, kin + pot);
        fflush(diag);
        if (step % 20 == 0)
            save_restart(step);
    }
    fclose(diag);
    printf("steps %d  E %.8f  virial ratio %.6f\n", nsteps, kin + pot, -2.0 * kin / pot);
    return 0;
}
