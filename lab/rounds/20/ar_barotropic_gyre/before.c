/* Wind-driven barotropic gyre: streamfunction by Jacobi sweeps on a grid cut along y,
 * fields of every output time in one file, each rank writes its strip of the plane. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>

enum { NFIELD = 3 };

typedef struct {
    int nx, ny, ly, rank, nproc;
    double *psi, *old, *zeta, *out;
} gyre;

static int opt(int argc, char **argv, const char *key, int dflt)
{
    for (int i = 1; i + 1 < argc; i++)
        if (!strcmp(argv[i], key)) return atoi(argv[i + 1]);
    return dflt;
}

static void build(gyre *g)
{
    size_t n = (size_t)(g->ly + 2) * g->nx;
    g->psi = calloc(n, sizeof(double));
    g->old = calloc(n, sizeof(double));
    g->zeta = calloc(n, sizeof(double));
    g->out = calloc((size_t)g->ly * g->nx * NFIELD, sizeof(double));
    for (int j = 1; j <= g->ly; j++) {
        double y = (g->rank * g->ly + j - 0.5) / g->ny;
        for (int i = 0; i < g->nx; i++)
            g->zeta[(size_t)j * g->nx + i] = -1e-3 * sin(M_PI * y) * (1.0 - (double)i / g->nx);
    }
}

static void halo(gyre *g)
{
    int up = g->rank + 1 < g->nproc ? g->rank + 1 : MPI_PROC_NULL;
    int dn = g->rank > 0 ? g->rank - 1 : MPI_PROC_NULL;
    MPI_Sendrecv(g->psi + (size_t)g->ly * g->nx, g->nx, MPI_DOUBLE, up, 1, g->psi, g->nx, MPI_DOUBLE, dn, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(g->psi + g->nx, g->nx, MPI_DOUBLE, dn, 2, g->psi + (size_t)(g->ly + 1) * g->nx, g->nx, MPI_DOUBLE,
                 up, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void sweep(gyre *g)
{
    halo(g);
    memcpy(g->old, g->psi, sizeof(double) * (g->ly + 2) * g->nx);
    for (int j = 1; j <= g->ly; j++)
        for (int i = 1; i < g->nx - 1; i++) {
            size_t c = (size_t)j * g->nx + i;
            g->psi[c] = 0.25 * (g->old[c - 1] + g->old[c + 1] + g->old[c - g->nx] + g->old[c + g->nx] - g->zeta[c]);
        }
}

static void output(const gyre *g, MPI_File fh, int rec)
{
    size_t n = (size_t)g->ly * g->nx;
    for (int j = 1; j <= g->ly; j++)
        for (int i = 0; i < g->nx; i++) {
            size_t c = (size_t)j * g->nx + i, o = (size_t)(j - 1) * g->nx + i;
            g->out[o] = g->psi[c];
            g->out[n + o] = g->psi[c + g->nx] - g->psi[c - g->nx];
            g->out[2 * n + o] = g->zeta[c];
        }
    MPI_Offset base = (MPI_Offset)rec * NFIELD * g->ny * g->nx * sizeof(double);
    int gs[3] = { NFIELD, g->ny, g->nx }, ls[3] = { NFIELD, g->ly, g->nx }, st[3] = { 0, g->rank * g->ly, 0 };
    MPI_Datatype t;
    MPI_Type_create_subarray(3, gs, ls, st, MPI_ORDER_C, MPI_DOUBLE, &t);
    MPI_Type_commit(&t);
    MPI_File_set_view(fh, base, MPI_DOUBLE, t, "native", MPI_INFO_NULL);
    MPI_File_write_all(fh, g->out, (int)(NFIELD * n), MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_Type_free(&t);
}

int main(int argc, char **argv)
{
    gyre g;
    MPI_File fh;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &g.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &g.nproc);
    g.nx = opt(argc, argv, "-nx", 400);
    g.ly = opt(argc, argv, "-ny", 400) / g.nproc;
    g.ny = g.ly * g.nproc;
    int sweeps = opt(argc, argv, "-n", 5000), every = opt(argc, argv, "-every", 500);
    build(&g);
    FILE *log = g.rank ? NULL : fopen("gyre.log", "w");
    MPI_File_open(MPI_COMM_WORLD, "gyre.raw", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &fh);
    double mine = 0, most = 0;
    for (int s = 1; s <= sweeps; s++) {
        sweep(&g);
        if (s % every) continue;
        mine = 0;
        for (size_t c = g.nx; c < (size_t)(g.ly + 1) * g.nx; c++) mine = fmax(mine, g.psi[c]);
        MPI_Reduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
        if (log) fprintf(log, "%6d %.8e\n", s, most);
        output(&g, fh, s / every - 1);
    }
    MPI_File_close(&fh);
    if (log) { fclose(log); printf("sweeps %d greatest transport %.8e\n", sweeps, most); }
    MPI_Finalize();
    return 0;
}
