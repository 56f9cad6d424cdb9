/* CTD archive -> surface density, stratification and heat content by latitude band */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAXLEV 64
#define NBAND 14

#pragma pack(push, 1)
struct archive_head { char magic[4]; int32_t ncast; int64_t data; };
struct cast_entry {
    int32_t id, nlev;
    double lat, lon;
    int64_t offset;
    double year;
    char spare[8];
};
struct sample { float p, t, s; };
#pragma pack(pop)

struct band { long n; double rho, strat, heat; };

/* UNESCO 1980 density of sea water at one atmosphere */
static double density(double t, double s)
{
    double rw = 999.842594 + t * (6.793952e-2 + t * (-9.095290e-3 + t * (1.001685e-4
              + t * (-1.120083e-6 + t * 6.536332e-9))));
    double a = 8.24493e-1 + t * (-4.0899e-3 + t * (7.6438e-5 + t * (-8.2467e-7 + t * 5.3875e-9)));
    double b = -5.72466e-3 + t * (1.0227e-4 - t * 1.6546e-6);
    return rw + s * (a + b * sqrt(s) + 4.8314e-4 * s);
}

static FILE *archive_open(const char *name, struct archive_head *h)
{
    FILE *f = fopen(name, "rb");
    if (!f || fread(h, sizeof *h, 1, f) != 1 || memcmp(h->magic, "CTD1", 4)) {
        fprintf(stderr, "%s: not a CTD archive\n", name);
        exit(1);
    }
    return f;
}

/* the whole table; the samples follow it, cast by cast */
static struct cast_entry *cast_table_get(FILE *f, int n)
{
    struct cast_entry *t = malloc((size_t)n * sizeof *t);
    if (!t || fread(t, sizeof *t, n, f) != (size_t)n) { perror("cast table"); exit(1); }
    return t;
}

static int cast_samples_get(FILE *f, const struct cast_entry *e, struct sample *s)
{
    int n = e->nlev < MAXLEV ? e->nlev : MAXLEV;
    if (fread(s, sizeof *s, n, f) != (size_t)n) { perror("samples"); exit(1); }
    return n;
}

static void evaluate(const struct cast_entry *e, const struct sample *s, int n, struct band *b)
{
    int q = (int)floor((e->lat + 70.0) / 10.0);
    double heat = 0, r0 = density(s[0].t, s[0].s), r = r0, strat = 0;
    if (q < 0 || q >= NBAND) return;
    for (int k = 1; k < n; k++) {
        double dz = s[k].p - s[k - 1].p, rk = density(s[k].t, s[k].s);
        heat += 3985.0 * 0.5 * (r * s[k - 1].t + rk * s[k].t) * dz;
        double n2 = 9.81 / r0 * (rk - r) / dz;
        if (n2 > strat) strat = n2;
        r = rk;
    }
    b[q].n++;
    b[q].rho += r0;
    b[q].strat += strat;
    b[q].heat += heat;
}

static void report(const struct band *b)
{
    for (int q = 0; q < NBAND; q++) {
        if (!b[q].n) continue;
        printf("%4d..%4d  %7ld casts  rho %.4f  N2 %.5e  heat %.5e J/m2\n", q * 10 - 70, q * 10 - 60,
               b[q].n, b[q].rho / b[q].n, b[q].strat / b[q].n, b[q].heat / b[q].n);
    }
}

int main(int argc, char **argv)
{
    struct archive_head h;
    struct cast_entry e;
    struct sample s[MAXLEV];
    struct band b[NBAND] = {{0}};
    FILE *f = archive_open(argc > 1 ? argv[1] : "casts.ctd", &h);
    struct cast_entry *table = cast_table_get(f, h.ncast);
    double newest = 0;
    for (int i = 0; i < h.ncast; i++) {
        e = table[i];
        int n = cast_samples_get(f, &e, s);
        evaluate(&e, s, n, b);
        if (e.year > newest) newest = e.year;
    }
    fclose(f);
    free(table);
    report(b);
    printf("%d casts, newest %.3f\n", h.ncast, newest);
    return 0;
}
