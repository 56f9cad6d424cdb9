/* Parallel tempering of the two-dimensional Ising model.
 *
 * Each rank simulates a group of temperatures; after a number of sweeps
 * neighbouring temperatures are exchanged.  Energies are collected by rank 0
 * which keeps the table of the run, and every rank leaves its final lattices.
 */
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define L 128
#define NT 4                 /* temperatures per rank */
#define TLOW 2.05
#define DTEMP 0.06

static uint64_t state;

static inline double uniform(void)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (double)((state * 2685821657736338717ull) >> 11) / 9007199254740992.0;
}

struct replica {
    signed char s[L][L];
    double beta;
    long energy;
};

static void start(struct replica *r, double temperature)
{
    r->beta = 1.0 / temperature;
    for (int y = 0; y < L; y++)
        for (int x = 0; x < L; x++)
            r->s[y][x] = uniform() < 0.6 ? 1 : -1;
}

static void sweep(struct replica *r)
{
    double w[9];
    for (int h = -4; h <= 4; h++)
        w[h + 4] = exp(-2.0 * r->beta * h);
    for (int y = 0; y < L; y++)
        for (int x = 0; x < L; x++) {
            int nb = r->s[(y + 1) % L][x] + r->s[(y + L - 1) % L][x]
                   + r->s[y][(x + 1) % L] + r->s[y][(x + L - 1) % L];
            int h = r->s[y][x] * nb;
            if (h <= 0 || uniform() < w[h + 4])
                r->s[y][x] = -r->s[y][x];
        }
}

static void measure(struct replica *r)
{
    r->energy = 0;
    for (int y = 0; y < L; y++)
        for (int x = 0; x < L; x++)
            r->energy -= r->s[y][x] * (r->s[(y + 1) % L][x] + r->s[y][(x + 1) % L]);
}

/* exchange inside the group: swap lattices, keep temperatures */
static int exchange(struct replica *r)
{
    static signed char tmp[L][L];
    int accepted = 0;
    for (int k = 0; k + 1 < NT; k++) {
        double d = (r[k].beta - r[k + 1].beta) * (double)(r[k].energy - r[k + 1].energy);
        if (d >= 0 || uniform() < exp(d)) {
            long e = r[k].energy;
            memcpy(tmp, r[k].s, sizeof tmp);
            memcpy(r[k].s, r[k + 1].s, sizeof tmp);
            memcpy(r[k + 1].s, tmp, sizeof tmp);
            r[k].energy = r[k + 1].energy;
            r[k + 1].energy = e;
            accepted++;
        }
    }
    return accepted;
}

int main(int argc, char **argv)
{
    int rank, nranks, accepted = 0, total;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &nranks);
    int rounds = argc > 1 ? atoi(argv[1]) : 80;
    int sweeps = argc > 2 ? atoi(argv[2]) : 30;
    state = 1181783497276652981ull * (uint64_t)(rank + 1);

    struct replica *r = malloc(NT * sizeof *r);
    double mine[NT], *all = malloc(nranks * NT * sizeof *all);
    for (int k = 0; k < NT; k++)
        start(&r[k], TLOW + DTEMP * (rank * NT + k));
    FILE *table = rank == 0 ? fopen("energies.bin", "wb") : NULL;
    for (int i = 0; i < rounds; i++) {
        for (int k = 0; k < NT; k++) {
            for (int j = 0; j < sweeps; j++)
                sweep(&r[k]);
            measure(&r[k]);
            mine[k] = (double)r[k].energy / (L * L);
        }
        accepted += exchange(r);
        MPI_Gather(mine, NT, MPI_DOUBLE, all, NT, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        if (rank == 0)
            fwrite(all, sizeof *all, nranks * NT, table);
    }
    if (rank == 0)
        fclose(table);
    char name[32];
    snprintf(name, sizeof name, "lattice_%02d.bin", rank);
    FILE *f = fopen(name, "wb");
    fwrite(r, sizeof *r, NT, f);
    fclose(f);
    MPI_Reduce(&accepted, &total, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("rounds %d  exchanges %d  energies %.4f .. %.4f\n", rounds, total, all[0],
               all[nranks * NT - 1]);
    MPI_Finalize();
    return 0;
}
