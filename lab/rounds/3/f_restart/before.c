/* Gray-Scott pattern formation on independent tiles; each rank keeps its own restart file. */
#include <fcntl.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define N 128

typedef struct {
    double u[N][N], v[N][N], un[N][N], vn[N][N];
} Tile;

static void seed_tile(Tile *t, int rank)
{
    for (int j = 0; j < N; j++) {
        for (int i = 0; i < N; i++) {
            int inside = abs(i - N / 2 - 5 * rank) < 12 && abs(j - N / 2) < 12;
            t->u[j][i] = inside ? 0.5 : 1.0;
            t->v[j][i] = inside ? 0.25 + 0.01 * sin(i * j) : 0.0;
        }
    }
}

static void react(Tile *t, double feed, double kill)
{
    for (int j = 1; j < N - 1; j++) {
        for (int i = 1; i < N - 1; i++) {
            double lu = t->u[j][i - 1] + t->u[j][i + 1] + t->u[j - 1][i] + t->u[j + 1][i] - 4.0 * t->u[j][i];
            double lv = t->v[j][i - 1] + t->v[j][i + 1] + t->v[j - 1][i] + t->v[j + 1][i] - 4.0 * t->v[j][i];
            double uvv = t->u[j][i] * t->v[j][i] * t->v[j][i];
            t->un[j][i] = t->u[j][i] + 0.16 * lu - uvv + feed * (1.0 - t->u[j][i]);
            t->vn[j][i] = t->v[j][i] + 0.08 * lv + uvv - (feed + kill) * t->v[j][i];
        }
    }
    for (int j = 1; j < N - 1; j++) {
        memcpy(&t->u[j][1], &t->un[j][1], sizeof(double) * (N - 2));
        memcpy(&t->v[j][1], &t->vn[j][1], sizeof(double) * (N - 2));
    }
}

static int write_restart(const Tile *t, int rank, int step)
{
    char tmp[64], name[64];
    snprintf(tmp, sizeof tmp, "restart.%d.new", rank);
    snprintf(name, sizeof name, "restart.%d", rank);
    int fd = open(tmp, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (fd < 0)
        return -1;
    ssize_t n = write(fd, &step, sizeof step);
    n += write(fd, t->u, sizeof t->u);
    n += write(fd, t->v, sizeof t->v);
    if (fsync(fd) != 0)
        perror("fsync");
    close(fd);
    if (n != (ssize_t)(sizeof step + sizeof t->u + sizeof t->v))
        return -1;
    return rename(tmp, name);
}

static double mass(const Tile *t)
{
    double m = 0.0;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            m += t->v[j][i];
    return m;
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int nstep = argc > 1 ? atoi(argv[1]) : 36000;
    Tile *tile = malloc(sizeof *tile);
    double mine, total = 0.0;

    seed_tile(tile, rank);
    for (int step = 1; step <= nstep; step++) {
        react(tile, 0.037, 0.06);
        if (step % (nstep / 2) == 0 && write_restart(tile, rank, step) != 0)
            fprintf(stderr, "rank %d: restart at step %d failed\n", rank, step);
    }
    mine = mass(tile);
    MPI_Reduce(&mine, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("activator mass %.8f\n", total);
    free(tile);
    MPI_Finalize();
    return 0;
}
