/* Parallel tempering of square spin ice: one replica per rank, vertices prefer
 * two spins in and two out. Neighbouring temperatures swap now and then; the
 * first rank keeps the table of means, all ranks give their part. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define L 48
#define NMEAS 4            /* energy, energy^2, ice fraction, magnetisation */

typedef struct {
    signed char h[L][L], v[L][L];      /* arrows on horizontal, vertical bonds */
    double temp;
    unsigned long rng;
} replica;

static double uni(replica *r)
{
    r->rng ^= r->rng << 13;
    r->rng ^= r->rng >> 7;
    r->rng ^= r->rng << 17;
    return (r->rng >> 11) / 9007199254740992.0;
}

static int charge(const replica *r, int y, int x)
{
    return r->h[y][(x + L - 1) % L] - r->h[y][x] + r->v[(y + L - 1) % L][x] - r->v[y][x];
}

static double vertex(const replica *r, int y, int x)
{
    int q = charge(r, y, x);
    return 0.25 * q * q;
}

static void flip(replica *r)
{
    int y = (int)(uni(r) * L), x = (int)(uni(r) * L), up = uni(r) < 0.5;
    int y2 = up ? (y + 1) % L : y, x2 = up ? x : (x + 1) % L;
    signed char *s = up ? &r->v[y][x] : &r->h[y][x];
    double before = vertex(r, y, x) + vertex(r, y2, x2);
    *s = -*s;
    double de = vertex(r, y, x) + vertex(r, y2, x2) - before;
    if (de > 0 && uni(r) >= exp(-de / r->temp))
        *s = -*s;
}

static double energy(const replica *r)
{
    double e = 0;
    for (int y = 0; y < L; y++)
        for (int x = 0; x < L; x++)
            e += vertex(r, y, x);
    return e;
}

static void measure(const replica *r, double *m)
{
    double ice = 0, mag = 0, e = energy(r);
    for (int y = 0; y < L; y++)
        for (int x = 0; x < L; x++) {
            ice += charge(r, y, x) == 0;
            mag += r->h[y][x] + r->v[y][x];
        }
    m[0] += e;
    m[1] += e * e;
    m[2] += ice / (L * L);
    m[3] += fabs(mag) / (2 * L * L);
}

/* exchange of temperatures with the partner of this round */
static void swap(replica *r, int rank, int nranks, int round)
{
    int partner = (rank + round) % 2 == 0 ? rank + 1 : rank - 1;
    if (partner < 0 || partner >= nranks)
        return;
    double mine[3] = {r->temp, energy(r), uni(r)}, his[3];
    MPI_Sendrecv(mine, 3, MPI_DOUBLE, partner, 5, his, 3, MPI_DOUBLE, partner, 5, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    double u = rank < partner ? mine[2] : his[2];
    if (u < exp((1 / mine[0] - 1 / his[0]) * (mine[1] - his[1])))
        r->temp = his[0];
}

static void table_row(FILE *table, const double *m, double temp, int round, int rank, int nranks, int n)
{
    double part[NMEAS + 1], all[64 * (NMEAS + 1)];
    for (int k = 0; k < NMEAS; k++)
        part[k] = m[k] / n;
    part[NMEAS] = temp;
    MPI_Gather(part, NMEAS + 1, MPI_DOUBLE, all, NMEAS + 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (rank)
        return;
    for (int p = 0; p < nranks; p++) {
        const double *a = all + p * (NMEAS + 1);
        fprintf(table, "%6d %8.4f %12.5f %12.5f %9.6f %9.6f\n", round, a[NMEAS], a[0],
                (a[1] - a[0] * a[0]) / (a[NMEAS] * a[NMEAS]), a[2], a[3]);
    }
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 800, rank, nranks;
    static replica r;
    double m[NMEAS] = {0};
    FILE *table = NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &nranks);
    r.temp = 0.25 + 0.2 * rank;
    r.rng = 88172645463325252UL + 977UL * rank;
    memset(r.h, 1, sizeof r.h);
    memset(r.v, 1, sizeof r.v);
    if (rank == 0)
        table = fopen("ice.tab", "w");
    for (int k = 1; k <= rounds; k++) {
        for (long n = 0; n < 20L * L * L; n++)
            flip(&r);
        measure(&r, m);
        swap(&r, rank, nranks, k);
        if (k % 20 == 0) {
            table_row(table, m, r.temp, k, rank, nranks, 20);
            memset(m, 0, sizeof m);
        }
    }
    if (rank == 0) {
        fclose(table);
        printf("%d rounds on %d replicas\n", rounds, nranks);
    }
    MPI_Finalize();
    return 0;
}
