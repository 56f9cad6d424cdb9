/* Household panel: wealth of 60000 households, quarter by quarter.
 *
 * The panel lives in panel.dat (fixed records, see struct household).  Each
 * quarter every household earns, pays interest, consumes, and is put back in
 * its place.  At the end: Gini coefficient and the share of indebted homes.
 *
 * usage: panel QUARTERS
 */
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

#define PANEL      "panel.dat"
#define R_DEPOSIT  0.005      /* per quarter */
#define R_CREDIT   0.021
#define GAMMA      2.0        /* relative risk aversion */

struct household {
    int id, region;
    double age, income, wealth, debt, utility;
};

static double shock(int id, int quarter)
{
    unsigned long long x = (unsigned long long)id * 6364136223846793005ULL
                         + (unsigned long long)quarter * 1442695040888963407ULL;
    x ^= x >> 33; x *= 0xff51afd7ed558ccdULL; x ^= x >> 29;
    return (double)(x >> 11) / 9007199254740992.0 - 0.5;
}

/* consumption from the Euler equation, by a few fixed-point steps */
static double consume(const struct household *h, double cash)
{
    double c = 0.7 * cash;
    for (int k = 0; k < 12; k++) {
        double next = (cash - c) * (1 + R_DEPOSIT) + h->income / 4;
        if (next < 1) next = 1;
        double want = pow(0.985 * (1 + R_DEPOSIT) * pow(0.8 * next, -GAMMA), -1 / GAMMA);
        c = 0.5 * c + 0.5 * fmin(want, cash);
    }
    return fmax(c, 1.0);
}

static void live_one_quarter(struct household *h, int quarter)
{
    double wage = h->income / 4 * (1 + 0.3 * shock(h->id, quarter));
    double cash = wage + h->wealth * (1 + R_DEPOSIT) - h->debt * R_CREDIT;
    if (cash < 100) { h->debt += 100 - cash; cash = 100; }
    double c = consume(h, cash);
    h->wealth = cash - c;
    double pay = fmin(h->debt, 0.1 * h->wealth);
    h->debt -= pay;
    h->wealth -= pay;
    h->age += 0.25;
    h->utility = 0.9 * h->utility + pow(c, 1 - GAMMA) / (1 - GAMMA);
}

static void quarter_for_all(FILE *f, int quarter)
{
    fseek(f, 0, SEEK_END);
    long n = ftell(f) / (long)sizeof(struct household);
    struct household *all = malloc(n * sizeof *all);
    rewind(f);
    n = fread(all, sizeof *all, n, f);
    for (long i = 0; i < n; i++)
        live_one_quarter(&all[i], quarter);
    rewind(f);
    fwrite(all, sizeof *all, n, f);
    free(all);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void report(FILE *f)
{
    struct household h;
    fseek(f, 0, SEEK_END);
    long n = ftell(f) / (long)sizeof h, indebted = 0, i = 0;
    double *w = malloc(n * sizeof *w), sum = 0, ranked = 0;
    rewind(f);
    while (i < n && fread(&h, sizeof h, 1, f) == 1) {
        w[i++] = h.wealth;
        indebted += h.debt > 1;
    }
    qsort(w, n, sizeof *w, by_size);
    for (i = 0; i < n; i++) { sum += w[i]; ranked += (i + 1) * w[i]; }
    printf("households %ld  mean wealth %.2f  gini %.5f  indebted %.4f\n",
           n, sum / n, 2 * ranked / (n * sum) - (n + 1.0) / n, (double)indebted / n);
    free(w);
}

int main(int argc, char **argv)
{
    int quarters = argc > 1 ? atoi(argv[1]) : 8;
    FILE *f = fopen(PANEL, "r+b");
    if (!f) { perror(PANEL); return 1; }
    for (int q = 0; q < quarters; q++)
        quarter_for_all(f, q);
    report(f);
    fclose(f);
    return 0;
}
