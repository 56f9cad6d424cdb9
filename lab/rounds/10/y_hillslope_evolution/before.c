/* Evolution of a layered hillslope: uplift, soil creep, stream incision into a
   stack of rock layers.  The state file can be used to restart or to plot.
   usage: hillslope_evolution N NSTEPS EVERY */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LAYERS 12

struct head {
    char tag[8];
    int n, layers;
    long step;
    double time, dt, thickness;
};

struct model {
    struct head head;
    double *rock;   /* erodibility [layer][y][x] */
    double *uplift; /* m per year */
    double *creep;  /* m2 per year */
    double *runoff; /* drainage area times rain */
    double *z, *z0;
};

static double noise(unsigned *s)
{
    *s = *s * 1664525u + 1013904223u;
    return (*s >> 8) / 16777216.0;
}

static void setup(struct model *m, int n)
{
    unsigned s = 12345;
    size_t cells = (size_t)n * n;
    memset(m, 0, sizeof *m);
    strcpy(m->head.tag, "HILL02");
    m->head.n = n;
    m->head.layers = LAYERS;
    m->head.dt = 50.0;
    m->head.thickness = 0.25;
    m->rock = malloc(LAYERS * cells * sizeof(double));
    m->uplift = malloc(cells * sizeof(double));
    m->creep = malloc(cells * sizeof(double));
    m->runoff = malloc(cells * sizeof(double));
    m->z = malloc(cells * sizeof(double));
    m->z0 = malloc(cells * sizeof(double));
    for (int l = 0; l < LAYERS; l++)
        for (size_t k = 0; k < cells; k++)
            m->rock[l * cells + k] = (l % 3 == 1 ? 1e-5 : 4e-5) * (0.8 + 0.4 * noise(&s));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            size_t k = (size_t)i * n + j;
            m->uplift[k] = 2e-4 * (1.0 + 0.5 * sin(3.0 * i / n));
            m->creep[k] = 0.01 * (1.0 + noise(&s));
            m->runoff[k] = sqrt(100.0 * (1 + (i < n - i ? i : n - i)) * (1.0 + 0.3 * cos(5.0 * j / n)));
            m->z[k] = m->z0[k] = 5.0 * noise(&s);
        }
}

static void advance(struct model *m, double *work)
{
    int n = m->head.n;
    size_t cells = (size_t)n * n;
    double dt = m->head.dt, dx = 10.0, thick = m->head.thickness;
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            size_t k = (size_t)i * n + j;
            const double *z = m->z + k;
            double lap = (z[-1] + z[1] + z[-n] + z[n] - 4 * z[0]) / (dx * dx);
            double a = z[-1] < z[1] ? z[-1] : z[1], b = z[-n] < z[n] ? z[-n] : z[n];
            double low = a < b ? a : b;
            double slope = low < z[0] ? (z[0] - low) / dx : 0.0;
            int layer = (int)((m->z0[k] + m->uplift[k] * m->head.time - z[0]) / thick);
            layer = layer < 0 ? 0 : layer >= LAYERS ? LAYERS - 1 : layer;
            work[k] = z[0] + dt * (m->uplift[k] + m->creep[k] * lap -
                                   m->rock[layer * cells + k] * m->runoff[k] * slope);
        }
    for (int i = 1; i < n - 1; i++)
        memcpy(m->z + (size_t)i * n + 1, work + (size_t)i * n + 1, (n - 2) * sizeof(double));
    m->head.step++;
    m->head.time += dt;
}

static void write_state(FILE *f, const struct model *m)
{
    size_t cells = (size_t)m->head.n * m->head.n;
    rewind(f);
    fwrite(&m->head, sizeof m->head, 1, f);
    fwrite(m->rock, sizeof(double), LAYERS * cells, f);
    fwrite(m->uplift, sizeof(double), cells, f);
    fwrite(m->creep, sizeof(double), cells, f);
    fwrite(m->runoff, sizeof(double), cells, f);
    fwrite(m->z0, sizeof(double), cells, f);
    fwrite(m->z, sizeof(double), cells, f);
    fflush(f);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 256;
    int nsteps = argc > 2 ? atoi(argv[2]) : 500;
    int every = argc > 3 ? atoi(argv[3]) : 1;
    struct model m;
    setup(&m, n);
    double *work = calloc((size_t)n * n, sizeof(double));

    FILE *state = fopen("state.bin", "w+b");
    if (!state) {
        perror("state.bin");
        return 1;
    }
    for (int s = 1; s <= nsteps; s++) {
        advance(&m, work);
        if (s % every == 0)
            write_state(state, &m);
    }
    fclose(state);

    double mean = 0, top = 0;
    for (int k = 0; k < n * n; k++) {
        mean += m.z[k] / ((double)n * n);
        top = fmax(top, m.z[k]);
    }
    printf("time %.1f a  mean height %.8f  highest %.8f\n", m.head.time, mean, top);
    return 0;
}
