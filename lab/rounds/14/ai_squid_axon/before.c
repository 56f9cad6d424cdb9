/* Hodgkin-Huxley cable (squid giant axon, 6.3 degC), Crank-Nicolson.
 * A noisy current at one end fires spikes; we count how many arrive at the
 * other end.  The state is put aside now and then so that a long run can be
 * resumed after a power cut. */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define N     400
#define DX    0.02          /* cm    */
#define RADIUS 0.0238       /* cm    */
#define RI    0.0354        /* kOhm cm */
#define CM    1.0           /* uF/cm2 */
#define GNA   120.0
#define GK    36.0
#define GL    0.3

struct axon { double t, v[N], m[N], h[N], n[N]; long fired, arrived; unsigned rng; };

static double gauss(unsigned *r)
{
    double s = 0;
    for (int i = 0; i < 4; i++) {
        *r = *r * 1103515245u + 12345u;
        s += (*r >> 8) / 16777216.0 - 0.5;
    }
    return s * 1.7320508;
}

static double vtrap(double x, double y) { return fabs(x / y) < 1e-6 ? y * (1 - x / y / 2) : x / (exp(x / y) - 1); }

static void gates(struct axon *a, int i, double dt)
{
    double v = a->v[i];
    double am = 0.1 * vtrap(-(v + 40), 10), bm = 4 * exp(-(v + 65) / 18);
    double ah = 0.07 * exp(-(v + 65) / 20), bh = 1 / (1 + exp(-(v + 35) / 10));
    double an = 0.01 * vtrap(-(v + 55), 10), bn = 0.125 * exp(-(v + 65) / 80);
    a->m[i] = (a->m[i] + dt * am) / (1 + dt * (am + bm));
    a->h[i] = (a->h[i] + dt * ah) / (1 + dt * (ah + bh));
    a->n[i] = (a->n[i] + dt * an) / (1 + dt * (an + bn));
}

static void step(struct axon *a, double dt)
{
    static double d[N], r[N], c[N];
    double k = RADIUS / (2 * RI * DX * DX) * 0.5;
    double last0 = a->v[20], last1 = a->v[N - 20];
    double stim = 60.0 + 200.0 * gauss(&a->rng);
    for (int i = 0; i < N; i++) {
        gates(a, i, dt);
        double gna = GNA * pow(a->m[i], 3) * a->h[i], gk = GK * pow(a->n[i], 4);
        double l = i ? a->v[i - 1] : a->v[i], u = i < N - 1 ? a->v[i + 1] : a->v[i];
        int nb = (i > 0) + (i < N - 1);
        d[i] = CM / dt + k * nb + 0.5 * (gna + gk + GL);
        r[i] = CM / dt * a->v[i] + k * (l - 2 * a->v[i] + u) - 0.5 * (gna + gk + GL) * a->v[i]
             + gna * 50.0 - gk * 77.0 - GL * 54.387 + (i < 4 ? stim : 0);
        c[i] = -k;
    }
    for (int i = 1; i < N; i++) {                     /* Thomas */
        double w = -k / d[i - 1];
        d[i] -= w * c[i - 1];
        r[i] -= w * r[i - 1];
    }
    a->v[N - 1] = r[N - 1] / d[N - 1];
    for (int i = N - 2; i >= 0; i--) a->v[i] = (r[i] - c[i] * a->v[i + 1]) / d[i];
    a->t += dt;
    if (last0 < 0 && a->v[20] >= 0) a->fired++;
    if (last1 < 0 && a->v[N - 20] >= 0) a->arrived++;
}

static void put_aside(const struct axon *a)
{
    int fd = open("axon.state.new", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (fd < 0 || write(fd, a, sizeof *a) != sizeof *a) { perror("axon.state.new"); exit(1); }
    fsync(fd);
    close(fd);
    rename("axon.state.new", "axon.state");
}

int main(int argc, char **argv)
{
    double tend = argc > 1 ? atof(argv[1]) : 600.0;   /* ms */
    double dt = 0.01;
    long nstep = (long)(tend / dt + 0.5);
    struct axon *a = calloc(1, sizeof *a);
    a->rng = 42;
    for (int i = 0; i < N; i++) { a->v[i] = -65; a->m[i] = 0.053; a->h[i] = 0.596; a->n[i] = 0.317; }
    FILE *tr = fopen("trace.txt", "w");
    for (long s = 1; s <= nstep; s++) {
        step(a, dt);
        if (s % 20 == 0) fprintf(tr, "%.2f %.3f %.3f\n", a->t, a->v[20], a->v[N - 20]);
        if (s % (nstep / 5) == 0) put_aside(a);
    }
    fclose(tr);
    printf("%ld spikes fired, %ld arrived\n", a->fired, a->arrived);
    free(a);
    return 0;
}
