/* Ising model with one replica per rank at its own temperature; magnetisation
 * of all replicas is logged while the lattice is swept. */
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define L 128

typedef struct {
    signed char s[L][L];
    uint64_t rng;
    double accept[9];
} lattice_t;

static double uniform(lattice_t *a)
{
    a->rng ^= a->rng << 13;
    a->rng ^= a->rng >> 7;
    a->rng ^= a->rng << 17;
    return (double)(a->rng >> 11) * (1.0 / 9007199254740992.0);
}

static void setup(lattice_t *a, double temperature, int rank)
{
    a->rng = 88172645463325252ULL + 7919u * (unsigned)rank;
    for (int i = 0; i < L; i++)
        for (int j = 0; j < L; j++)
            a->s[i][j] = uniform(a) < 0.6 ? 1 : -1;
    for (int e = -4; e <= 4; e++)
        a->accept[e + 4] = e <= 0 ? 1.0 : exp(-2.0 * e / temperature);
}

static void sweep(lattice_t *a)
{
    for (int n = 0; n < L * L; n++) {
        int i = (int)(uniform(a) * L), j = (int)(uniform(a) * L);
        int sum = a->s[(i + 1) % L][j] + a->s[(i + L - 1) % L][j] + a->s[i][(j + 1) % L] +
                  a->s[i][(j + L - 1) % L];
        int e = a->s[i][j] * sum;
        if (e <= 0 || uniform(a) < a->accept[e + 4])
            a->s[i][j] = (signed char)-a->s[i][j];
    }
}

static double magnetisation(const lattice_t *a)
{
    long m = 0;
    for (int i = 0; i < L; i++)
        for (int j = 0; j < L; j++)
            m += a->s[i][j];
    return (double)m / (L * L);
}

static void log_line(FILE *log, int step, const double *m, int n)
{
    fprintf(log, "%6d", step);
    for (int r = 0; r < n; r++)
        fprintf(log, " %9.6f", m[r]);
    fputc('\n', log);
    fflush(log);
}

static void save_lattice(const lattice_t *a, int rank)
{
    char name[32];
    snprintf(name, sizeof name, "lattice.%03d", rank);
    FILE *out = fopen(name, "wb");
    fwrite(a->s, sizeof a->s, 1, out);
    fclose(out);
}

int main(int argc, char **argv)
{
    int rank, size, sweeps = argc > 1 ? atoi(argv[1]) : 1500;
    double mine, all[64], mean = 0.0;
    FILE *log = NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    lattice_t *a = malloc(sizeof *a);
    setup(a, 1.9 + 0.15 * rank, rank);
    if (rank == 0)
        log = fopen("magnetisation.txt", "w");
    for (int t = 0; t < sweeps; t++) {
        sweep(a);
        if (t % 50 == 49) {
            mine = magnetisation(a);
            MPI_Gather(&mine, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
            if (rank == 0) {
                log_line(log, t + 1, all, size);
                mean += fabs(all[0]);
            }
        }
    }
    save_lattice(a, rank);
    if (rank == 0) {
        fclose(log);
        printf("mean |m| of the coldest replica %.6f\n", mean / (sweeps / 50));
    }
    free(a);
    MPI_Finalize();
    return 0;
}
