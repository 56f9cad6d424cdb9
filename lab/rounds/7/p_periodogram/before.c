/* Lomb-Scargle periodogram of a light curve stored as binary records. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct epoch {
    double time;
    double mag;
    double err;
    double filter;
};

struct series {
    double *t;
    double *y;
    long n;
    long room;
};

static void series_add(struct series *s, double t, double y)
{
    if (s->n == s->room) {
        s->room = s->room ? 2 * s->room : 1024;
        s->t = realloc(s->t, s->room * sizeof(double));
        s->y = realloc(s->y, s->room * sizeof(double));
    }
    s->t[s->n] = t;
    s->y[s->n] = y;
    s->n++;
}

static int load_series(const char *path, struct series *s)
{
    FILE *fp = fopen(path, "rb");
    if (!fp)
        return -1;
    struct epoch e;
    while (fread(&e.time, sizeof(double), 1, fp) == 1) {
        if (fread(&e.mag, sizeof(double), 1, fp) != 1 ||
            fread(&e.err, sizeof(double), 1, fp) != 1 ||
            fread(&e.filter, sizeof(double), 1, fp) != 1)
            break;
        if (e.err < 0.2)
            series_add(s, e.time, e.mag);
    }
    fclose(fp);

    double mean = 0.0;
    for (long i = 0; i < s->n; i++)
        mean += s->y[i] / s->n;
    for (long i = 0; i < s->n; i++)
        s->y[i] -= mean;
    return 0;
}

static double power_at(const struct series *s, double freq)
{
    double omega = 2.0 * M_PI * freq;
    double sy = 0, cy = 0, ss = 0, cc = 0;
    for (long i = 0; i < s->n; i++) {
        double phase = omega * s->t[i];
        double sn = sin(phase), cs = cos(phase);
        sy += s->y[i] * sn;
        cy += s->y[i] * cs;
        ss += sn * sn;
        cc += cs * cs;
    }
    return 0.5 * (sy * sy / (ss + 1e-30) + cy * cy / (cc + 1e-30));
}

int main(int argc, char **argv)
{
    int nfreq = argc > 1 ? atoi(argv[1]) : 2000;
    struct series s = {0};
    if (load_series("photometry.bin", &s) < 0) {
        perror("photometry.bin");
        return 1;
    }

    FILE *out = fopen("periodogram.dat", "w");
    double best_power = 0.0, best_freq = 0.0;
    for (int k = 1; k <= nfreq; k++) {
        double freq = 0.2 + 3.0 * k / nfreq;
        double p = power_at(&s, freq);
        fprintf(out, "%.8f %.8e\n", freq, p);
        if (k % 20 == 0)
            fflush(out);
        if (p > best_power) {
            best_power = p;
            best_freq = freq;
        }
    }
    fclose(out);
    printf("%ld epochs, best period %.6f d, power %.4e\n", s.n,
           1.0 / best_freq, best_power);
    free(s.t);
    free(s.y);
    return 0;
}
