/* 2-D pressure solver (red-black SOR) with a checkpoint journal: the new state
 * goes to a side file, is synced and renamed over the old one, and a line in
 * the journal says which iteration is safe.  A restart starts from there. */
#include <mpi.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, nproc;

static void stop(const char *what)
{
    perror(what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

typedef struct { int nx, ny; double *p, *rhs; } grid_t;
#define P(j, i) g->p[(size_t)(j) * (g->nx + 2) + (i)]

static void exchange(grid_t *g)
{
    int up = rank + 1 < nproc ? rank + 1 : MPI_PROC_NULL, dn = rank ? rank - 1 : MPI_PROC_NULL, w = g->nx + 2;
    MPI_Sendrecv(&P(g->ny, 0), w, MPI_DOUBLE, up, 1, &P(0, 0), w, MPI_DOUBLE, dn, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&P(1, 0), w, MPI_DOUBLE, dn, 2, &P(g->ny + 1, 0), w, MPI_DOUBLE, up, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static double sor(grid_t *g, double om)
{
    double r2 = 0;
    for (int c = 0; c < 2; c++)
        for (int j = 1; j <= g->ny; j++)
            for (int i = 1 + (j + c) % 2; i <= g->nx; i += 2) {
                double r = P(j, i - 1) + P(j, i + 1) + P(j - 1, i) + P(j + 1, i) - 4 * P(j, i) - g->rhs[(size_t)(j - 1) * g->nx + i - 1];
                P(j, i) += 0.25 * om * r;
                r2 += r * r;
            }
    return r2;
}

static void save_all(int fd, const void *buf, size_t n)
{
    for (const char *p = buf; n > 0;) {
        ssize_t k = write(fd, p, n);
        if (k < 0) stop("write");
        p += k; n -= k;
    }
}

static void checkpoint(grid_t *g, int it, FILE *journal)
{
    char fn[64], tmp[80];
    int head[4] = { 0x43464431, it, g->nx, g->ny };
    snprintf(fn, sizeof fn, "pressure.%03d.ckpt", rank);
    snprintf(tmp, sizeof tmp, "%s.new", fn);
    int fd = open(tmp, O_CREAT | O_TRUNC | O_WRONLY, 0644);
    if (fd < 0) stop(tmp);
    save_all(fd, head, sizeof head);
    save_all(fd, g->p, sizeof(double) * (g->nx + 2) * (g->ny + 2));
    if (fsync(fd) || close(fd) || rename(tmp, fn)) stop("checkpoint");
    MPI_Barrier(MPI_COMM_WORLD);
    if (journal) {
        fprintf(journal, "safe %d\n", it);
        if (fflush(journal) || fsync(fileno(journal))) stop("journal");
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &nproc);
    int n = argc > 1 ? atoi(argv[1]) : 384, nit = argc > 2 ? atoi(argv[2]) : 900, every = argc > 3 ? atoi(argv[3]) : 450;
    grid_t gr = { n, n / nproc, NULL, NULL }, *g = &gr;
    g->p = calloc((size_t)(g->nx + 2) * (g->ny + 2), sizeof(double));
    g->rhs = malloc(sizeof(double) * g->nx * g->ny);
    if (!g->p || !g->rhs) stop("memory");
    for (int j = 0; j < g->ny; j++)
        for (int i = 0; i < g->nx; i++)
            g->rhs[(size_t)j * g->nx + i] = 1e-3 * sin(0.05 * i) * cos(0.03 * (j + rank * g->ny));
    FILE *journal = rank == 0 ? fopen("journal.txt", "a") : NULL;
    if (rank == 0 && !journal) stop("journal.txt");
    double loc = 0, res = 0;
    for (int it = 1; it <= nit; it++) {
        exchange(g);
        loc = sor(g, 1.7);
        if (it % 25 == 0) {
            MPI_Allreduce(&loc, &res, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
            if (rank == 0 && it % 100 == 0) printf("iteration %5d residual %.8e\n", it, sqrt(res));
        }
        if (it % every == 0) checkpoint(g, it, journal);
    }
    if (journal) fclose(journal);
    free(g->p); free(g->rhs);
    MPI_Finalize();
    return 0;
}
