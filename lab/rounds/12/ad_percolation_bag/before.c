/* Site percolation on small square lattices: spanning probability near p_c.
 * The replicates are shared out between the processes by a "bag of tasks", a
 * ticket file from which every process draws its next replicate, so that a
 * slow machine does not hold up the others. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
#include <fcntl.h>
#include <unistd.h>
#include <mpi.h>

#define L     12
#define NP    9
#define PC    0.592746

typedef struct { int fd; long last; } task_bag;

static int parent[L * L + 2];

static int find(int i)
{
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

static void join(int a, int b)
{
    a = find(a);
    b = find(b);
    if (a != b) parent[a] = b;
}

static void guard(task_bag *b, short kind)
{
    struct flock fl;
    memset(&fl, 0, sizeof fl);
    fl.l_type = kind;
    fl.l_whence = SEEK_SET;
    while (fcntl(b->fd, F_SETLKW, &fl) < 0) ;
}

/* next replicate, or -1 when the bag is empty */
static long draw_task(task_bag *b)
{
    long t = 0;
    guard(b, F_WRLCK);
    if (pread(b->fd, &t, sizeof t, 0) != (ssize_t)sizeof t) t = 0;
    long after = t + 1;
    if (t < b->last && pwrite(b->fd, &after, sizeof after, 0) != (ssize_t)sizeof after) t = b->last;
    guard(b, F_UNLCK);
    return t < b->last ? t : -1;
}

static void open_bag(task_bag *b, const char *path, long ntask, int rank)
{
    long zero = 0;
    b->last = ntask;
    if (rank == 0) {
        int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
        if (fd < 0 || write(fd, &zero, sizeof zero) != (ssize_t)sizeof zero) MPI_Abort(MPI_COMM_WORLD, 1);
        close(fd);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    b->fd = open(path, O_RDWR);
    if (b->fd < 0) MPI_Abort(MPI_COMM_WORLD, 1);
}

/* does a cluster of occupied sites connect top and bottom? */
static int spans(uint64_t seed, double p)
{
    char occ[L][L];
    uint64_t s = seed * 0x9e3779b97f4a7c15ULL + 0x1234567;
    int top = L * L, bottom = L * L + 1;
    for (int i = 0; i < L * L + 2; i++) parent[i] = i;
    for (int y = 0; y < L; y++)
        for (int x = 0; x < L; x++) {
            s ^= s << 13; s ^= s >> 7; s ^= s << 17;
            occ[y][x] = (s >> 11) / 9007199254740992.0 < p;
            if (!occ[y][x]) continue;
            int me = y * L + x;
            if (y == 0) join(me, top);
            if (y == L - 1) join(me, bottom);
            if (x > 0 && occ[y][x - 1]) join(me, me - 1);
            if (y > 0 && occ[y - 1][x]) join(me, me - L);
        }
    return find(top) == find(bottom);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    long ntask = argc > 1 ? atol(argv[1]) : 200000;
    long hit[NP] = {0}, tried[NP] = {0}, sumhit[NP], sumtried[NP], mine = 0, most;
    task_bag bag;

    open_bag(&bag, "tickets.bin", ntask, rank);
    for (long t = draw_task(&bag); t >= 0; t = draw_task(&bag)) {
        int k = (int)(t % NP);
        double p = PC + 0.02 * (k - NP / 2);
        hit[k] += spans((uint64_t)t + 1, p);
        tried[k]++;
        mine++;
    }
    close(bag.fd);
    MPI_Reduce(hit, sumhit, NP, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(tried, sumtried, NP, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&mine, &most, 1, MPI_LONG, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        FILE *f = fopen("spanning.txt", "w");
        for (int k = 0; k < NP; k++)
            fprintf(f, "%.6f %.5f %ld\n", PC + 0.02 * (k - NP / 2),
                    (double)sumhit[k] / (sumtried[k] ? sumtried[k] : 1), sumtried[k]);
        fclose(f);
        printf("%ld replicates on %d processes\n", ntask, size);
    }
    MPI_Finalize();
    return 0;
}
