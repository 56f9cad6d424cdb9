/* Stirred-tank reactor with a temperature dependent A -> B -> C reaction.
 * The state at the end of every control interval goes to the run journal. */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define NSPEC 3
#define SUBSTEPS 1500

typedef struct {
    double c[NSPEC];
    double temp;
} State;

typedef struct {
    int interval;
    double hours;
    State s;
    double coolant;
} JournalEntry;

static double arrhenius(double a, double e, double temp)
{
    return a * exp(-e / temp);
}

static void rates(const State *s, double coolant, State *d)
{
    double k1 = arrhenius(4.0e6, 5200.0, s->temp);
    double k2 = arrhenius(9.0e5, 5400.0, s->temp);
    double feed = 0.08;
    d->c[0] = feed * (1.0 - s->c[0]) - k1 * s->c[0];
    d->c[1] = -feed * s->c[1] + k1 * s->c[0] - k2 * s->c[1];
    d->c[2] = -feed * s->c[2] + k2 * s->c[1];
    d->temp = feed * (300.0 - s->temp) + 60.0 * k1 * s->c[0] - 0.4 * (s->temp - coolant);
}

static void rk2(State *s, double coolant, double dt)
{
    State d, mid = *s;
    rates(s, coolant, &d);
    for (int k = 0; k < NSPEC; k++)
        mid.c[k] += 0.5 * dt * d.c[k];
    mid.temp += 0.5 * dt * d.temp;
    rates(&mid, coolant, &d);
    for (int k = 0; k < NSPEC; k++)
        s->c[k] += dt * d.c[k];
    s->temp += dt * d.temp;
}

static void journal_append(int fd, const JournalEntry *e)
{
    if (write(fd, e, sizeof *e) != (ssize_t)sizeof *e) {
        perror("run.journal");
        exit(1);
    }
}

int main(int argc, char **argv)
{
    int intervals = argc > 1 ? atoi(argv[1]) : 300;
    double dt = 0.002, coolant = 320.0;
    State s = { { 1.0, 0.0, 0.0 }, 330.0 };

    int fd = open("run.journal", O_CREAT | O_TRUNC | O_WRONLY, 0644);
    if (fd < 0) {
        perror("run.journal");
        return 1;
    }
    for (int n = 0; n < intervals; n++) {
        for (int i = 0; i < SUBSTEPS; i++)
            rk2(&s, coolant, dt);
        coolant += 0.02 * (345.0 - s.temp);
        JournalEntry e = { n, (n + 1) * SUBSTEPS * dt / 3600.0, s, coolant };
        journal_append(fd, &e);
    }
    if (fsync(fd) != 0)
        perror("run.journal");
    close(fd);
    printf("intervals %d  T %.6f  A %.6f B %.6f C %.6f\n", intervals, s.temp, s.c[0], s.c[1],
           s.c[2]);
    return 0;
}
