/*
 * Spore trap: deposition of fungal spores on a rotating sticky drum.
 * Gaussian plumes from a handful of infected fields, with gusty wind; each
 * hour of exposure gives one strip of counts, kept in a journal file that can
 * be read at any time (the trailer always says how many strips are valid).
 */
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CELLS 256              /* cells across one strip */
#define FIELDS 5

struct strip { int32_t hour; int32_t total; float wind, dir; uint16_t count[CELLS]; };
struct trailer { char magic[8]; int64_t strips; double spores; };

static uint64_t state = 88172645463325252ULL;
static double uniform(void)
{
    state ^= state << 13; state ^= state >> 7; state ^= state << 17;
    return (state >> 11) * (1.0 / 9007199254740992.0);
}
static double gauss(void)
{
    return sqrt(-2.0 * log(1.0 - uniform())) * cos(6.283185307179586 * uniform());
}

static const double field_x[FIELDS] = { -420, -150, 90, 310, 640 };   /* m */
static const double field_y[FIELDS] = { 800, 350, 1200, 560, 930 };
static const double source[FIELDS]  = { 3e5, 1e5, 8e5, 2e5, 6e5 };    /* spores/h */

/* mean concentration at the trap for given wind */
static double concentration(double wind, double dir)
{
    double c = 0.0, s = sin(dir), k = cos(dir);
    for (int f = 0; f < FIELDS; f++) {
        double along = field_x[f] * s + field_y[f] * k;
        double across = field_x[f] * k - field_y[f] * s;
        if (along <= 0.0) continue;
        double sy = 0.16 * along, sz = 0.12 * along;
        c += source[f] / (M_PI * sy * sz * wind) * exp(-0.5 * across * across / (sy * sy));
    }
    return c;
}

static void expose(struct strip *s, int hour, double *wind, double *dir)
{
    *wind = fabs(*wind + 0.25 * gauss() - 0.05 * (*wind - 3.0)) + 0.1;
    *dir += 0.12 * gauss();
    double mean = concentration(*wind, *dir) * (1.0 + 0.5 * sin(2 * M_PI * hour / 24.0));
    s->hour = hour; s->total = 0;
    s->wind = *wind; s->dir = *dir;
    for (int i = 0; i < CELLS; i++) {
        double m = mean * (0.6 + 0.8 * uniform());
        s->count[i] = m > 0 ? (uint16_t)fmin(m + 0.5 * uniform() * sqrt(m), 65535.0) : 0;
        s->total += s->count[i];
    }
}

/* append a strip behind the last one and renew the trailer */
static void journal(int fd, const struct strip *s, struct trailer *t)
{
    off_t end = (off_t)t->strips * sizeof *s;
    if (t->strips > 0 && ftruncate(fd, end) != 0) { perror("strips"); exit(1); }
    t->strips++;
    t->spores += s->total;
    if (pwrite(fd, s, sizeof *s, end) != sizeof *s) { perror("strips"); exit(1); }
    if (pwrite(fd, t, sizeof *t, end + sizeof *s) != sizeof *t) { perror("strips"); exit(1); }
}

int main(int argc, char **argv)
{
    int hours = argc > 1 ? atoi(argv[1]) : 130000;
    struct strip s;
    struct trailer t = { "SPORE1", 0, 0.0 };
    double wind = 3.0, dir = 0.4;
    int peak = 0, peak_hour = 0;

    int fd = open("drum.journal", O_RDWR | O_CREAT | O_TRUNC, 0644);
    if (fd < 0) { perror("drum.journal"); return 1; }
    for (int h = 0; h < hours; h++) {
        expose(&s, h, &wind, &dir);
        journal(fd, &s, &t);
        if (s.total > peak) { peak = s.total; peak_hour = h; }
    }
    close(fd);
    printf("hours %d  spores %.0f  peak %d at hour %d\n", hours, t.spores, peak, peak_hour);
    return 0;
}
