/* Beam position feedback of a telescope array: every cycle correlates the
 * antenna pairs, appends the solution to a log and now and then makes the log
 * durable; the state file is replaced by rename at the same time. */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NANT 12
#define NCHAN 512

typedef struct { double re, im; } cplx;
typedef struct {
    long cycle;
    double delay[NANT], snr[NANT];
} solution;

static unsigned long long seed = 4321;
static double noise(void)
{
    double s = 0;
    for (int i = 0; i < 4; ++i) {
        seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
        s += (double)(seed >> 11) / 9007199254740992.0 - 0.5;
    }
    return s;
}

static void record(cplx v[NANT][NCHAN], long cycle)
{
    for (int a = 0; a < NANT; ++a) {
        double d = 0.003 * a * sin(0.01 * cycle + a);
        for (int k = 0; k < NCHAN; ++k) {
            v[a][k].re = cos(d * k) + 0.4 * noise();
            v[a][k].im = sin(d * k) + 0.4 * noise();
        }
    }
}

/* delay of each antenna against antenna 0 by a search over trial delays */
static void solve(cplx v[NANT][NCHAN], solution *s)
{
    memset(s->delay, 0, sizeof s->delay);
    memset(s->snr, 0, sizeof s->snr);
    for (int a = 1; a < NANT; ++a) {
        double best = -1, sum = 0;
        for (int t = -40; t <= 40; ++t) {
            double d = t * 0.001, cr = cos(d), ci = -sin(d), pr = 1, pi = 0, xr = 0, xi = 0;
            for (int k = 0; k < NCHAN; ++k) {
                double re = v[a][k].re * v[0][k].re + v[a][k].im * v[0][k].im;
                double im = v[a][k].im * v[0][k].re - v[a][k].re * v[0][k].im;
                xr += re * pr - im * pi;
                xi += re * pi + im * pr;
                double q = pr * cr - pi * ci;
                pi = pr * ci + pi * cr;
                pr = q;
            }
            double p = sqrt(xr * xr + xi * xi);
            sum += p;
            if (p > best) { best = p; s->delay[a] = d; }
        }
        s->snr[a] = best / (sum / 81);
    }
}

static void save_state(const solution *s)
{
    int fd = open("state.tmp", O_CREAT | O_TRUNC | O_WRONLY, 0644);
    if (fd < 0 || write(fd, s, sizeof *s) != sizeof *s) { perror("state.tmp"); exit(1); }
    fsync(fd);
    close(fd);
    rename("state.tmp", "state.bin");
}

static void make_durable(FILE *log, const solution *s)
{
    fflush(log);
    fdatasync(fileno(log));
    save_state(s);
}

int main(int argc, char **argv)
{
    long cycles = argc > 1 ? atol(argv[1]) : 600, every = argc > 2 ? atol(argv[2]) : 200;
    static cplx v[NANT][NCHAN];
    solution s;
    double total = 0, snr = 0;
    FILE *log = fopen("beam.log", "wb");
    if (!log) { perror("beam.log"); return 1; }
    for (long c = 1; c <= cycles; ++c) {
        s.cycle = c;
        record(v, c);
        solve(v, &s);
        fwrite(&s, sizeof s, 1, log);
        for (int a = 0; a < NANT; ++a) { total += fabs(s.delay[a]); snr += s.snr[a]; }
        if (c % every == 0) make_durable(log, &s);
    }
    fclose(log);

    FILE *f = fopen("state.bin", "rb");
    if (f && fread(&s, sizeof s, 1, f) == 1)
        printf("%ld cycles, last state %ld, mean |delay| %.6f, mean snr %.5f\n", cycles, s.cycle,
               total / cycles / NANT, snr / cycles / (NANT - 1));
    if (f) fclose(f);
    return 0;
}
