/*
 * Tensile test of a steel specimen: load frame, extensometer and controller
 * are simulated (elastic, Lueders plateau, power-law hardening, necking), the
 * recorder keeps one record per control cycle.
 *
 * usage: tensile <cycles>
 */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define E_MODULUS 210.0e3     /* MPa */
#define YIELD     355.0
#define HARDENING 0.21
#define AREA      78.5        /* mm^2 */

typedef struct {
    double time, strain, stress, force, extension, temperature;
    float  channel[10];       /* auxiliary gauges */
} sample_t;

typedef struct recorder {
    int   fd;
    off_t length;
    void (*keep)(struct recorder *, const sample_t *);
} recorder;

typedef struct {
    double time, strain, plastic, temperature, rate;
} specimen;

static double flow_stress(double plastic)
{
    double hard = YIELD * pow(1.0 + plastic / 0.004, HARDENING);
    double plateau = YIELD * (1.0 + 0.4 * plastic);
    double stress = plastic < 0.012 ? plateau : fmax(plateau, hard * 0.8);
    if (plastic > 0.22)                        /* necking */
        stress *= exp(-9.0 * (plastic - 0.22));
    return stress;
}

static double pull(specimen *s, double dt)
{
    s->strain += s->rate * dt;
    double trial = E_MODULUS * (s->strain - s->plastic);
    for (int it = 0; it < 6; it++) {           /* radial return */
        double excess = trial - flow_stress(s->plastic);
        if (excess <= 1e-9)
            break;
        double dp = 0.8 * excess / (E_MODULUS + 900.0);
        s->plastic += dp;
        s->temperature += 0.9 * trial * dp / 3.6;
        trial = E_MODULUS * (s->strain - s->plastic);
    }
    s->temperature += dt * 0.05 * (21.0 - s->temperature);
    s->time += dt;
    return trial;
}

static void keep_sample(recorder *r, const sample_t *smp)
{
    if (ftruncate(r->fd, r->length + (off_t)sizeof *smp) != 0) {
        perror("record.dat");
        exit(1);
    }
    if (pwrite(r->fd, smp, sizeof *smp, r->length) != (ssize_t)sizeof *smp) {
        perror("record.dat");
        exit(1);
    }
    r->length += sizeof *smp;
}

static void gauges(sample_t *smp, long cycle)
{
    for (int g = 0; g < 10; g++)
        smp->channel[g] = (float)(smp->strain * (1.0 + 0.01 * g)
                                  + 2e-6 * sin(0.37 * cycle * (g + 1)));
}

int main(int argc, char **argv)
{
    long cycles = argc > 1 ? atol(argv[1]) : 200000;
    specimen sp = { 0, 0, 0, 21.0, 2.5e-3 };
    recorder rec = { -1, 0, keep_sample };
    double dt = 100.0 / cycles, top = 0, work = 0;

    rec.fd = open("record.dat", O_RDWR | O_CREAT | O_TRUNC, 0644);
    if (rec.fd < 0) {
        perror("record.dat");
        return 1;
    }
    for (long c = 0; c < cycles; c++) {
        sample_t smp;
        memset(&smp, 0, sizeof smp);
        smp.stress = pull(&sp, dt);
        smp.time = sp.time;
        smp.strain = sp.strain;
        smp.force = smp.stress * AREA;
        smp.extension = 50.0 * sp.strain;
        smp.temperature = sp.temperature;
        gauges(&smp, c);
        work += smp.stress * sp.rate * dt;
        if (smp.stress > top)
            top = smp.stress;
        rec.keep(&rec, &smp);
    }
    close(rec.fd);
    printf("tensile strength %.1f MPa, work %.3f MJ/m3, end at %.1f C\n",
           top, work, sp.temperature);
    return 0;
}
