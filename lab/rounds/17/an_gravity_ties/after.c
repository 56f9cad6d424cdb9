/* Drift and tide correction of a relative gravimeter survey, in place.
 *
 * The survey file holds one record per reading, grouped by loops that begin and end at a
 * base station.  The first pass finds the drift of each loop from its base readings, the
 * second puts the corrected gravity into the records.
 *
 * usage: ties survey.grv
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

typedef struct {
    uint32_t loop, station;   /* station 0 is the base */
    double time;              /* hours */
    double reading;           /* mGal */
    double height;            /* m */
    double latitude;          /* rad */
    double corrected;         /* mGal, filled in here */
    double residual;          /* of the base readings */
    double spare;
} Reading;

typedef struct {
    double n, t, tt, g, tg;   /* sums of the fit */
    double offset, rate;
} Drift;

/* Tide of moon and sun, the largest waves only. */
static double tide(double hours, double latitude)
{
    static const struct { double period, amplitude, phase; int order; } wave[] = {
        {12.4206, 0.0375, 0.3, 2}, {12.0, 0.0174, 1.1, 2}, {12.6583, 0.0072, 2.0, 2},
        {23.9345, 0.0219, 0.7, 1}, {25.8193, 0.0156, 2.6, 1}, {24.0659, 0.0072, 0.1, 1}};
    double c = cos(latitude), s = sin(2.0 * latitude), sum = 0.0;

    for (size_t w = 0; w < sizeof wave / sizeof wave[0]; w++) {
        double shape = wave[w].order == 2 ? c * c : s;
        sum += shape * wave[w].amplitude * cos(2.0 * PI * hours / wave[w].period + wave[w].phase);
    }
    return 1.16 * sum;
}

static double reduced(const Reading *r)
{
    return r->reading - tide(r->time, r->latitude) + 0.3086 * r->height;
}

static Drift *find_drifts(FILE *f, uint32_t nloops)
{
    Drift *drift = calloc(nloops, sizeof(Drift));
    Reading r;

    while (fread(&r, sizeof r, 1, f) == 1) {
        Drift *d = &drift[r.loop];
        double g;
        if (r.station != 0)
            continue;
        g = reduced(&r);
        d->n += 1;
        d->t += r.time;
        d->tt += r.time * r.time;
        d->g += g;
        d->tg += r.time * g;
    }
    for (uint32_t l = 0; l < nloops; l++) {
        Drift *d = &drift[l];
        double det = d->n * d->tt - d->t * d->t;
        d->rate = det > 0 ? (d->n * d->tg - d->t * d->g) / det : 0.0;
        d->offset = d->n > 0 ? (d->g - d->rate * d->t) / d->n : 0.0;
    }
    return drift;
}

/* Corrects a reading; returns the square of the residual at the base. */
static double correct(Reading *r, const Drift *d)
{
    double g = reduced(r) - d->offset - d->rate * r->time;

    r->corrected = g;
    r->residual = r->station == 0 ? g : 0.0;
    return r->residual * r->residual;
}

static long apply(FILE *f, const Drift *drift, double *misfit)
{
    enum { BLOCK = 8192 };
    Reading *r = malloc(BLOCK * sizeof(Reading));
    size_t got;
    long n = 0;

    while ((got = fread(r, sizeof(Reading), BLOCK, f)) > 0) {
        for (size_t i = 0; i < got; i++)
            *misfit += correct(&r[i], &drift[r[i].loop]);
        fseek(f, -(long)(got * sizeof(Reading)), SEEK_CUR);
        if (fwrite(r, sizeof(Reading), got, f) != got) {
            perror("survey");
            exit(1);
        }
        fseek(f, 0, SEEK_CUR);
        n += got;
    }
    free(r);
    return n;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "survey.grv";
    FILE *f = fopen(name, "r+b");
    char magic[8];
    uint32_t nloops;
    double misfit = 0.0;
    Drift *drift;
    long first, n;

    if (!f || fread(magic, 8, 1, f) != 1 || memcmp(magic, "GRVSURV1", 8) != 0 ||
        fread(&nloops, sizeof nloops, 1, f) != 1) {
        fprintf(stderr, "%s: not a survey\n", name);
        return 1;
    }
    fseek(f, 64, SEEK_SET);
    first = ftell(f);
    drift = find_drifts(f, nloops);
    fseek(f, first, SEEK_SET);
    n = apply(f, drift, &misfit);
    fclose(f);
    printf("%ld readings in %u loops, misfit at the base %.6f mGal\n", n, nloops, sqrt(misfit / n));
    free(drift);
    return 0;
}
