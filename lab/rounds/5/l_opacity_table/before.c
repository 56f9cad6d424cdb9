/* Radiation transfer through a stellar layer; opacities are looked up in a mapped table. */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define NT 512
#define NR 512
#define ANGLES 16

static const char *TABLE = "opacity.tab";

static int make_table(void)
{
    FILE *f = fopen(TABLE, "wb");
    double row[NR];
    if (!f)
        return -1;
    for (int i = 0; i < NT; i++) {
        double logt = 3.5 + 4.0 * i / NT;
        for (int j = 0; j < NR; j++) {
            double logr = -8.0 + 9.0 * j / NR;
            row[j] = -0.4 + 1.2 * exp(-pow(logt - 5.2, 2)) + 0.3 * tanh(logr + 2.0);
        }
        fwrite(row, sizeof row, 1, f);
    }
    return fclose(f);
}

static const double *map_table(void)
{
    int fd = open(TABLE, O_RDONLY);
    if (fd < 0)
        return NULL;
    void *p = mmap(NULL, sizeof(double) * NT * NR, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    return p == MAP_FAILED ? NULL : p;
}

static double opacity(const double *table, double logt, double logr)
{
    double u = (logt - 3.5) / 4.0 * NT, v = (logr + 8.0) / 9.0 * NR;
    int i = u < 0 ? 0 : u > NT - 2 ? NT - 2 : (int)u;
    int j = v < 0 ? 0 : v > NR - 2 ? NR - 2 : (int)v;
    const double *a = table + (size_t)i * NR + j;
    u -= i;
    v -= j;
    return pow(10.0, (1 - u) * ((1 - v) * a[0] + v * a[1]) + u * ((1 - v) * a[NR] + v * a[NR + 1]));
}

static double scatter(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state / 4294967296.0;
}

static double trace_ray(const double *table, unsigned *state, double mu)
{
    double tau = 0.0, depth = 0.0, intensity = 0.0;
    double logt = 3.6 + 3.6 * scatter(state), logr = -7.5 + 8.0 * scatter(state);
    for (int k = 0; k < 60 && tau < 12.0; k++) {
        double kappa = opacity(table, logt, logr);
        double source = pow(10.0, 0.25 * (logt - 4.0)) / (1.0 + exp(-logr));
        double dtau = kappa * 0.08 / mu;
        intensity += source * exp(-tau) * (1.0 - exp(-dtau));
        tau += dtau;
        depth += 0.08;
        logt += 0.02 * sin(7.0 * depth) + 0.3 * (scatter(state) - 0.5);
        logr += 0.01 + 0.3 * (scatter(state) - 0.5);
    }
    return intensity;
}

int main(int argc, char **argv)
{
    int n_rays = argc > 1 ? atoi(argv[1]) : 22000;
    double flux[ANGLES] = {0};
    unsigned state = 2024;
    if (make_table() != 0) {
        perror(TABLE);
        return 1;
    }
    const double *table = map_table();
    if (!table)
        return 1;
    for (int a = 0; a < ANGLES; a++) {
        double mu = (a + 0.5) / ANGLES;
        for (int r = 0; r < n_rays; r++)
            flux[a] += mu * trace_ray(table, &state, mu) / n_rays;
        FILE *out = fopen("flux.txt", a ? "a" : "w");
        fprintf(out, "%2d %.4f %.8e\n", a, mu, flux[a]);
        fclose(out);
    }
    munmap((void *)table, sizeof(double) * NT * NR);
    printf("flux %.8f .. %.8f\n", flux[0], flux[ANGLES - 1]);
    return 0;
}
