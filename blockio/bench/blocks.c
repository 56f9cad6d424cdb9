/* blockio beside MPI-IO subarrays, HDF5, PnetCDF and ADIOS2: ratios of times in one run. The peers take
 * turns in every round, and what is printed are medians over rounds.
 *
 *   blocks FOLDER
 */
#include "bench.h"

static const struct peer *const peers[] = {&blockio_peer, &mpiio_peer, &hdf5_peer,
#ifdef HAS_PNETCDF
                                           &pnetcdf_peer,
#endif
#ifdef HAS_ADIOS2
                                           &adios2_peer,
#endif
};
enum { USED = sizeof peers / sizeof *peers };

static int ascending(const void *a, const void *b)
{
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

static double median(double *values)
{
    qsort(values, ROUNDS, sizeof *values, ascending);
    return values[ROUNDS / 2];
}

static void divide(struct blocks *blocks, int rank, int ranks)
{
    int64_t grid[DIMS] = {1, 1, 1, 1};
    if (blocks->divided >= 0)
        grid[blocks->divided] = ranks;
    else
        grid[1] = ranks >= 4 ? ranks / 2 : ranks, grid[2] = ranks >= 4 ? 2 : 1;
    blocks->bytes = sizeof(double);
    for (int d = 0; d < blocks->dims; d++) {
        blockio_divide(blocks->shape[d], grid[d], rank % grid[d], &blocks->start[d], &blocks->count[d]);
        rank /= (int)grid[d];
        blocks->bytes *= (size_t)blocks->count[d];
    }
}

static double timed(const struct peer *peer, void *opened, const struct blocks *blocks, double *values, int is_write)
{
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime(), taken, slowest;
    peer->move(opened, blocks, values, is_write);
    taken = MPI_Wtime() - begin;
    MPI_Allreduce(&taken, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return slowest;
}

static void compare(const char *folder, struct blocks *blocks, int rank, int ranks)
{
    static double taken[2][USED][ROUNDS];
    void *opened[USED];
    char path[USED][600];
    divide(blocks, rank, ranks);
    double *values = malloc(blocks->bytes), *read = malloc(blocks->bytes);
    for (size_t i = 0; i < blocks->bytes / sizeof(double); i++)
        values[i] = rank * 1e9 + (double)i;
    for (int p = 0; p < USED; p++) {
        snprintf(path[p], sizeof path[p], "%s/blocks-%d", folder, p);
        opened[p] = peers[p]->open(path[p], blocks);
        timed(peers[p], opened[p], blocks, values, 1); /* allocates the file */
    }
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < 2 * USED; i++) {
            int p = (i / 2 + round) % USED, is_write = i % 2 == 0;
            taken[is_write][p][round] = timed(peers[p], opened[p], blocks, is_write ? values : read, is_write);
            need(is_write || memcmp(values, read, blocks->bytes) == 0, "reading what was written");
        }
    for (int p = 0; p < USED; p++) {
        peers[p]->close(opened[p]);
        if (rank == 0)
            remove(path[p]);
    }
    for (int is_write = 0; is_write < 2 && rank == 0; is_write++) {
        double own = median(taken[is_write][0]);
        printf("| %-24s | %-5s |", blocks->name, is_write ? "write" : "read");
        for (int p = 1; p < USED; p++)
            printf(" %6.2f |", median(taken[is_write][p]) / own);
        printf("\n");
        fflush(stdout);
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
    need(argc == 2, "blocks FOLDER");
    if (rank == 0) {
        printf("| blocks on %d ranks        | does  |", ranks);
        for (int p = 1; p < USED; p++)
            printf(" %s |", peers[p]->name);
        printf("\n|---|---|");
        for (int p = 1; p < USED; p++)
            printf("---|");
        printf("\n");
    }
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        compare(argv[1], &cases[i], rank, ranks);
    MPI_Finalize();
    return 0;
}
