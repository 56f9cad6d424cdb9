/* Stochastic repressilator: three genes that repress each other in a ring.
 * Gillespie's direct method. The run can be steered from the bench: lines that
 * colleagues add to inducer.log (time, inducer concentration) change the
 * repression constant from then on. */
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NGENE   3
#define ALPHA   60.0            /* maximal transcription, 1/min  */
#define LEAK    0.06            /* leaky transcription           */
#define BETA    5.0             /* translation per mRNA, 1/min   */
#define DMRNA   1.0             /* mRNA decay                    */
#define DPROT   0.25            /* protein decay                 */
#define LOGMAX  65536
#define LOOKEVERY 20000         /* steps between two looks at the log */

static uint64_t rng = 0x9E3779B97F4A7C15ull;

static double uniform(void)
{
    rng ^= rng << 13; rng ^= rng >> 7; rng ^= rng << 17;
    return ((rng >> 11) + 0.5) / 9007199254740992.0;
}

typedef struct { int m[NGENE], p[NGENE]; double t, K; } Cell;

/* inducer log: the newest entry counts */
static char   text[LOGMAX];
static size_t known = 0;

static int new_entries(int fd)
{
    ssize_t n = pread(fd, text, LOGMAX - 1, 0);
    if (n <= 0 || (size_t)n == known)
        return 0;
    text[n] = 0;
    known = (size_t)n;
    return 1;
}

static double newest_inducer(void)
{
    char *end = text + known - 1, *p = end;
    while (p > text && p[-1] != '\n')
        p--;
    double time, conc;
    if (sscanf(p, "%lf %lf", &time, &conc) != 2)
        return 0.0;
    return conc;
}

static double propensities(const Cell *c, double a[4 * NGENE])
{
    double sum = 0.0;
    for (int g = 0; g < NGENE; g++) {
        double x = c->p[(g + NGENE - 1) % NGENE] / c->K;
        a[4*g]     = ALPHA / (1.0 + x * x) + LEAK;
        a[4*g + 1] = DMRNA * c->m[g];
        a[4*g + 2] = BETA * c->m[g];
        a[4*g + 3] = DPROT * c->p[g];
        sum += a[4*g] + a[4*g + 1] + a[4*g + 2] + a[4*g + 3];
    }
    return sum;
}

/* one small leap of the reaction clock: NREACT reactions */
#define NREACT 16
static void advance(Cell *c)
{
    double a[4 * NGENE];
    for (int r = 0; r < NREACT; r++) {
        double a0 = propensities(c, a), u = uniform() * a0;
        int k = 0;
        c->t -= log(uniform()) / a0;
        while (k < 4 * NGENE - 1 && u > a[k])
            u -= a[k++];
        int g = k / 4;
        switch (k % 4) {
        case 0: c->m[g]++; break;
        case 1: if (c->m[g] > 0) c->m[g]--; break;
        case 2: c->p[g]++; break;
        case 3: if (c->p[g] > 0) c->p[g]--; break;
        }
    }
}

int main(int argc, char **argv)
{
    long nstep = argc > 1 ? atol(argv[1]) : 400000;
    int fd = open("inducer.log", O_RDONLY);
    if (fd < 0) { perror("inducer.log"); return 1; }

    Cell c = { { 10, 0, 0 }, { 0, 0, 0 }, 0.0, 40.0 };
    double mean[NGENE] = { 0 }, sq = 0.0;
    for (long s = 0; s < nstep; s++) {
        if (s % LOOKEVERY == 0 && new_entries(fd))
            c.K = 40.0 * (1.0 + newest_inducer());
        advance(&c);
        for (int g = 0; g < NGENE; g++)
            mean[g] += c.p[g];
        sq += (double)c.p[0] * c.p[0];
    }
    close(fd);
    for (int g = 0; g < NGENE; g++)
        mean[g] /= nstep;
    printf("t = %.2f min, K = %.1f, proteins %.1f %.1f %.1f, noise %.3f\n", c.t, c.K, mean[0],
           mean[1], mean[2], sqrt(sq / nstep - mean[0] * mean[0]) / mean[0]);
    return 0;
}
