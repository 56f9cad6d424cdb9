/* Cardiac pacemaker cells: a ring of coupled van der Pol oscillators.
 *
 * The membrane voltages are integrated with a Runge-Kutta scheme.  At each
 * sampling time the voltages of eight electrodes and the phase coherence go to
 * the recording, a mapped file which other programs may look at during the run.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define NCELL 16
#define NELEC 8
#define MU 1.7
#define COUPLING 0.35
#define DT 0.02
#define MAX_SAMPLES 2000000L

struct sample {
    double t;
    float v[NELEC];
    float coherence;
    int beat;
};

struct recording {
    int fd;
    struct sample *map;
    long n;
};

static int rec_open(struct recording *r, const char *path)
{
    r->n = 0;
    r->fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0644);
    if (r->fd < 0)
        return -1;
    r->map = mmap(NULL, MAX_SAMPLES * sizeof *r->map, PROT_READ | PROT_WRITE,
                  MAP_SHARED, r->fd, 0);
    return r->map == MAP_FAILED ? -1 : 0;
}

static int rec_add(struct recording *r, const struct sample *s)
{
    if (ftruncate(r->fd, (r->n + 1) * (off_t)sizeof *s))
        return -1;
    r->map[r->n++] = *s;
    return 0;
}

static void rec_close(struct recording *r)
{
    munmap(r->map, MAX_SAMPLES * sizeof *r->map);
    close(r->fd);
}

static void rates(const double *x, const double *y, double *dx, double *dy)
{
    for (int i = 0; i < NCELL; i++) {
        int l = (i + NCELL - 1) % NCELL, h = (i + 1) % NCELL;
        double omega = 1.0 + 0.04 * (i - NCELL / 2.0) / NCELL;
        dx[i] = y[i];
        dy[i] = MU * (1 - x[i] * x[i]) * y[i] - omega * omega * x[i]
              + COUPLING * (x[l] + x[h] - 2 * x[i]);
    }
}

static void rk2(double *x, double *y)
{
    double dx[NCELL], dy[NCELL], xm[NCELL], ym[NCELL];
    rates(x, y, dx, dy);
    for (int i = 0; i < NCELL; i++) {
        xm[i] = x[i] + 0.5 * DT * dx[i];
        ym[i] = y[i] + 0.5 * DT * dy[i];
    }
    rates(xm, ym, dx, dy);
    for (int i = 0; i < NCELL; i++) {
        x[i] += DT * dx[i];
        y[i] += DT * dy[i];
    }
}

static float coherence(const double *x, const double *y)
{
    double c = 0, s = 0;
    for (int i = 0; i < NCELL; i++) {
        double r = hypot(x[i], y[i]) + 1e-12;
        c += x[i] / r;
        s += y[i] / r;
    }
    return (float)(hypot(c, s) / NCELL);
}

int main(int argc, char **argv)
{
    long nsamples = argc > 1 ? atol(argv[1]) : 350000;
    int beats = 0;
    double x[NCELL], y[NCELL], sum = 0;
    struct recording rec;
    if (nsamples > MAX_SAMPLES || rec_open(&rec, "ecg.rec")) {
        perror("ecg.rec");
        return 1;
    }
    for (int i = 0; i < NCELL; i++) {
        x[i] = 0.1 + 0.3 * sin(1.7 * i);
        y[i] = 0.2 * cos(2.3 * i);
    }
    for (long k = 0; k < nsamples; k++) {
        struct sample s;
        double before = x[0];
        rk2(x, y);
        if (before < 0 && x[0] >= 0)
            beats++;
        s.t = (k + 1) * DT;
        for (int e = 0; e < NELEC; e++)
            s.v[e] = (float)(x[2 * e] - 0.2 * x[(2 * e + 1) % NCELL]);
        s.coherence = coherence(x, y);
        s.beat = beats;
        sum += s.coherence;
        if (rec_add(&rec, &s)) {
            perror("ecg.rec");
            return 1;
        }
    }
    rec_close(&rec);
    printf("samples %ld  beats %d  mean coherence %.5f\n", nsamples, beats, sum / nsamples);
    return 0;
}
