/* One-dimensional mixed-layer model at every water column of a coastal grid. The columns
 * are shared among the ranks; profiles of chosen days are kept for comparison with casts. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>

#define NLEV 60

struct column { int i, j; float t[NLEV], s[NLEV]; };

struct model {
    int nx, ny, ndays, keep;
    int first, last;
    struct column *col;
};

static int read_setup(const char *name, struct model *m)
{
    FILE *f = fopen(name, "r");
    if (!f) return -1;
    int n = fscanf(f, "grid %d %d days %d keep %d", &m->nx, &m->ny, &m->ndays, &m->keep);
    fclose(f);
    return n == 4 ? 0 : -1;
}

static void start(struct model *m)
{
    m->col = calloc(m->last - m->first + 1, sizeof *m->col);
    for (int c = m->first; c < m->last; c++) {
        struct column *p = &m->col[c - m->first];
        p->i = c % m->nx; p->j = c / m->nx;
        for (int k = 0; k < NLEV; k++) {
            p->t[k] = 18.0f - 0.15f * k - 0.02f * p->j;
            p->s[k] = 34.0f + 0.01f * k + 0.005f * (p->i % 9);
        }
    }
}

static void mix(struct column *p, int day)
{
    float tau = 0.1f + 0.05f * (float)sin(0.3 * day + 0.1 * p->i);
    p->t[0] += 0.2f * (float)cos(0.0172 * day);
    for (int k = 1; k < NLEV; k++) {
        float w = tau * expf(-0.05f * k);
        float dt = w * (p->t[k - 1] - p->t[k]), ds = w * (p->s[k - 1] - p->s[k]);
        p->t[k] += dt; p->t[k - 1] -= dt;
        p->s[k] += ds; p->s[k - 1] -= ds;
    }
}

static void keep_profiles(const struct model *m, int day)
{
    char name[64];
    snprintf(name, sizeof name, "prof_%03d_c%06d.bin", day, m->first);
    FILE *f = fopen(name, "wb");
    if (!f) MPI_Abort(MPI_COMM_WORLD, 5);
    fwrite(m->col, sizeof *m->col, m->last - m->first, f);
    fclose(f);
}

static double heat(const struct model *m)
{
    double h = 0;
    for (int c = m->first; c < m->last; c++)
        for (int k = 0; k < NLEV; k++)
            h += m->col[c - m->first].t[k];
    return h;
}

int main(int argc, char **argv)
{
    struct model m;
    int rank, nproc;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &nproc);
    if (read_setup(argc > 1 ? argv[1] : "columns.in", &m)) {
        fprintf(stderr, "no usable setup file\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    int n = m.nx * m.ny;
    m.first = rank * n / nproc;
    m.last = (rank + 1) * n / nproc;
    start(&m);
    FILE *log = rank ? NULL : fopen("heat.log", "w");
    double total = 0;
    for (int day = 1; day <= m.ndays; day++) {
        for (int c = m.first; c < m.last; c++)
            mix(&m.col[c - m.first], day);
        if (day % m.keep == 0) keep_profiles(&m, day);
        if (day % 10 == 0) {
            double h = heat(&m);
            MPI_Reduce(&h, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
            if (log) fprintf(log, "%4d %.6f\n", day, total / n / NLEV);
        }
    }
    if (log) {
        fclose(log);
        printf("columns %d mean temperature %.6f\n", n, total / n / NLEV);
    }
    free(m.col);
    MPI_Finalize();
    return 0;
}
