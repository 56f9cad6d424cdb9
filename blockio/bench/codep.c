/* The stages of Code P (Gropp, HPDC 2015): a program reads blocks of a canonical 3-d array by rank 0, which
 * sends the elements or lines to their owner, by each rank, and with blockio: grouped, collective, and as it
 * chooses. Every time that was measured, one a line as in blocks.c; blockio's has the plan in it.
 *
 *   codep FOLDER
 */
#include "bench.h"

#include <fcntl.h>
#include <unistd.h>

/* Elements of the array in each direction: -DSIDE=48 where each of them is a request of a network. */
#ifndef SIDE
#define SIDE 96
#endif

/* A stage is repeated for a second, so that a quick one has a median. */
enum { STAGES = 7, MOST_ROUNDS = 15 };

struct job {
    int rank, ranks, descriptor;
    int64_t start[3], count[3];
    double *values;
    const char *path;
};

static int64_t offset_of(const int64_t start[3], int64_t line, int64_t lines_inside)
{
    return (((start[0] + line / lines_inside) * SIDE + start[1] + line % lines_inside) * SIDE + start[2]) *
           (int64_t)sizeof(double);
}

/* Rank 0 reads for one rank after the other, `length` elements at a time. */
static void by_first(struct job *job, int64_t length)
{
    int64_t all[6], *blocks = malloc((size_t)job->ranks * sizeof all);
    memcpy(all, job->start, sizeof job->start);
    memcpy(all + 3, job->count, sizeof job->count);
    MPI_Gather(all, 6, MPI_INT64_T, blocks, 6, MPI_INT64_T, 0, MPI_COMM_WORLD);
    size_t lines = (size_t)(job->count[0] * job->count[1]), width = (size_t)job->count[2];
    for (size_t at = 0; job->rank != 0 && at < lines * width;
         at += (size_t)(length < (int64_t)width ? length : (int64_t)width))
        MPI_Recv(job->values + at, (int)(length < (int64_t)width ? length : (int64_t)width), MPI_DOUBLE, 0, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    double line[SIDE];
    for (int r = 0; job->rank == 0 && r < job->ranks; r++) {
        const int64_t *start = blocks + 6 * r, *count = start + 3;
        int64_t step = length < count[2] ? length : count[2];
        for (int64_t at = 0; at < count[0] * count[1] * count[2]; at += step) {
            int64_t offset = offset_of(start, at / count[2], count[1]) + at % count[2] * (int64_t)sizeof(double);
            double *to = r == 0 ? job->values + at : line;
            need(pread(job->descriptor, to, (size_t)step * sizeof(double), offset) > 0, "pread");
            if (r != 0)
                MPI_Send(line, (int)step, MPI_DOUBLE, r, 0, MPI_COMM_WORLD);
        }
    }
    free(blocks);
}

static void by_each(struct job *job, int64_t length)
{
    int64_t step = length < job->count[2] ? length : job->count[2];
    for (int64_t at = 0; at < job->count[0] * job->count[1] * job->count[2]; at += step)
        need(pread(job->descriptor, job->values + at, (size_t)step * sizeof(double),
                   offset_of(job->start, at / job->count[2], job->count[1]) +
                       at % job->count[2] * (int64_t)sizeof(double)) > 0,
             "pread");
}

static void by_blockio(struct job *job, blockio_method method)
{
    blockio_options options = {.method = method, .aggregators = method == BLOCKIO_GROUPED ? (job->ranks + 1) / 2 : 0};
    blockio_array array = {.dims = 3, .shape = {SIDE, SIDE, SIDE}};
    blockio_block block = {0};
    blockio_file *file;
    blockio_plan *plan;
    memcpy(block.start, job->start, sizeof job->start);
    memcpy(block.count, job->count, sizeof job->count);
    need(!blockio_open_mpi(MPI_COMM_WORLD, job->path, BLOCKIO_READ, &options, &file, NULL), "blockio_open_mpi");
    need(!blockio_plan_blocks(file, &array, &block, 1, &plan, NULL), "blockio_plan_blocks");
    need(!blockio_read(file, plan, job->values, NULL), "blockio_read");
    if (getenv("BENCH_NOTES") != NULL && job->rank == 0)
        fprintf(stderr, "%s\n", blockio_note(plan, BLOCKIO_READING));
    blockio_plan_free(&plan);
    blockio_close(&file, NULL);
}

static void stage(struct job *job, int number)
{
    switch (number) {
    case 0:
        by_first(job, 1);
        break;
    case 1:
        by_first(job, SIDE);
        break;
    case 2:
        by_each(job, 1);
        break;
    case 3:
        by_each(job, SIDE);
        break;
    case 4:
        by_blockio(job, BLOCKIO_GROUPED);
        break;
    case 5:
        by_blockio(job, BLOCKIO_COLLECTIVE);
        break;
    default:
        by_blockio(job, BLOCKIO_AUTO);
    }
}

/* The kernel forgets its pages of the file, where the file system lets it. */
static void forget(const struct job *job)
{
    MPI_Barrier(MPI_COMM_WORLD);
    posix_fadvise(job->descriptor, 0, 0, POSIX_FADV_DONTNEED);
    MPI_Barrier(MPI_COMM_WORLD);
}

static double timed(struct job *job, int number, size_t elements)
{
    double begin, own, slowest;
    memset(job->values, 0, elements * sizeof(double));
    forget(job);
    begin = MPI_Wtime();
    stage(job, number);
    own = MPI_Wtime() - begin;
    MPI_Allreduce(&own, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    for (size_t k = 0; k < elements; k++)
        need(job->values[k] ==
                 (double)offset_of(job->start, (int64_t)k / SIDE, job->count[1]) / sizeof(double) + (double)(k % SIDE),
             "reading the right values");
    return slowest;
}

int main(int argc, char **argv)
{
    static const char *const names[STAGES] = {"rank 0 reads elements", "rank 0 reads lines", "each rank reads elements",
                                              "each rank reads lines", "grouped (blockio)",  "collective (blockio)",
                                              "chosen by blockio"};
    struct job job;
    char path[600];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &job.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &job.ranks);
    need(argc == 2, "codep FOLDER");
    snprintf(path, sizeof path, "%s/canonical", argv[1]);
    job.path = path;
    if (job.rank == 0) {
        double line[SIDE];
        int made = open(path, O_CREAT | O_WRONLY | O_TRUNC, 0666);
        for (int i = 0; i < SIDE * SIDE; i++) {
            for (int j = 0; j < SIDE; j++)
                line[j] = i * SIDE + j;
            need(write(made, line, sizeof line) == (ssize_t)sizeof line, "write");
        }
        fsync(made);
        close(made);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    job.descriptor = open(path, O_RDONLY);
    blockio_divide(SIDE, 1, 0, &job.start[0], &job.count[0]);
    blockio_divide(SIDE, job.ranks, job.rank, &job.start[1], &job.count[1]);
    blockio_divide(SIDE, 1, 0, &job.start[2], &job.count[2]);
    size_t elements = (size_t)(job.count[0] * job.count[1] * job.count[2]);
    job.values = malloc(elements * sizeof(double));
    for (int i = 0; i < STAGES; i++) {
        double all = 0;
        for (int round = 0; round < MOST_ROUNDS && all < 1; round++) {
            double taken = timed(&job, i, elements);
            if (job.rank == 0)
                printf("Code P\tread\t%s\t%d\t%.9f\n", names[i], round, taken);
            all += taken;
        }
    }
    close(job.descriptor);
    if (job.rank == 0)
        remove(path);
    MPI_Finalize();
    return 0;
}
