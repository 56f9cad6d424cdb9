/* Counting of calls by what they returned.
 *
 * A workload passes each of its I/O calls through one of these functions. Only
 * calls on files below --dir are counted. A counter that a workload cannot know
 * stays unknown and is left out of the answer: missing is not zero.
 */
#ifndef WORKLOAD_COUNT_H
#define WORKLOAD_COUNT_H

#include "run.h"

enum layer { POSIX, STDIO, MPIIO, HDF5_FILE, HDF5_DATASET, HDF5_ATTRIBUTE, PNETCDF, NETCDF, LAYERS };

static const char *const LAYER_NAMES[LAYERS] = {
    "posix", "stdio", "mpiio", "hdf5_file", "hdf5_dataset", "hdf5_attribute", "pnetcdf", "netcdf",
};

/* Collective and non-blocking calls are part of `reads` and `writes`. `syncs`
 * are fsync, fflush, MPI_File_sync, H5Fflush; `stats` are stat and fstat. */
/* clang-format off */
#define ANSWER_COUNTERS(X) \
    X(opens) X(closes) X(reads) X(writes) X(bytes_read) X(bytes_written) \
    X(collective_reads) X(collective_writes) X(nonblocking_reads) X(nonblocking_writes) \
    X(views) X(seeks) X(syncs) X(stats) X(maps) X(waits)
/* clang-format on */

enum counter {
#define AS_ENUM(name) name,
    ANSWER_COUNTERS(AS_ENUM)
#undef AS_ENUM
        COUNTERS
};

static const char *const COUNTER_NAMES[COUNTERS] = {
#define AS_STRING(name) #name,
    ANSWER_COUNTERS(AS_STRING)
#undef AS_STRING
};

/* What this rank has counted so far. */
static struct counts {
    uint64_t of[LAYERS][COUNTERS];
    bool known[LAYERS][COUNTERS];
} counts;

/* Whether calls of this kind exist in the layer: there is no collective write in
 * POSIX, so none is not a count of it. */
static inline bool has_counter(enum layer layer, enum counter counter)
{
    bool is_parallel = layer == MPIIO || layer == HDF5_DATASET || layer == PNETCDF;
    switch (counter) {
    case opens:
    case closes:
        return true;
    case reads:
    case writes:
    case bytes_read:
    case bytes_written:
        return layer != HDF5_FILE;
    case collective_reads:
    case collective_writes:
        return is_parallel;
    case nonblocking_reads:
    case nonblocking_writes:
        return is_parallel && layer != HDF5_DATASET;
    case views:
        return layer == MPIIO;
    case seeks:
    case syncs:
        return layer <= MPIIO || (counter == syncs && layer == HDF5_FILE);
    case stats:
    case maps:
        return layer == POSIX;
    case waits:
        return layer == PNETCDF;
    default:
        return false;
    }
}

/* Everything that a layer of this name is called for is counted from here on,
 * so its untouched counters are zero and not unknown. */
static inline void counts_all_of(enum layer layer)
{
    for (int c = 0; c < COUNTERS; c++)
        counts.known[layer][c] = has_counter(layer, c);
}

static inline void count(enum layer layer, enum counter counter, uint64_t amount)
{
    counts.of[layer][counter] += amount;
    counts.known[layer][counter] = true;
}

static inline void count_read(enum layer layer, int64_t returned)
{
    require(returned >= 0, "read");
    count(layer, reads, 1);
    count(layer, bytes_read, (uint64_t)returned);
}

static inline void count_write(enum layer layer, int64_t returned)
{
    require(returned >= 0, "write");
    count(layer, writes, 1);
    count(layer, bytes_written, (uint64_t)returned);
}

static inline int count_open(enum layer layer, int fd)
{
    require(fd >= 0, "open");
    count(layer, opens, 1);
    return fd;
}

/* Any other call that returns 0 on success. */
static inline void count_done(enum layer layer, enum counter counter, int returned)
{
    require(returned == 0, COUNTER_NAMES[counter]);
    count(layer, counter, 1);
}

/* Bytes that reach the POSIX layer below a library, where that is certain. */
static inline void predict_bytes_written(uint64_t bytes)
{
    count(POSIX, bytes_written, bytes);
}

#endif
