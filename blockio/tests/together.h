/* One source for tests with and without MPI: ranks, random numbers, checksums. */
#ifndef TOGETHER_H
#define TOGETHER_H

#include "blockio.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank = 0, ranks = 1;

/* Whether blockio takes the next files for files behind a network. */
static bool by_network = false;

#ifdef BLOCKIO_WITH_MPI
/* The linker puts it in place of the one that asks the kernel. */
bool __real_is_local_path(const char *path);
bool __wrap_is_local_path(const char *path);
bool __wrap_is_local_path(const char *path)
{
    return !by_network && __real_is_local_path(path);
}

static void start(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
}
static void all_of(unsigned char *flags, size_t count)
{
    MPI_Allreduce(MPI_IN_PLACE, flags, (int)count, MPI_UNSIGNED_CHAR, MPI_MAX, MPI_COMM_WORLD);
}
static void barrier(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}
static int finish(int failures)
{
    MPI_Allreduce(MPI_IN_PLACE, &failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return failures > 0;
}
static blockio_status open_together(const char *path, blockio_mode mode, const blockio_options *options,
                                    blockio_file **file, blockio_error *error)
{
    return blockio_open_mpi(MPI_COMM_WORLD, path, mode, options, file, error);
}
#else
static void start(int *argc, char ***argv)
{
    (void)argc, (void)argv;
}
static void all_of(unsigned char *flags, size_t count)
{
    (void)flags, (void)count;
}
static void barrier(void)
{
}
static int finish(int failures)
{
    return failures > 0;
}
static blockio_status open_together(const char *path, blockio_mode mode, const blockio_options *options,
                                    blockio_file **file, blockio_error *error)
{
    return blockio_open(path, mode, options, file, error);
}
#endif

/* splitmix64: the same numbers on all ranks. */
static inline uint64_t mixed(uint64_t value)
{
    value += 0x9E3779B97F4A7C15u;
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9u;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EBu;
    return value ^ (value >> 31);
}

static inline int64_t below(uint64_t *state, int64_t limit)
{
    *state += 1;
    return limit <= 0 ? 0 : (int64_t)(mixed(*state) % (uint64_t)limit);
}

static inline uint64_t checksum(const unsigned char *bytes, size_t count)
{
    uint64_t sum = 14695981039346656037u;
    for (size_t i = 0; i < count; i++)
        sum = (sum ^ bytes[i]) * 1099511628211u;
    return sum;
}

static inline void unused(void)
{
    (void)by_network, (void)all_of, (void)barrier, (void)open_together, (void)start, (void)finish;
}

#endif
