/*
 * Drainage of a foam between two plates.
 *
 *   d(alpha)/dt = - d(alpha^2)/dz + 1/2 div( sqrt(alpha) grad(alpha) )
 *
 * alpha: liquid fraction (relative).  Liquid injected on top follows a slow
 * oscillation.  Written out: the field, cell by cell as (x, z, alpha), a few
 * times in the whole run.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define NX 320
#define NZ 480

typedef double row[NX];
static row alpha[NZ], fresh[NZ], root[NZ];

static void wet(void)
{
    for (int z = 0; z < NZ; z++)
        for (int x = 0; x < NX; x++) {
            double bump = exp(-((x - 90.) * (x - 90.) + (z - 70.) * (z - 70.)) / 900.)
                        + exp(-((x - 230.) * (x - 230.) + (z - 120.) * (z - 120.)) / 1600.);
            alpha[z][x] = 0.10 + 0.9 * bump;
        }
}

static double flow(int z0, int x0, int z1, int x1)     /* capillary flux */
{
    return 0.25 * (root[z0][x0] + root[z1][x1]) * (alpha[z1][x1] - alpha[z0][x0]);
}

static void drain(double t, double dt)
{
    for (int z = 0; z < NZ; z++)
        for (int x = 0; x < NX; x++)
            root[z][x] = sqrt(alpha[z][x]);
    double inflow = 0.2 * (1 + 0.5 * sin(0.05 * t));
    for (int z = 0; z < NZ; z++)
        for (int x = 0; x < NX; x++) {
            int l = x ? x - 1 : NX - 1, r = x < NX - 1 ? x + 1 : 0;
            double above = z ? alpha[z - 1][x] * alpha[z - 1][x] : inflow * inflow;
            double d = above - alpha[z][x] * alpha[z][x];
            d += flow(z, x, z, r) + flow(z, x, z, l);
            if (z) d += flow(z, x, z - 1, x);
            if (z < NZ - 1) d += flow(z, x, z + 1, x);
            fresh[z][x] = fmax(alpha[z][x] + dt * d, 1e-6);
        }
    for (int z = 0; z < NZ; z++)
        for (int x = 0; x < NX; x++)
            alpha[z][x] = fresh[z][x];
}

static void cell(FILE *f, int x, int z)
{
    float where[2] = { (float)x, (float)z };
    fwrite(where, sizeof where[0], 2, f);
    fwrite(&alpha[z][x], sizeof alpha[z][x], 1, f);
}

static void picture(int number)
{
    char name[32];
    snprintf(name, sizeof name, "foam_%d.bin", number);
    FILE *f = fopen(name, "wb");
    if (!f) { perror(name); exit(EXIT_FAILURE); }
    setvbuf(f, NULL, _IOFBF, 1 << 20);
    for (int z = 0; z < NZ; z++)
        for (int x = 0; x < NX; x++)
            cell(f, x, z);
    fclose(f);
}

int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 1200, pictures = 4;
    double dt = 0.1, held = 0;

    wet();
    for (int s = 1; s <= steps; s++) {
        drain(s * dt, dt);
        if (s % (steps / pictures) == 0) picture(s / (steps / pictures));
    }
    for (int z = 0; z < NZ; z++)
        for (int x = 0; x < NX; x++) held += alpha[z][x];
    printf("liquid held %.6f after %.1f\n", held / (NX * NZ), steps * dt);
    return 0;
}
