/* Electrostatic 1D3V particle-in-cell run; each rank owns a slab of the
 * plasma and keeps its own restart segment. */
#include <mpi.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define NCELL 256
#define KEEP 2

typedef struct { float x, vx, vy, vz; } Particle;

typedef struct {
    int n;
    Particle *p;
    double rho[NCELL], ef[NCELL];
    double length, qm;
} Slab;

typedef struct {
    uint32_t magic, version, rank, step;
    uint64_t count;
    double length;
} SegmentHead;

typedef struct { double x, vx, vy, vz, weight; uint64_t cell; } Record;

static int me, nranks;
static uint64_t rng;

static double uniform(void)
{
    rng ^= rng << 13; rng ^= rng >> 7; rng ^= rng << 17;
    return (double)(rng >> 11) / 9007199254740992.0;
}

static void slab_load(Slab *s, int n)
{
    s->n = n; s->length = 1.0; s->qm = -0.35;
    s->p = malloc((size_t)n * sizeof(Particle));
    rng = 88172645463325252ULL + 7919u * (unsigned)me;
    for (int i = 0; i < n; i++) {
        double u = uniform();
        s->p[i].x = (float)(u * s->length);
        s->p[i].vx = (float)((i & 1 ? 0.2 : -0.2) + 0.01 * (uniform() - 0.5));
        s->p[i].vy = (float)(0.02 * (uniform() - 0.5));
        s->p[i].vz = (float)(0.02 * (uniform() - 0.5));
    }
}

static void deposit(Slab *s)
{
    for (int c = 0; c < NCELL; c++) s->rho[c] = 0.0;
    for (int i = 0; i < s->n; i++) {
        double g = s->p[i].x / s->length * NCELL;
        int c = (int)g;
        double w = g - c;
        s->rho[c % NCELL] += 1.0 - w;
        s->rho[(c + 1) % NCELL] += w;
    }
}

static void solve_field(Slab *s)
{
    double sum[NCELL], mean = 0.0;
    MPI_Allreduce(s->rho, sum, NCELL, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (int c = 0; c < NCELL; c++) mean += sum[c] / NCELL;
    double e = 0.0, em = 0.0;
    for (int c = 0; c < NCELL; c++) { e += (sum[c] / mean - 1.0) / NCELL; s->ef[c] = e; em += e / NCELL; }
    for (int c = 0; c < NCELL; c++) s->ef[c] -= em;
}

static void push(Slab *s, double dt)
{
    for (int i = 0; i < s->n; i++) {
        Particle *p = &s->p[i];
        double g = p->x / s->length * NCELL;
        int c = (int)g;
        double w = g - c;
        double e = (1.0 - w) * s->ef[c % NCELL] + w * s->ef[(c + 1) % NCELL];
        p->vx += (float)(s->qm * e * dt);
        double x = p->x + p->vx * dt;
        x -= floor(x / s->length) * s->length;
        p->x = (float)(x >= s->length ? 0.0 : x);
    }
}

static void segment_name(char *buf, size_t n, int r, int step)
{
    snprintf(buf, n, "restart_%05d.seg%02d", step, r);
}

static void save_segment(const Slab *s, int step)
{
    char name[64];
    segment_name(name, sizeof name, me, step);
    FILE *f = fopen(name, "wb");
    if (!f) MPI_Abort(MPI_COMM_WORLD, 2);
    SegmentHead h = { 0x50494352u, 3, (uint32_t)me, (uint32_t)step, (uint64_t)s->n, s->length };
    fwrite(&h, sizeof h, 1, f);
    static Record block[1024];
    size_t done = 0;
    for (int i = 0; i < s->n; i += 1024) {
        int m = s->n - i < 1024 ? s->n - i : 1024;
        for (int k = 0; k < m; k++) {
            const Particle *p = &s->p[i + k];
            block[k] = (Record){ p->x, p->vx, p->vy, p->vz, 1.0, (uint64_t)(p->x / s->length * NCELL) };
        }
        done += fwrite(block, sizeof(Record), (size_t)m, f);
    }
    fwrite(s->ef, sizeof(double), NCELL, f);
    if (fclose(f) != 0 || done != (size_t)s->n) MPI_Abort(MPI_COMM_WORLD, 3);
}

static void drop_segment(int step)
{
    char name[64];
    if (step < 0) return;
    segment_name(name, sizeof name, me, step);
    unlink(name);
}

static void save_restart(const Slab *s, int step, int every)
{
    int token = step;
    if (me > 0)
        MPI_Recv(&token, 1, MPI_INT, me - 1, 11, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    save_segment(s, step);
    drop_segment(step - KEEP * every);
    if (me + 1 < nranks)
        MPI_Send(&token, 1, MPI_INT, me + 1, 11, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &nranks);
    int steps = argc > 1 ? atoi(argv[1]) : 40;
    int n = argc > 2 ? atoi(argv[2]) : 1000000;
    int every = argc > 3 ? atoi(argv[3]) : 1;
    Slab s;
    slab_load(&s, n);
    for (int t = 0; t < steps; t++) {
        deposit(&s);
        solve_field(&s);
        push(&s, 0.002);
        if (t % every == 0)
            save_restart(&s, t, every);
    }
    double ke = 0.0, all;
    for (int i = 0; i < s.n; i++) ke += 0.5 * s.p[i].vx * s.p[i].vx;
    MPI_Reduce(&ke, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (me == 0) printf("kinetic energy %.6e after %d steps\n", all, steps);
    free(s.p);
    MPI_Finalize();
    return 0;
}
