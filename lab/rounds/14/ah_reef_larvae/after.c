/* Reef fish larvae drifting between reefs.
 *
 * The density of larvae on an n x n lagoon grid is advected by a double gyre,
 * diffused, and dies off.  Longitude strips of STRIP cells are dealt out to the
 * ranks like cards so that reefs and open water are shared evenly; the halo of
 * one cell comes from the neighbouring rank.
 *
 *   reef_larvae <n> <snapshots>
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STRIP 4
#define STEPS_PER_SNAPSHOT 2

typedef struct {
    int n, rank, ranks, strips;      /* strips owned by this rank */
    double *c, *next;                /* [strip][row][STRIP + 2] */
} lagoon;

#define W (STRIP + 2)
static double *cell(const lagoon *g, double *f, int s, int y, int x)
{
    return f + ((size_t)s * g->n + y) * W + x + 1;
}
static int global_x(const lagoon *g, int s, int x)
{
    return (s * g->ranks + g->rank) * STRIP + x;
}

static void settle(lagoon *g)        /* initial spawning on four reefs */
{
    const double rx[4] = { 0.2, 0.7, 0.45, 0.85 }, ry[4] = { 0.3, 0.2, 0.75, 0.8 };
    for (int s = 0; s < g->strips; s++)
        for (int y = 0; y < g->n; y++)
            for (int x = 0; x < STRIP; x++) {
                double u = (double)global_x(g, s, x) / g->n, v = (double)y / g->n, c = 0;
                for (int k = 0; k < 4; k++)
                    c += exp(-((u - rx[k]) * (u - rx[k]) + (v - ry[k]) * (v - ry[k])) / 0.002);
                *cell(g, g->c, s, y, x) = c;
            }
}

/* edge columns of every strip go to the left and right neighbour */
static void halo(lagoon *g)
{
    size_t m = (size_t)g->strips * g->n;
    double *lo = malloc(4 * m * sizeof *lo), *hi = lo + m, *from_r = hi + m, *from_l = from_r + m;
    int left = (g->rank + g->ranks - 1) % g->ranks, right = (g->rank + 1) % g->ranks;
    for (int s = 0; s < g->strips; s++)
        for (int y = 0; y < g->n; y++) {
            lo[(size_t)s * g->n + y] = *cell(g, g->c, s, y, 0);
            hi[(size_t)s * g->n + y] = *cell(g, g->c, s, y, STRIP - 1);
        }
    MPI_Sendrecv(lo, m, MPI_DOUBLE, left, 1, from_r, m, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(hi, m, MPI_DOUBLE, right, 2, from_l, m, MPI_DOUBLE, left, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int s = 0; s < g->strips; s++) {
        int sr = g->rank == g->ranks - 1 ? (s + 1) % g->strips : s;
        int sl = g->rank == 0 ? (s + g->strips - 1) % g->strips : s;
        for (int y = 0; y < g->n; y++) {
            *cell(g, g->c, s, y, STRIP) = from_r[(size_t)sr * g->n + y];
            *cell(g, g->c, s, y, -1) = from_l[(size_t)sl * g->n + y];
        }
    }
    free(lo);
}

static void drift(lagoon *g, double dt)
{
    const double kappa = 0.08, mortality = 0.002;
    halo(g);
    for (int s = 0; s < g->strips; s++)
        for (int y = 0; y < g->n; y++) {
            double *q = cell(g, g->c, s, y, 0);
            double *up = cell(g, g->c, s, (y + 1) % g->n, 0);
            double *dn = cell(g, g->c, s, (y + g->n - 1) % g->n, 0);
            double *out = cell(g, g->next, s, y, 0);
            double v = 2 * M_PI * y / g->n, u0 = 2 * M_PI * global_x(g, s, 0) / g->n;
            double us = 0.8 * cos(v) * sin(u0), vs = -0.8 * sin(v) * cos(u0);
            for (int x = 0; x < STRIP; x++) {
                double ax = us > 0 ? q[x] - q[x - 1] : q[x + 1] - q[x];
                double ay = vs > 0 ? q[x] - dn[x] : up[x] - q[x];
                double lap = q[x + 1] + q[x - 1] + up[x] + dn[x] - 4 * q[x];
                out[x] = q[x] + dt * (kappa * lap - us * ax - vs * ay - mortality * q[x]);
            }
        }
    double *t = g->c; g->c = g->next; g->next = t;
}

/* rows of the whole lagoon, snapshot after snapshot */
static void save(lagoon *g, MPI_File fh, int snapshot)
{
    MPI_Offset base = (MPI_Offset)snapshot * g->n * g->n * sizeof(double);
    MPI_Datatype mine;
    MPI_Type_vector(g->strips * g->n, STRIP, STRIP * g->ranks, MPI_DOUBLE, &mine);
    MPI_Type_commit(&mine);
    MPI_File_set_view(fh, base + (MPI_Offset)g->rank * STRIP * sizeof(double), MPI_DOUBLE, mine,
                      "native", MPI_INFO_NULL);
    double *rows = malloc((size_t)g->strips * g->n * STRIP * sizeof(double)), *p = rows;
    for (int y = 0; y < g->n; y++)
        for (int s = 0; s < g->strips; s++, p += STRIP)
            memcpy(p, cell(g, g->c, s, y, 0), STRIP * sizeof(double));
    MPI_File_write_at_all(fh, 0, rows, g->strips * g->n * STRIP, MPI_DOUBLE, MPI_STATUS_IGNORE);
    free(rows);
    MPI_Type_free(&mine);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    lagoon g = { 0 };
    g.n = argc > 1 ? atoi(argv[1]) : 1024;
    int snapshots = argc > 2 ? atoi(argv[2]) : 5;
    MPI_Comm_rank(MPI_COMM_WORLD, &g.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &g.ranks);
    g.strips = g.n / STRIP / g.ranks;
    g.c = calloc((size_t)g.strips * g.n * W, sizeof(double));
    g.next = calloc((size_t)g.strips * g.n * W, sizeof(double));
    settle(&g);

    MPI_File fh;
    MPI_File_open(MPI_COMM_WORLD, "larvae.bin", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &fh);
    for (int k = 0; k < snapshots; k++) {
        for (int t = 0; t < STEPS_PER_SNAPSHOT; t++) drift(&g, 0.4);
        save(&g, fh, k);
    }
    MPI_File_close(&fh);

    double mine = 0, all;
    for (int s = 0; s < g.strips; s++)
        for (int y = 0; y < g.n; y++)
            for (int x = 0; x < STRIP; x++) mine += *cell(&g, g.c, s, y, x);
    MPI_Reduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (g.rank == 0) printf("larvae alive %.4f\n", all);
    MPI_Finalize();
    return 0;
}
