/* Replica-parallel Ising model: every rank runs its own temperatures and the
 * observables of all replicas end up in one table. */
#include <mpi.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define L 128

typedef struct {
    signed char s[L][L];
    double beta;
    uint64_t rng;
    double boltz[5];
} Lattice;

typedef struct {
    double temperature, energy, magnet, accept;
} Observables;

static int rank, nranks;

static inline uint64_t next(uint64_t *x)
{
    *x ^= *x << 13;
    *x ^= *x >> 7;
    *x ^= *x << 17;
    return *x;
}

static void lattice_init(Lattice *a, double temperature, uint64_t seed)
{
    a->beta = 1.0 / temperature;
    a->rng = 0x9E3779B97F4A7C15ULL * (seed + 1);
    for (int k = 0; k < 5; k++)
        a->boltz[k] = exp(-a->beta * 2.0 * (2 * k - 4));
    for (int i = 0; i < L; i++)
        for (int j = 0; j < L; j++)
            a->s[i][j] = (next(&a->rng) >> 40) & 1 ? 1 : -1;
}

static int sweep(Lattice *a)
{
    int accepted = 0;
    for (int i = 0; i < L; i++)
        for (int j = 0; j < L; j++) {
            int h = a->s[(i + 1) % L][j] + a->s[(i + L - 1) % L][j] + a->s[i][(j + 1) % L] + a->s[i][(j + L - 1) % L];
            int d = a->s[i][j] * h;
            double u = (double)(next(&a->rng) >> 11) / 9007199254740992.0;
            if (d <= 0 || u < a->boltz[(d + 4) / 2]) {
                a->s[i][j] = (signed char)-a->s[i][j];
                accepted++;
            }
        }
    return accepted;
}

static Observables observe(const Lattice *a, int accepted)
{
    long e = 0, m = 0;
    for (int i = 0; i < L; i++)
        for (int j = 0; j < L; j++) {
            e -= a->s[i][j] * (a->s[(i + 1) % L][j] + a->s[i][(j + 1) % L]);
            m += a->s[i][j];
        }
    Observables o = { 1.0 / a->beta, (double)e / (L * L), (double)m / (L * L), (double)accepted / (L * L) };
    return o;
}

/* collect the observables of all replicas and append them to the table */
static void record(FILE *table, int block, const Observables *mine, int n)
{
    Observables *all = rank == 0 ? malloc(sizeof(Observables) * n * nranks) : NULL;
    MPI_Gather(mine, 4 * n, MPI_DOUBLE, all, 4 * n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        for (int k = 0; k < n * nranks; k++)
            fprintf(table, "%d %.4f %.8f %.8f %.6f\n", block, all[k].temperature, all[k].energy, all[k].magnet, all[k].accept);
        fflush(table);
        free(all);
    }
}

static void save_lattices(const Lattice *lat, int n)
{
    signed char *all = rank == 0 ? malloc((size_t)n * nranks * L * L) : NULL;
    for (int k = 0; k < n; k++)
        MPI_Gather(lat[k].s, L * L, MPI_SIGNED_CHAR, rank == 0 ? all + (size_t)k * nranks * L * L : NULL,
                   L * L, MPI_SIGNED_CHAR, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        FILE *f = fopen("ising_final.bin", "wb");
        if (!f || fwrite(all, L * L, (size_t)n * nranks, f) != (size_t)n * nranks)
            MPI_Abort(MPI_COMM_WORLD, 1);
        fclose(f);
        free(all);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &nranks);
    int blocks = argc > 1 ? atoi(argv[1]) : 40;
    int per = argc > 2 ? atoi(argv[2]) : 25;
    enum { NREP = 6 };
    static Lattice lat[NREP];
    FILE *table = NULL;
    for (int k = 0; k < NREP; k++)
        lattice_init(&lat[k], 1.8 + 0.1 * (k * nranks + rank), (uint64_t)(k * nranks + rank));
    if (rank == 0 && !(table = fopen("ising_table.txt", "w")))
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int b = 0; b < blocks; b++) {
        Observables o[NREP];
        for (int k = 0; k < NREP; k++) {
            int acc = 0;
            for (int s = 0; s < per; s++)
                acc = sweep(&lat[k]);
            o[k] = observe(&lat[k], acc);
        }
        record(table, b, o, NREP);
    }
    save_lattices(lat, NREP);
    if (rank == 0) {
        fclose(table);
        printf("%d blocks of %d sweeps, %d replicas\n", blocks, per, NREP * nranks);
    }
    MPI_Finalize();
    return 0;
}
