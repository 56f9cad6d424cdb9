/* blockio beside MPI-IO subarrays, HDF5, PnetCDF and ADIOS2: every time that was measured, one a line
 * (blocks, direction, peer, round, seconds; tabs between them). In a round all peers write and
 * read, in an order that changes: none always comes after the same one.
 *
 *   blocks FOLDER SECONDS [BLOCKS]      so long for each kind of blocks, or for the one that is named
 */
#include "bench.h"

#include <time.h>

static const struct peer *const peers[] = {
    &blockio_peer, &mpiio_peer, &hdf5_peer,
#ifdef HAS_PNETCDF
    &pnetcdf_peer,
#endif
#ifdef HAS_ADIOS2
    &adios2_peer,
#endif
};
/* ADIOS2 keeps what it writes in every round: more rounds would fill a disk. */
enum { USED = sizeof peers / sizeof *peers, LEAST_ROUNDS = 5, MOST_ROUNDS = 200 };

static void divide(struct blocks *blocks, int rank, int ranks)
{
    int64_t grid[DIMS] = {1, 1, 1, 1};
    if (blocks->divided >= 0)
        grid[blocks->divided] = ranks;
    else
        grid[1] = ranks >= 4 ? ranks / 2 : ranks, grid[2] = ranks >= 4 ? 2 : 1;
    blocks->bytes = sizeof(double);
    for (int d = 0; d < DIMS; d++) {
        blocks->shape[d] = d < blocks->dims ? blocks->shape[d] : 1;
        blockio_divide(blocks->shape[d], grid[d], rank % grid[d], &blocks->start[d], &blocks->count[d]);
        rank /= (int)grid[d];
        blocks->bytes *= (size_t)blocks->count[d];
    }
}

void fill(const struct blocks *blocks, const int64_t start[DIMS], const int64_t count[DIMS], double *values)
{
    const int64_t *shape = blocks->shape;
    for (int64_t i = 0; i < count[0]; i++)
        for (int64_t j = 0; j < count[1]; j++)
            for (int64_t k = 0; k < count[2]; k++)
                for (int64_t l = 0; l < count[3]; l++)
                    *values++ =
                        (double)((((start[0] + i) * shape[1] + start[1] + j) * shape[2] + start[2] + k) * shape[3] +
                                 start[3] + l);
}

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* From the first rank that begins to the last one that ends. A peer without messages would look quick
 * where ranks get the processor one after the other if each rank's own time counted. All ranks
 * are on one node, with one clock. */
static double timed(const struct peer *peer, void *opened, const struct blocks *blocks, double *values, int is_write)
{
    double times[2], latest[2];
    MPI_Barrier(MPI_COMM_WORLD);
    times[0] = -now_s();
    peer->move(opened, blocks, values, is_write);
    times[1] = now_s();
    MPI_Allreduce(times, latest, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return latest[0] + latest[1];
}

static int does_write(const struct peer *peer, const struct blocks *blocks)
{
    return peer->writes == NULL || peer->writes(blocks);
}

/* The same order on all ranks. */
static void shuffle(int order[USED], unsigned *seed)
{
    for (int i = USED - 1; i > 0; i--) {
        *seed = *seed * 1103515245u + 12345u;
        int other = (int)(*seed >> 16) % (i + 1), kept = order[i];
        order[i] = order[other];
        order[other] = kept;
    }
}

static void one_round(void *opened[USED], const int order[USED], const struct blocks *blocks, int round, double *values,
                      double *read, int rank)
{
    for (int i = 0; i < 2 * USED; i++) {
        const struct peer *peer = peers[order[i / 2]];
        int is_write = i % 2 == 0;
        if (is_write && !does_write(peer, blocks))
            continue;
        double taken = timed(peer, opened[order[i / 2]], blocks, is_write ? values : read, is_write);
        need(is_write || memcmp(values, read, blocks->bytes) == 0, "reading what was written");
        if (!is_write)
            memset(read, 0, blocks->bytes);
        if (rank == 0 && round >= 0)
            printf("%s\t%s\t%s\t%d\t%.9f\n", blocks->name, is_write ? "write" : "read", peer->name, round, taken);
    }
}

static void compare(const char *folder, struct blocks *blocks, double seconds, int rank, int ranks)
{
    void *opened[USED];
    char path[USED][600];
    int order[USED], is_over = 0;
    unsigned seed = 1;
    divide(blocks, rank, ranks);
    double *values = malloc(blocks->bytes), *read = calloc(blocks->bytes, 1);
    fill(blocks, blocks->start, blocks->count, values);
    for (int p = 0; p < USED; p++) {
        snprintf(path[p], sizeof path[p], "%s/blocks-%d", folder, p);
        opened[p] = peers[p]->open(path[p], blocks);
        order[p] = p;
    }
    one_round(opened, order, blocks, -1, values, read, rank); /* allocates the files */
    double begin = MPI_Wtime();
    for (int round = 0; round < MOST_ROUNDS && !is_over; round++) {
        shuffle(order, &seed);
        one_round(opened, order, blocks, round, values, read, rank);
        is_over = round + 1 >= LEAST_ROUNDS && MPI_Wtime() - begin > seconds;
        MPI_Bcast(&is_over, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    for (int p = 0; p < USED; p++) {
        peers[p]->close(opened[p]);
        if (rank == 0)
            remove(path[p]);
    }
    free(values);
    free(read);
}

int main(int argc, char **argv)
{
    int rank, ranks;
    struct blocks cases[] = {
        {.name = "3-d, slabs", .dims = 3, .shape = {128, 128, 128}, .divided = 0},
        {.name = "3-d, middle index", .dims = 3, .shape = {128, 128, 128}, .divided = 1},
        {.name = "3-d, last index", .dims = 3, .shape = {128, 128, 128}, .divided = 2},
        {.name = "3-d, grid", .dims = 3, .shape = {128, 128, 128}, .divided = -1},
        {.name = "4-d, grid", .dims = 4, .shape = {11, 64, 64, 64}, .divided = -1},
        {.name = "4-d, last index (short)", .dims = 4, .shape = {64, 64, 64, 12}, .divided = 3},
    };
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    need(argc == 3 || argc == 4, "blocks FOLDER SECONDS [BLOCKS]");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (argc == 3 || strcmp(argv[3], cases[i].name) == 0)
            compare(argv[1], &cases[i], atof(argv[2]), rank, ranks);
    MPI_Finalize();
    return 0;
}
