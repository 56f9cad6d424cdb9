/* What the benchmarks of blocks and of Code P share. */
#ifndef BENCH_H
#define BENCH_H

#include "blockio.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where an array begins in the file: after a header of this size, as HDF5 places it here. The copy between
 * a page of the file and memory takes up to 1.3 times as long where both are aligned nearly alike, which
 * would be luck of a peer. */
enum { DIMS = 4, HEADER_BYTES = 2048 };

/* An array of doubles in C order, and the block of this rank. */
struct blocks {
    const char *name;
    int dims;
    int64_t shape[DIMS];
    int divided; /* the index that ranks divide; -1: a grid over the second and the third */
    int64_t start[DIMS], count[DIMS];
    size_t bytes; /* of the block */
};

/* A way to transfer them. What is opened stays open for all rounds. */
struct peer {
    const char *name;
    void *(*open)(const char *path, const struct blocks *);
    void (*move)(void *opened, const struct blocks *, double *values, int is_write);
    void (*close)(void *opened);
    int (*writes)(const struct blocks *); /* whether its writes leave the same bytes; NULL: they do */
};

extern const struct peer blockio_peer, mpiio_peer, hdf5_peer, pnetcdf_peer, adios2_peer;

/* An element is its index in the array: any process can compute any part. */
void fill(const struct blocks *, const int64_t start[DIMS], const int64_t count[DIMS], double *values);

static inline void need(int is_right, const char *what)
{
    if (is_right)
        return;
    fprintf(stderr, "bench: %s failed\n", what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

#endif
