/* Double bridge experiment (Deneubourg et al.): choice of branch by ants
 * laying pheromone, agent model. Every block of TRIP ants the observer notes
 * a line in the field book: time, ants on either branch, pheromone levels. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NSEG 24            /* segments per branch                    */
#define KCHOICE 20.0       /* threshold of the choice function       */
#define NEXP 2.0           /* steepness of the choice function       */
#define EVAP 0.0007        /* evaporation per ant                    */
#define DEPOSIT 0.09

typedef struct {
    double ph[2][NSEG];
    long crossings[2];
    double t;
} bridge_t;

static uint64_t s_rng = 88172645463325252ull;
static double uni(void)
{
    s_rng ^= s_rng << 13;
    s_rng ^= s_rng >> 7;
    s_rng ^= s_rng << 17;
    return (s_rng >> 11) * (1.0 / 9007199254740992.0);
}

static double level(const bridge_t *b, int branch)
{
    double s = 0;
    for (int i = 0; i < NSEG; i++) s += b->ph[branch][i];
    return s / NSEG;
}

/* one ant from the nest to the food and back */
static void one_ant(bridge_t *b)
{
    for (int way = 0; way < 2; way++) {
        int end = way ? NSEG - 1 : 0;
        double a0 = pow(KCHOICE + b->ph[0][end], NEXP);
        double a1 = pow(KCHOICE + b->ph[1][end], NEXP);
        int br = uni() < a0 / (a0 + a1) ? 0 : 1;
        int len = br == 0 ? NSEG : NSEG / 2 + 6;     /* branch 1 is shorter */
        double drop = DEPOSIT * pow(NSEG / (double)len, 3);
        for (int i = 0; i < len; i++) {
            int seg = way ? NSEG - 1 - i : i;
            b->ph[br][seg] += drop * (0.8 + 0.4 * uni());
        }
        b->crossings[br]++;
        b->t += 0.5 * len - log(1.0 - uni());
    }
    for (int br = 0; br < 2; br++)
        for (int i = 0; i < NSEG; i++) b->ph[br][i] *= 1.0 - EVAP;
}

static FILE *open_book(const char *name)
{
    FILE *f = fopen(name, "w");
    if (!f) { perror(name); exit(1); }
    return f;
}

static void note(FILE *f, const bridge_t *b)
{
    char line[96];
    int n = snprintf(line, sizeof line, "%12.1f %8ld %8ld %9.4f %9.4f\n", b->t,
                     b->crossings[0], b->crossings[1], level(b, 0), level(b, 1));
    if (fwrite(line, 1, n, f) != (size_t)n) { perror("fieldbook"); exit(1); }
}

int main(int argc, char **argv)
{
    int blocks = argc > 1 ? atoi(argv[1]) : 4000;
    int trip = argc > 2 ? atoi(argv[2]) : 1100;
    bridge_t b;
    memset(&b, 0, sizeof b);
    FILE *f = open_book("fieldbook.txt");
    for (int k = 0; k < blocks; k++) {
        for (int i = 0; i < trip; i++) one_ant(&b);
        note(f, &b);
    }
    if (fclose(f)) perror("fieldbook");
    printf("share of the short branch: %.4f\n",
           (double)b.crossings[1] / (b.crossings[0] + b.crossings[1]));
    return 0;
}
