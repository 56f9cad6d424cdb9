/* Gain drift of a silicon telescope over many runs.  A channel may have its
 * own constants for a run, otherwise those of the default table hold. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <stdint.h>

#define NCH 48

typedef struct {
    double gain;
    double pedestal;
} Constants;

static Constants defaults[NCH];

static void load_defaults(const char *path)
{
    FILE *f = fopen(path, "r");
    if (!f) {
        perror(path);
        exit(1);
    }
    int ch;
    double g, p;
    while (fscanf(f, "%d %lf %lf", &ch, &g, &p) == 3)
        if (ch >= 0 && ch < NCH) {
            defaults[ch].gain = g;
            defaults[ch].pedestal = p;
        }
    fclose(f);
}

static Constants constants_for(int run, int ch, int *special)
{
    char path[64];
    Constants c = defaults[ch];
    snprintf(path, sizeof path, "override/r%05d_c%02d.cal", run, ch);
    FILE *f = fopen(path, "r");
    if (f) {
        if (fscanf(f, "%lf %lf", &c.gain, &c.pedestal) == 2)
            ++*special;
        fclose(f);
    }
    return c;
}

static uint32_t lcg(uint32_t *s)
{
    *s = *s * 1664525u + 1013904223u;
    return *s >> 8;
}

static double pulse_mean(int run, int ch)
{
    uint32_t s = (uint32_t)run * 7919u + (uint32_t)ch * 104729u + 1u;
    double sum = 0.0;
    for (int i = 0; i < 16; i++)
        sum += 200.0 + (lcg(&s) % 4000) * 0.01;
    return sum / 16.0;
}

int main(int argc, char **argv)
{
    int nrun = argc > 1 ? atoi(argv[1]) : 2000;
    double mean[NCH] = {0}, sq[NCH] = {0};
    int special = 0;

    load_defaults("default.cal");
    for (int run = 0; run < nrun; run++)
        for (int ch = 0; ch < NCH; ch++) {
            Constants c = constants_for(run, ch, &special);
            double e = (pulse_mean(run, ch) - c.pedestal) * c.gain;
            mean[ch] += e;
            sq[ch] += e * e;
        }

    double worst = 0.0;
    for (int ch = 0; ch < NCH; ch++) {
        double m = mean[ch] / nrun;
        double rel = sqrt(fabs(sq[ch] / nrun - m * m)) / m;
        if (rel > worst)
            worst = rel;
    }
    printf("%d runs, %d special constants, worst spread %.6f\n", nrun, special, worst);
    return 0;
}
