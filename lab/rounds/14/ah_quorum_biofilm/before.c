/* Quorum sensing in a biofilm.
 *
 * Bacteria on a hexagonal patch produce a signal molecule (AHL) which diffuses
 * along the film; above a threshold a cell switches to high production.
 * Rows of the patch are spread over the ranks.  Rank 0 keeps the protocol: one
 * line per reported hour, and the final map of switched-on cells.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, ranks;

struct film {
    int nx, ny;                       /* own rows: ny */
    double *ahl, *tmp;                /* (ny + 2) rows */
    unsigned char *on;
};

static unsigned long long rng;
static double rnd(void)
{
    rng = rng * 6364136223846793005ULL + 1442695040888963407ULL;
    return (rng >> 11) / 9007199254740992.0;
}

static void exchange(struct film *f)
{
    int up = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL, down = rank ? rank - 1 : MPI_PROC_NULL;
    double *a = f->ahl;
    int n = f->nx;
    MPI_Sendrecv(a + (size_t)f->ny * n, n, MPI_DOUBLE, up, 0, a, n, MPI_DOUBLE, down, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(a + n, n, MPI_DOUBLE, down, 1, a + (size_t)(f->ny + 1) * n, n, MPI_DOUBLE, up, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void minute(struct film *f)
{
    const double d = 0.12, loss = 0.01, low = 0.012, high = 0.12, threshold = 1.6;
    int n = f->nx;
    exchange(f);
    for (int y = 1; y <= f->ny; y++) {
        const double *c = f->ahl + (size_t)y * n, *u = c + n, *b = c - n;
        double *o = f->tmp + (size_t)y * n;
        unsigned char *on = f->on + (size_t)y * n;
        int shift = y & 1 ? 1 : -1;                       /* hexagonal neighbours */
        for (int x = 1; x < n - 1; x++) {
            double sum = c[x - 1] + c[x + 1] + u[x] + u[x + shift] + b[x] + b[x + shift];
            double drive = c[x] * c[x] / (c[x] * c[x] + threshold * threshold);
            on[x] = drive > (on[x] ? 0.4 : 0.5);
            o[x] = c[x] + d * (sum - 6 * c[x]) - loss * c[x] + (on[x] ? high : low) * exp(-0.1 * c[x]);
        }
        o[0] = o[1];
        o[n - 1] = o[n - 2];
    }
    double *t = f->ahl; f->ahl = f->tmp; f->tmp = t;
}

static void report(struct film *f, int hour, FILE *protocol)
{
    double mine[2] = { 0, 0 }, all[2];
    for (size_t i = f->nx; i < (size_t)(f->ny + 1) * f->nx; i++) {
        mine[0] += f->on[i];
        mine[1] += f->ahl[i];
    }
    MPI_Reduce(mine, all, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        double cells = (double)f->nx * f->ny * ranks;
        fprintf(protocol, "%4d %9.6f %9.6f\n", hour, all[0] / cells, all[1] / cells);
    }
}

int main(int argc, char **argv)
{
    struct film f;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    f.nx = argc > 1 ? atoi(argv[1]) : 600;
    int hours = argc > 2 ? atoi(argv[2]) : 9;
    f.ny = f.nx / ranks;
    size_t size = (size_t)(f.ny + 2) * f.nx;
    f.ahl = calloc(size, sizeof(double));
    f.tmp = calloc(size, sizeof(double));
    f.on = calloc(size, 1);
    rng = 99 + rank;
    for (size_t i = 0; i < size; i++) f.ahl[i] = 1.4 * rnd();

    FILE *protocol = rank == 0 ? fopen("protocol.txt", "w") : NULL;
    for (int h = 1; h <= hours; h++) {
        for (int m = 0; m < 30; m++) minute(&f);
        report(&f, h, protocol);
    }
    unsigned char *map = rank == 0 ? malloc((size_t)f.nx * f.ny * ranks) : NULL;
    MPI_Gather(f.on + f.nx, f.nx * f.ny, MPI_UNSIGNED_CHAR, map, f.nx * f.ny, MPI_UNSIGNED_CHAR, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        fclose(protocol);
        FILE *out = fopen("switched.map", "wb");
        fwrite(map, f.nx, (size_t)f.ny * ranks, out);
        fclose(out);
        printf("hours %d done\n", hours);
    }
    MPI_Finalize();
    return 0;
}
