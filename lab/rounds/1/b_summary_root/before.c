/* Monte Carlo transport of photons through a slab, batches spread over the ranks;
 * the root keeps a text log of the tallies. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define BINS 32

typedef struct {
    double absorbed[BINS];
    double reflected, transmitted;
} tally_t;

static double uniform(unsigned long long *s)
{
    *s ^= *s << 13;
    *s ^= *s >> 7;
    *s ^= *s << 17;
    return (double)(*s >> 11) / 9007199254740992.0;
}

static void photon(tally_t *t, unsigned long long *s, double thickness, double albedo)
{
    double z = 0, mu = 1, weight = 1;
    for (;;) {
        z += -mu * log(uniform(s) + 1e-300);
        if (z < 0) {
            t->reflected += weight;
            return;
        }
        if (z > thickness) {
            t->transmitted += weight;
            return;
        }
        t->absorbed[(int)(z / thickness * (BINS - 1))] += weight * (1 - albedo);
        weight *= albedo;
        if (weight < 1e-3)
            return;
        mu = 2 * uniform(s) - 1;
    }
}

static void log_batch(FILE *log, int batch, const tally_t *sum, long photons)
{
    fprintf(log, "batch %d\n", batch);
    fprintf(log, "  reflected %.6f transmitted %.6f\n", sum->reflected / photons,
            sum->transmitted / photons);
    for (int b = 0; b < BINS; b++)
        fprintf(log, "  %3d %.6e\n", b, sum->absorbed[b] / photons);
    fflush(log);
}

int main(int argc, char **argv)
{
    int rank, size, batches = argc > 1 ? atoi(argv[1]) : 6;
    const long photons = 150000;
    FILE *log = NULL;
    tally_t mine = {{0}}, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    unsigned long long state = 88172645463325252ULL + 977 * rank;
    if (rank == 0)
        log = fopen("tallies.txt", "w");
    for (int b = 0; b < batches; b++) {
        for (long p = 0; p < photons; p++)
            photon(&mine, &state, 4.0, 0.9);
        MPI_Reduce(&mine, &sum, BINS + 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        if (rank == 0)
            log_batch(log, b, &sum, photons * size * (b + 1));
    }
    if (rank == 0) {
        fclose(log);
        long all = photons * size * batches;
        printf("photons %ld  reflected %.5f  transmitted %.5f\n", all, sum.reflected / all,
               sum.transmitted / all);
    }
    MPI_Finalize();
    return 0;
}
