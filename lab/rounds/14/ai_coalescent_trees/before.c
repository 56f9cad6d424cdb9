/* coaltree - Kingman coalescent with bottleneck: site frequency spectra and
 * Tajima's D for a sample of honey badgers.  Ranks share the replicates;
 * rank 0 gathers the batch means, prints them into sfs.tsv and goes on.   */
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NS 40              /* sampled chromosomes             */
#define THETA 12.0         /* 4 N mu                          */
#define T1 0.15            /* start of the bottleneck, 2N gen */
#define T2 0.25            /* end                             */
#define SQUEEZE 0.08       /* relative size within            */

struct tally { double sfs[NS], d, tmrca, pi; };

static uint64_t st[2];
static uint64_t rotl(uint64_t x, int k) { return x << k | x >> (64 - k); }
static double unif(void)
{
    uint64_t a = st[0], b = st[1], r = a + b;
    b ^= a;
    st[0] = rotl(a, 24) ^ b ^ b << 16;
    st[1] = rotl(b, 37);
    return ((r >> 11) + 0.5) / 9007199254740992.0;
}

static int poisson(double m)
{
    if (m > 30) {
        double g = sqrt(-2 * log(unif())) * cos(2 * M_PI * unif());
        int k = (int)(m + sqrt(m) * g + 0.5);
        return k < 0 ? 0 : k;
    }
    double l = exp(-m), p = unif();
    int k = 0;
    while (p > l) { p *= unif(); k++; }
    return k;
}

/* waiting time of the next coalescence of k lines after time t */
static double wait_time(int k, double t)
{
    double e = -log(unif()) / (0.5 * k * (k - 1)), t0 = t;
    if (t < T1) {
        if (t + e < T1) return e;
        e -= T1 - t;
        t = T1;
    }
    if (t < T2) {
        double room = (T2 - t) / SQUEEZE;
        if (e < room) return t - t0 + e * SQUEEZE;
        e -= room;
        t = T2;
    }
    return t - t0 + e;
}

static double tajima(double pi, int s)
{
    double a1 = 0, a2 = 0;
    if (s == 0) return 0;
    for (int i = 1; i < NS; i++) { a1 += 1.0 / i; a2 += 1.0 / (i * (double)i); }
    double b1 = (NS + 1.0) / (3 * (NS - 1)), b2 = 2.0 * (NS * NS + NS + 3) / (9.0 * NS * (NS - 1));
    double c1 = b1 - 1 / a1, c2 = b2 - (NS + 2) / (a1 * NS) + a2 / (a1 * a1);
    double e1 = c1 / a1, e2 = c2 / (a1 * a1 + a2);
    return (pi - s / a1) / sqrt(e1 * s + e2 * s * (s - 1.0));
}

static void replicate(struct tally *y)
{
    int desc[NS], k = NS, seg = 0;
    double t = 0, pi = 0;
    for (int i = 0; i < NS; i++) desc[i] = 1;
    while (k > 1) {
        double w = wait_time(k, t);
        t += w;
        for (int i = 0; i < k; i++) {
            int m = poisson(0.5 * THETA * w), d = desc[i];
            y->sfs[d] += m;
            seg += m;
            pi += m * 2.0 * d * (NS - d) / (NS * (NS - 1.0));
        }
        int i = (int)(unif() * k), j = (int)(unif() * (k - 1));
        if (j >= i) j++;
        desc[i] += desc[j];
        desc[j] = desc[--k];
    }
    y->d += tajima(pi, seg);
    y->tmrca += t;
    y->pi += pi;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int batches = argc > 1 ? atoi(argv[1]) : 40;
    int reps = argc > 2 ? atoi(argv[2]) : 2600;
    st[0] = 0x1234567ull + 7919u * rank;
    st[1] = 0xabcdefull * (rank + 3);
    for (int i = 0; i < 50; i++) unif();
    FILE *out = NULL;
    if (rank == 0) out = fopen("sfs.tsv", "w");
    double mean_d = 0;
    for (int b = 0; b < batches; b++) {
        struct tally y, all;
        memset(&y, 0, sizeof y);
        for (int r = 0; r < reps; r++) replicate(&y);
        MPI_Reduce(&y, &all, sizeof y / sizeof(double), MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        if (rank == 0) {
            double n = (double)reps * size;
            fprintf(out, "%d\t%.5f\t%.5f\t%.5f", b, all.d / n, all.tmrca / n, all.pi / n);
            for (int i = 1; i < NS; i++) fprintf(out, "\t%.5f", all.sfs[i] / n);
            fprintf(out, "\n");
            mean_d += all.d / n;
        }
    }
    if (rank == 0) {
        fclose(out);
        printf("Tajima's D %.4f\n", mean_d / batches);
    }
    MPI_Finalize();
    return 0;
}
