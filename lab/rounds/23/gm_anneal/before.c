/* Simulated annealing of a crystal basin; each temperature ends with a journal record that must be on disk
 * before the next one starts (restart after a crash of the queue). Few records. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <stdint.h>
#include <unistd.h>

#define N 64
typedef struct { int stage; double temp, best; double x[N]; uint64_t seed; } Record;

static double rnd(uint64_t *s)
{
    *s ^= *s << 13; *s ^= *s >> 7; *s ^= *s << 17;
    return (*s >> 11) / 9007199254740992.0;
}

static double energy1(const double *x, int i)
{
    double a = x[i] - x[(i + 1) % N], b = x[i] - x[(i + N - 1) % N];
    return cos(3 * x[i]) + 0.5 * (a * a + b * b) + 0.05 * x[i] * x[i];
}

static double total(const double *x)
{
    double e = 0;
    for (int i = 0; i < N; i++) { double a = x[i] - x[(i + 1) % N]; e += cos(3 * x[i]) + 0.5 * a * a + 0.05 * x[i] * x[i]; }
    return e;
}

static void anneal(Record *r, int moves)
{
    for (int m = 0; m < moves; m++) {
        int i = (int)(rnd(&r->seed) * N);
        double old = r->x[i], e0 = energy1(r->x, i);
        r->x[i] += rnd(&r->seed) - 0.5;
        double de = energy1(r->x, i) - e0;
        if (de > 0 && rnd(&r->seed) > exp(-de / r->temp)) r->x[i] = old;
    }
    double e = total(r->x);
    if (e < r->best) r->best = e;
}

static void journal(FILE *f, const Record *r)
{
    if (fwrite(r, sizeof *r, 1, f) != 1 || fflush(f) || fsync(fileno(f))) {
        perror("journal");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

int main(int argc, char **argv)
{
    int rank, size, stages = argc > 1 ? atoi(argv[1]) : 20, moves = argc > 2 ? atoi(argv[2]) : 1000000;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    Record r;
    memset(&r, 0, sizeof r);
    r.seed = 88172645463325252ULL + 977 * rank;
    r.temp = 4;
    r.best = 1e30;
    for (int i = 0; i < N; i++) r.x[i] = 4 * rnd(&r.seed) - 2;
    char name[64];
    snprintf(name, sizeof name, "anneal.%03d.jnl", rank);
    FILE *f = fopen(name, "wb");
    if (!f) { perror(name); MPI_Abort(MPI_COMM_WORLD, 1); }
    for (r.stage = 0; r.stage < stages; r.stage++) {
        struct { double e; int rank; } mine, best;
        anneal(&r, moves);
        journal(f, &r);
        mine.e = r.best; mine.rank = rank;
        MPI_Allreduce(&mine, &best, 1, MPI_DOUBLE_INT, MPI_MINLOC, MPI_COMM_WORLD);
        if (best.rank != rank && r.stage % 5 == 4) r.best = best.e;
        r.temp *= 0.8;
    }
    fclose(f);
    double g;
    MPI_Reduce(&r.best, &g, 1, MPI_DOUBLE, MPI_MIN, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("best %.8f\n", g);
    MPI_Finalize();
    return 0;
}
