/* Gray-Scott reaction-diffusion on a ring of slabs.  The first rank keeps the
 * log of the run and stores the last pattern. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NX 384
#define DU 0.16
#define DV 0.08
#define FEED 0.036
#define KILL 0.062
#define LOGSTEP 20
#define HALO 10

typedef struct {
    int rank, size, rows;
    double *u, *v, *un, *vn;
} field;

/* halo rows, good for HALO steps */
static void exchange(field *g, double *a)
{
    int up = (g->rank + g->size - 1) % g->size, down = (g->rank + 1) % g->size, n = HALO * NX;
    MPI_Sendrecv(a + n, n, MPI_DOUBLE, up, 0, a + (g->rows + HALO) * NX, n, MPI_DOUBLE, down, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(a + g->rows * NX, n, MPI_DOUBLE, down, 1, a, n, MPI_DOUBLE, up, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void initial(field *g)
{
    int total = g->rows * g->size;
    for (int r = 0; r < g->rows + 2 * HALO; r++)
        for (int c = 0; c < NX; c++) {
            int row = g->rank * g->rows + r - HALO;
            int spot = abs(row - total / 2) < 16 && abs(c - NX / 2) < 16;
            int other = abs(row - total / 5) < 9 && abs(c - NX / 3) < 9;
            g->u[r * NX + c] = spot || other ? 0.5 : 1.0;
            g->v[r * NX + c] = spot || other ? 0.25 + 0.02 * sin(row * 1.7 + c) : 0.0;
        }
}

/* one step; every step after an exchange loses a row of the halo */
static void react(field *g, int lost)
{
    for (int r = lost; r < g->rows + 2 * HALO - lost; r++)
        for (int c = 0; c < NX; c++) {
            int at = r * NX + c, l = r * NX + (c ? c - 1 : NX - 1), w = r * NX + (c < NX - 1 ? c + 1 : 0);
            double u = g->u[at], v = g->v[at], uvv = u * v * v;
            double lu = g->u[at - NX] + g->u[at + NX] + g->u[l] + g->u[w] - 4 * u;
            double lv = g->v[at - NX] + g->v[at + NX] + g->v[l] + g->v[w] - 4 * v;
            g->un[at] = u + DU * lu - uvv + FEED * (1 - u);
            g->vn[at] = v + DV * lv + uvv - (FEED + KILL) * v;
        }
    double *t = g->u; g->u = g->un; g->un = t;
    t = g->v; g->v = g->vn; g->vn = t;
}

static void log_line(field *g, FILE *log, int step)
{
    double mine[3] = {0, 0, 0}, all[3];
    for (int i = HALO * NX; i < (g->rows + HALO) * NX; i++) {
        mine[0] += g->u[i];
        mine[1] += g->v[i];
        mine[2] += g->v[i] > 0.2;
    }
    MPI_Reduce(mine, all, 3, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (log) {
        double n = (double)g->rows * g->size * NX;
        fprintf(log, "%6d %.8f %.8f %.5f\n", step, all[0] / n, all[1] / n, all[2] / n);
        fflush(log);
    }
}

static void store_pattern(field *g, const char *name)
{
    float *mine = malloc(sizeof(float) * g->rows * NX), *all = NULL;
    if (g->rank == 0) all = malloc(sizeof(float) * g->rows * g->size * NX);
    for (int i = 0; i < g->rows * NX; i++) mine[i] = (float)g->v[HALO * NX + i];
    MPI_Gather(mine, g->rows * NX, MPI_FLOAT, all, g->rows * NX, MPI_FLOAT, 0, MPI_COMM_WORLD);
    if (g->rank == 0) {
        FILE *f = fopen(name, "wb");
        fwrite(all, sizeof(float), (size_t)g->rows * g->size * NX, f);
        fclose(f);
        free(all);
    }
    free(mine);
}

int main(int argc, char **argv)
{
    field g;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &g.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &g.size);
    int total = argc > 1 ? atoi(argv[1]) : 384, steps = argc > 2 ? atoi(argv[2]) : 4000;
    g.rows = total / g.size;
    size_t n = (size_t)(g.rows + 2 * HALO) * NX;
    g.u = malloc(n * 8); g.v = malloc(n * 8); g.un = malloc(n * 8); g.vn = malloc(n * 8);
    initial(&g);
    FILE *log = g.rank == 0 ? fopen("run.log", "w") : NULL;
    for (int s = 0; s < steps; s++) {
        if (s % HALO == 0) {
            exchange(&g, g.u);
            exchange(&g, g.v);
        }
        react(&g, 1 + s % HALO);
        if (s % LOGSTEP == 0) log_line(&g, log, s);
    }
    log_line(&g, log, steps);
    store_pattern(&g, "pattern.f32");
    if (log) { fclose(log); printf("%d steps on %d ranks\n", steps, g.size); }
    MPI_Finalize();
    return 0;
}
