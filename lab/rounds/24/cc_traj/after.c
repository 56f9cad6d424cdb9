/* Langevin dynamics of independent colloids with an XYZ trajectory.
 * usage: colloid NATOM NFRAME STRIDE traj.xyz */
#include <mpi.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;
static int natom, nframe, stride;

typedef struct { int lo, n; double *x, *v; unsigned long long *rng; } Part;

static double uniform(unsigned long long *s)
{
    *s ^= *s << 13; *s ^= *s >> 7; *s ^= *s << 17;
    return (double)(*s >> 11) / 9007199254740992.0;
}

static void part_init(Part *p)
{
    p->lo = (int)((long)natom * rank / size);
    p->n = (int)((long)natom * (rank + 1) / size) - p->lo;
    p->x = malloc(3 * p->n * sizeof(double));
    p->v = calloc(3 * p->n, sizeof(double));
    p->rng = malloc(p->n * sizeof *p->rng);
    if (!p->x || !p->v || !p->rng) MPI_Abort(MPI_COMM_WORLD, 2);
    for (int i = 0; i < p->n; i++) {
        p->rng[i] = 0x9E3779B97F4A7C15ULL * (p->lo + i + 1);
        for (int k = 0; k < 3; k++) p->x[3 * i + k] = 100.0 * uniform(&p->rng[i]);
    }
}

static double part_step(Part *p, int nstep)
{
    double ke = 0;
    for (int i = 0; i < p->n; i++) {
        double *x = p->x + 3 * i, *v = p->v + 3 * i;
        for (int s = 0; s < nstep; s++)
            for (int k = 0; k < 3; k++) {
                double f = -0.5 * (x[k] - 50.0) - 0.2 * v[k] + 4.0 * (uniform(&p->rng[i]) - 0.5);
                v[k] += 0.01 * f;
                x[k] += 0.01 * v[k];
            }
        ke += v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    }
    return 0.5 * ke;
}

static MPI_File out;
static MPI_Offset base;
static char *text;
static size_t cap;

static void traj_open(const char *path)
{
    cap = 64 * ((size_t)natom / size + 4);
    text = malloc(cap);
    if (!text || MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &out)) {
        fprintf(stderr, "%s: cannot create\n", path); MPI_Abort(MPI_COMM_WORLD, 3);
    }
}

/* every rank formats its own atoms; offsets from a prefix sum */
static void traj_frame(const Part *p, int f)
{
    size_t n = 0;
    if (!rank) n += sprintf(text, "%d\nframe %d\n", natom, f);
    for (int i = 0; i < p->n; i++)
        n += sprintf(text + n, "%-4s%12.5f%12.5f%12.5f\n", (p->lo + i) % 3 ? "Si" : "O",
                     p->x[3 * i], p->x[3 * i + 1], p->x[3 * i + 2]);
    long mine = (long)n, before = 0, total;
    MPI_Exscan(&mine, &before, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (!rank) before = 0;
    MPI_Allreduce(&mine, &total, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    MPI_File_write_at_all(out, base + before, text, (int)n, MPI_CHAR, MPI_STATUS_IGNORE);
    base += total;
}

static void traj_close(void)
{
    MPI_File_close(&out);
    free(text);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc < 5) {
        if (!rank) fprintf(stderr, "usage: %s natom nframe stride traj.xyz\n", argv[0]);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    natom = atoi(argv[1]); nframe = atoi(argv[2]); stride = atoi(argv[3]);
    Part p;
    part_init(&p);
    traj_open(argv[4]);
    for (int f = 0; f < nframe; f++) {
        double ke = part_step(&p, stride), tot;
        MPI_Reduce(&ke, &tot, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        traj_frame(&p, f);
        if (!rank && f % 5 == 0) printf("frame %d  <T> %.6f\n", f, tot / (1.5 * natom));
    }
    traj_close();
    MPI_Finalize();
    return 0;
}
