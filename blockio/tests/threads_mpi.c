/* Threads of each rank have a file each, with all methods at once: for ThreadSanitizer.
 *
 *   threads_mpi FILE
 */
#include "blockio.h"

#include <pthread.h>
#include <stdio.h>

enum { THREADS = 4, SIDE = 24, ROUNDS = 10 };

static const blockio_array array = {.dims = 2, .shape = {SIDE, SIDE}, .byte_order = BLOCKIO_BIG};
static const blockio_method methods[THREADS] = {BLOCKIO_INDEPENDENT, BLOCKIO_SERIALIZED, BLOCKIO_GROUPED,
                                                BLOCKIO_COLLECTIVE};
static int rank, ranks;

struct thread {
    pthread_t id;
    MPI_Comm comm;
    char path[4096];
    blockio_method method;
    long wrong;
};

static void *work(void *argument)
{
    struct thread *own = argument;
    blockio_options options = {.method = own->method, .aggregators = own->method == BLOCKIO_GROUPED ? 2 : 0};
    int64_t first = (int64_t)SIDE * rank / ranks, last = (int64_t)SIDE * (rank + 1) / ranks;
    blockio_block block = {.start = {0, first}, .count = {SIDE, last - first}};
    double values[SIDE * SIDE], read[SIDE * SIDE];
    blockio_file *file;
    blockio_plan *plan;
    blockio_error error;
    own->wrong = blockio_open_mpi(own->comm, own->path, BLOCKIO_CREATE, &options, &file, &error);
    if (own->wrong == 0)
        own->wrong = blockio_plan_blocks(file, &array, &block, 1, &plan, &error);
    if (own->wrong != 0) {
        fprintf(stderr, "%s\n", error.text);
        return NULL;
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (int64_t i = 0; i < SIDE * (last - first); i++)
            values[i] = (double)(rank * 1000000 + round * 1000 + i);
        own->wrong += blockio_write(file, plan, values, NULL) + blockio_read(file, plan, read, NULL);
        for (int64_t i = 0; i < SIDE * (last - first); i++)
            own->wrong += read[i] != values[i];
    }
    blockio_plan_free(&plan);
    own->wrong += blockio_close(&file, NULL);
    return NULL;
}

int main(int argc, char **argv)
{
    struct thread threads[THREADS];
    int level, wrong = argc != 2;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (level < MPI_THREAD_MULTIPLE) {
        printf(rank == 0 ? "skipped: this MPI has no MPI_THREAD_MULTIPLE\n" : "");
        MPI_Finalize();
        return 0;
    }
    for (int i = 0; i < THREADS; i++) {
        threads[i] = (struct thread){.method = methods[i]};
        MPI_Comm_dup(MPI_COMM_WORLD, &threads[i].comm);
        snprintf(threads[i].path, sizeof threads[i].path, "%s.%d", argv[1], i);
    }
    for (int i = 0; i < THREADS && wrong == 0; i++)
        if (pthread_create(&threads[i].id, NULL, work, &threads[i]) != 0)
            MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i].id, NULL);
        wrong += threads[i].wrong != 0;
        MPI_Comm_free(&threads[i].comm);
        if (rank == 0)
            remove(threads[i].path);
    }
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("threads of %d ranks: %d wrong\n", ranks, wrong);
    MPI_Finalize();
    return wrong != 0;
}
