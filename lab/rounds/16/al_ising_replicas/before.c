/* Parallel tempering of the two-dimensional Ising model: every rank has some replicas,
 * temperatures are exchanged after each block of sweeps; rank 0 keeps the log.
 *
 * usage: tempering side blocks sweeps_per_block
 */
#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>
#include <math.h>
#include <mpi.h>

#define PER_RANK 6
#define T_LOW 2.00
#define T_HIGH 2.60

typedef struct {
    signed char *spin;
    double energy;
    long mag;
} Replica;

static uint64_t rng_state;

static double uniform(void)
{
    rng_state ^= rng_state << 13;
    rng_state ^= rng_state >> 7;
    rng_state ^= rng_state << 17;
    return (rng_state >> 11) / 9007199254740992.0;
}

static void hot_start(Replica *r, int l)
{
    r->spin = malloc((size_t)l * l);
    for (int k = 0; k < l * l; k++) r->spin[k] = uniform() < 0.5 ? 1 : -1;
}

static void sweep(Replica *r, int l, double temperature)
{
    double boltz[2] = {exp(-4.0 / temperature), exp(-8.0 / temperature)};
    for (int n = 0; n < l * l; n++) {
        int k = (int)(uniform() * l * l);
        int i = k % l, row = k - i;
        int sum = r->spin[row + (i + 1) % l] + r->spin[row + (i + l - 1) % l]
                + r->spin[(k + l) % (l * l)] + r->spin[(k + l * l - l) % (l * l)];
        int cost = 2 * r->spin[k] * sum;
        if (cost <= 0 || uniform() < boltz[cost / 4 - 1]) r->spin[k] = -r->spin[k];
    }
}

static void measure(Replica *r, int l)
{
    long e = 0, m = 0;
    for (int row = 0; row < l; row++)
        for (int i = 0; i < l; i++) {
            int s = r->spin[row * l + i];
            e -= s * (r->spin[row * l + (i + 1) % l] + r->spin[((row + 1) % l) * l + i]);
            m += s;
        }
    r->energy = (double)e;
    r->mag = m;
}

/* neighbours in temperature swap with the usual probability; done on rank 0 */
static int exchange(int total, const double *energy, int *rung_of, const double *beta)
{
    int *at = malloc(total * sizeof(int)), swaps = 0;
    for (int k = 0; k < total; k++) at[rung_of[k]] = k;
    for (int t = 0; t + 1 < total; t++) {
        int a = at[t], b = at[t + 1];
        double x = (beta[t] - beta[t + 1]) * (energy[a] - energy[b]);
        if (x >= 0 || uniform() < exp(x)) {
            rung_of[a] = t + 1; rung_of[b] = t;
            at[t] = b; at[t + 1] = a;
            swaps++;
        }
    }
    free(at);
    return swaps;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int l = argc > 1 ? atoi(argv[1]) : 40;
    int blocks = argc > 2 ? atoi(argv[2]) : 40;
    int sweeps = argc > 3 ? atoi(argv[3]) : 20;
    int total = size * PER_RANK, swaps = 0;
    double *beta = malloc(total * sizeof(double)), *energy = malloc(total * sizeof(double));
    int *rung = malloc(total * sizeof(int));
    for (int t = 0; t < total; t++) {
        beta[t] = 1.0 / (T_LOW + (T_HIGH - T_LOW) * t / (total - 1));
        rung[t] = t;
    }
    rng_state = 88172645463325252ULL + 7919ULL * rank;
    Replica rep[PER_RANK];
    for (int k = 0; k < PER_RANK; k++) hot_start(&rep[k], l);

    FILE *log = rank == 0 ? fopen("tempering.log", "w") : NULL;
    for (int b = 0; b < blocks; b++) {
        double mine[PER_RANK];
        for (int k = 0; k < PER_RANK; k++) {
            for (int s = 0; s < sweeps; s++) sweep(&rep[k], l, 1.0 / beta[rung[rank * PER_RANK + k]]);
            measure(&rep[k], l);
            mine[k] = rep[k].energy;
        }
        MPI_Gather(mine, PER_RANK, MPI_DOUBLE, energy, PER_RANK, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        if (rank == 0) {
            swaps += exchange(total, energy, rung, beta);
            fprintf(log, "%d", b);
            for (int k = 0; k < total; k++) fprintf(log, " %d:%.4f", rung[k], energy[k] / (l * l));
            fprintf(log, "\n");
            fflush(log);                       /* so that tail -f shows it */
        }
        MPI_Bcast(rung, total, MPI_INT, 0, MPI_COMM_WORLD);
    }
    if (rank == 0) {
        fclose(log);
        printf("%d replicas, acceptance of swaps %.3f\n", total, swaps / ((total - 1.0) * blocks));
    }
    for (int k = 0; k < PER_RANK; k++) free(rep[k].spin);
    free(beta); free(energy); free(rung);
    MPI_Finalize();
    return 0;
}
