/* blockio: n-dimensional blocks of arrays in raw files.
 * SPDX-FileCopyrightText: 2026 The diya developers
 * SPDX-License-Identifier: Apache-2.0
 *
 * A file holds arrays. A rank transfers blocks of an array. A plan says which blocks; it
 * is made once and used for any number of reads and writes. The plan chooses how the
 * bytes reach the file, and blockio_note() says why.
 *
 *   blockio_file *file; blockio_plan *plan; blockio_error error;
 *   blockio_array array = {.dims = 3, .shape = {512, 512, 512}, .type = BLOCKIO_FLOAT64};
 *   blockio_block block = {.start = {0, 256, 0}, .count = {512, 256, 512}};
 *   if (blockio_open_mpi(MPI_COMM_WORLD, "field.raw", BLOCKIO_READ, NULL, &file, &error) ||
 *       blockio_plan_blocks(file, &array, &block, 1, &plan, &error) ||
 *       blockio_read(file, plan, values, &error))
 *       fprintf(stderr, "%s\n", error.text);
 *
 * Units: names that end in _bytes are bytes; every other length, start, count or index is
 * in elements and begins at 0.
 *
 * Errors: every function that can fail returns a blockio_status, 0 for success, and fills
 * `error` unless that is NULL. A function that fails sets its result to NULL. Nothing
 * aborts, prints or exits.
 *
 * Ranks: on a file of blockio_open_mpi(), functions marked "collective" are called by all
 * ranks of the file in the same order. They return the same status on all ranks; the text
 * of the rank that failed is its own, the others name the status.
 *
 * Threads: there is no global state. A file of blockio_open() and its plans may be used by
 * several threads at once, except for blockio_close() and blockio_plan_free(); threads that
 * write need blocks that do not overlap. A file of blockio_open_mpi() is used by one
 * thread at a time. Several threads of a rank must not be in collective functions at once, not even
 * on different files: ROMIO holds one lock for all files while its ranks meet, and two ranks
 * that take it for different files wait for each other for ever (seen with MPICH 4.0).
 */
#ifndef BLOCKIO_H
#define BLOCKIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef BLOCKIO_WITH_MPI
#include <mpi.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define BLOCKIO_VERSION "0.1.0"

/* Most indexes of an array. */
#define BLOCKIO_MAX_DIMS 8

/* An open file. */
typedef struct blockio_file blockio_file;

/* What this rank transfers of one array, and how. */
typedef struct blockio_plan blockio_plan;

/* Result of a call. The numbers do not change between versions. */
typedef enum {
    BLOCKIO_OK = 0,
    BLOCKIO_BAD_ARGUMENT = 1,  /* a NULL, an unknown enum, a negative number */
    BLOCKIO_BAD_SHAPE = 2,     /* a shape, stride or halo that no array can have */
    BLOCKIO_OVERFLOW = 3,      /* a size or offset beyond 2^63 - 1 bytes */
    BLOCKIO_OUT_OF_BOUNDS = 4, /* a block or index outside the array */
    BLOCKIO_OVERLAP = 5,       /* a write whose own blocks overlap: the result would depend on order */
    BLOCKIO_SHORT_FILE = 6,    /* the file ends before the last byte of the plan */
    BLOCKIO_BYTE_ORDER = 7,    /* bytes that cannot be swapped, or a marker in neither order */
    BLOCKIO_WRONG_MODE = 8,    /* a write to a file opened for reading */
    BLOCKIO_NO_MEMORY = 9,
    BLOCKIO_SYSTEM = 10,       /* the system refused a call; the text has its reason */
    BLOCKIO_MPI = 11,          /* MPI refused a call; the text has its reason */
    BLOCKIO_RANKS_DIFFER = 12, /* ranks gave different arrays or options to a collective call */
} blockio_status;

/* A status with words: what happened, where, what to do. Made by the caller. */
typedef struct {
    blockio_status status;
    char text[256]; /* ends in NUL */
} blockio_error;

/* Type of an element. The file holds it in the byte order of the array. */
typedef enum {
    BLOCKIO_FLOAT64 = 0,
    BLOCKIO_FLOAT32 = 1,
    BLOCKIO_INT8 = 2,
    BLOCKIO_INT16 = 3,
    BLOCKIO_INT32 = 4,
    BLOCKIO_INT64 = 5,
    BLOCKIO_COMPLEX64 = 6,  /* two float32 */
    BLOCKIO_COMPLEX128 = 7, /* two float64 */
    BLOCKIO_OPAQUE = 8,     /* element_bytes bytes that are never swapped */
} blockio_type;

/* Which index is contiguous. */
typedef enum {
    BLOCKIO_C_ORDER = 0,       /* the last one */
    BLOCKIO_FORTRAN_ORDER = 1, /* the first one */
} blockio_order;

typedef enum {
    BLOCKIO_NATIVE = 0, /* that of the machine that runs */
    BLOCKIO_LITTLE = 1,
    BLOCKIO_BIG = 2,
} blockio_byte_order;

/* An array in a file. Members left 0: float64, C order, native bytes, at the beginning of
 * the file. The index d of shape, start and count is the same in both orders. */
typedef struct {
    int dims;                        /* 1 to BLOCKIO_MAX_DIMS */
    int64_t shape[BLOCKIO_MAX_DIMS]; /* each 0 or more */
    blockio_type type;
    size_t element_bytes; /* BLOCKIO_OPAQUE: 1 or more; else 0 */
    blockio_order order;  /* C or Fortran */
    blockio_byte_order byte_order;
    int64_t offset_bytes; /* where the array begins: a header, other arrays */
} blockio_array;

/* A block of an array, and where it lies in memory.
 *
 * Along an index it has `count` pieces of `piece` elements, the first at `start`, one every
 * `stride` elements. With piece and stride left 0 it is a dense block of `count` elements.
 * A block with a count of 0 is empty.
 *
 * Halos need a dense block. In memory they surround it: that memory has
 * halo_low + count * piece + halo_high elements along an index. A read fills halos from
 * the file; those outside the array keep what memory held, or come from the other end
 * where `periodic` is set. A write leaves halos out. */
typedef struct {
    int64_t start[BLOCKIO_MAX_DIMS];
    int64_t count[BLOCKIO_MAX_DIMS];
    int64_t stride[BLOCKIO_MAX_DIMS];    /* 0: as piece */
    int64_t piece[BLOCKIO_MAX_DIMS];     /* 0: 1 */
    int64_t halo_low[BLOCKIO_MAX_DIMS];  /* at most the shape */
    int64_t halo_high[BLOCKIO_MAX_DIMS]; /* at most the shape */
    bool periodic[BLOCKIO_MAX_DIMS];
    bool other_order; /* memory has the other order than the file: a transposition */
} blockio_block;

/* How bytes reach the file. */
typedef enum {
    BLOCKIO_AUTO = 0,
    BLOCKIO_INDEPENDENT = 1, /* each rank makes its own requests */
    BLOCKIO_SERIALIZED = 2,  /* rank 0 makes all requests and exchanges bytes with the others */
    BLOCKIO_GROUPED = 3,     /* some ranks, the aggregators, do so for a part of the file each */
    BLOCKIO_COLLECTIVE = 4,  /* collective calls of MPI-IO with a file view */
} blockio_method;

typedef enum {
    BLOCKIO_READ = 0,   /* the file exists */
    BLOCKIO_WRITE = 1,  /* read and write; made if it does not exist, kept as it is if it does */
    BLOCKIO_CREATE = 2, /* read and write; emptied if it exists */
} blockio_mode;

typedef enum {
    BLOCKIO_READING = 0,
    BLOCKIO_WRITING = 1,
} blockio_direction;

/* What a user may know better than the library. Members left 0 are found out. The same on
 * all ranks. */
typedef struct {
    blockio_method method; /* for reads and writes */
    int aggregators;       /* of BLOCKIO_GROUPED: 1 to the number of ranks */
    int64_t buffer_bytes;  /* of an aggregator, for one request; 0: 1 MiB locally, else 4 MiB or a larger stripe */
    int64_t stripe_bytes;  /* of the file system; 0: what MPI-IO says of the file */
    int stripes;           /* storage targets of the file; 0: what MPI-IO says of the file */
    int64_t request_ns;    /* latency of a small request; 0: 2 us on a local file system, else 500 us */
} blockio_options;

/* The name of a status, such as "short file". Never NULL, never freed. */
const char *blockio_status_text(blockio_status status);

/* Bytes of an element; 0 for an unknown type. */
size_t blockio_element_bytes(const blockio_array *array);

/* Bytes of an array in the file, without what comes before: array.offset_bytes plus this
 * is where the next array may begin. BAD_ARGUMENT, BAD_SHAPE, OVERFLOW. */
blockio_status blockio_array_bytes(const blockio_array *array, int64_t *bytes, blockio_error *error);

/* Bytes of a block in memory, halos included: what a buffer must have. BAD_ARGUMENT,
 * BAD_SHAPE, OVERFLOW, OUT_OF_BOUNDS. */
blockio_status blockio_block_bytes(const blockio_array *array, const blockio_block *block, int64_t *bytes,
                                   blockio_error *error);

/* The block of `part` when an index of `length` elements is divided evenly into `parts`: the
 * first ones are one element longer. Any pointer may be NULL. */
void blockio_divide(int64_t length, int64_t parts, int64_t part, int64_t *start, int64_t *count);

/* Out-of-core: divides a dense block without halos into tiles of at most limit_bytes, each as contiguous
 * in the file as possible, in the order of the file. *tiles is how many; `tile` of them is
 * written to *piece unless that is NULL. Ranks with fewer tiles than others plan no block
 * for the rest. BAD_ARGUMENT, BAD_SHAPE (an element is larger than the limit, a halo, a
 * stride), OVERFLOW, OUT_OF_BOUNDS (no such tile). */
blockio_status blockio_tile(const blockio_array *array, const blockio_block *block, int64_t limit_bytes, int64_t tile,
                            int64_t *tiles, blockio_block *piece, blockio_error *error);

/* Opens a file for this process alone, without MPI. `options` may be NULL.
 * BAD_ARGUMENT, SYSTEM, NO_MEMORY. */
blockio_status blockio_open(const char *path, blockio_mode mode, const blockio_options *options, blockio_file **file,
                            blockio_error *error);

#ifdef BLOCKIO_WITH_MPI
/* Opens a file for all ranks of `comm`, which is duplicated. `info` has hints of MPI-IO and may be
 * MPI_INFO_NULL. Collective. BAD_ARGUMENT, RANKS_DIFFER, SYSTEM, MPI, NO_MEMORY. */
blockio_status blockio_open_hints(MPI_Comm comm, MPI_Info info, const char *path, blockio_mode mode,
                                  const blockio_options *options, blockio_file **file, blockio_error *error);

/* The same without hints. */
blockio_status blockio_open_mpi(MPI_Comm comm, const char *path, blockio_mode mode, const blockio_options *options,
                                blockio_file **file, blockio_error *error);
#endif

/* The same with a communicator of Fortran (or of mpi4py's py2f). In a library without MPI it
 * fails with BAD_ARGUMENT. */
blockio_status blockio_open_fortran(int comm, const char *path, blockio_mode mode, const blockio_options *options,
                                    blockio_file **file, blockio_error *error);

/* Whether this library was built with MPI. */
bool blockio_has_mpi(void);

/* Closes a file; its plans are freed before. *file becomes NULL, whatever the result; a
 * NULL is fine. Collective. SYSTEM, MPI. */
blockio_status blockio_close(blockio_file **file, blockio_error *error);

/* Makes written bytes durable (fsync, MPI_File_sync). Collective. WRONG_MODE, SYSTEM, MPI. */
blockio_status blockio_sync(blockio_file *file, blockio_error *error);

/* Size of the file now. Collective. SYSTEM, MPI. */
blockio_status blockio_size(blockio_file *file, int64_t *bytes, blockio_error *error);

/* Finds out the byte order of a file from a number in its header: reads 4 bytes at
 * offset_bytes and compares them with `marker` in both orders. Collective.
 * BYTE_ORDER (neither), SHORT_FILE, BAD_ARGUMENT (a marker that is the same in both), SYSTEM, MPI. */
blockio_status blockio_find_byte_order(blockio_file *file, int64_t offset_bytes, uint32_t marker,
                                       blockio_byte_order *order, blockio_error *error);

/* Plans the transfer of this rank's blocks of an array: `blocks` has block_count of them,
 * which may be 0. In memory they lie one after the other. Ranks may plan blocks of any
 * number and size; blocks may overlap in reads. The array is the same on all ranks.
 * Collective. BAD_ARGUMENT, BAD_SHAPE, OVERFLOW, OUT_OF_BOUNDS, BYTE_ORDER, RANKS_DIFFER,
 * NO_MEMORY, MPI. */
blockio_status blockio_plan_blocks(blockio_file *file, const blockio_array *array, const blockio_block *blocks,
                                   size_t block_count, blockio_plan **plan, blockio_error *error);

/* Plans single elements, such as those of an unstructured mesh: element i in memory is
 * element indexes[i] of the array, counted from 0 in the order of the file. Any order;
 * an element may come twice in reads. Collective. Errors as for blocks. */
blockio_status blockio_plan_elements(blockio_file *file, const blockio_array *array, const int64_t *indexes,
                                     size_t index_count, blockio_plan **plan, blockio_error *error);

/* Frees a plan; *plan becomes NULL; a NULL is fine. Its file is still open. Local: no other
 * rank is waited for. */
void blockio_plan_free(blockio_plan **plan);

/* Bytes that the buffers of a plan must have. */
int64_t blockio_plan_bytes(const blockio_plan *plan);

/* The method that a plan uses. */
blockio_method blockio_plan_method(const blockio_plan *plan, blockio_direction direction);

/* Why the plan uses its method: one line with sizes, requests and the estimated time of
 * each method. Lives as long as the plan. */
const char *blockio_note(const blockio_plan *plan, blockio_direction direction);

/* Reads the planned elements into `values`, which has blockio_plan_bytes() bytes; NULL where
 * that is 0. A copy of the rank's bytes is held meanwhile where memory is laid out
 * differently from the file. After an error the contents of `values` are undefined.
 * Collective. SHORT_FILE, SYSTEM, MPI, NO_MEMORY. */
blockio_status blockio_read(blockio_file *file, const blockio_plan *plan, void *values, blockio_error *error);

/* Writes the planned elements from `values`. Bytes that no rank writes keep their values.
 * Where blocks of two ranks overlap, the result is undefined. After an error on one rank, the
 * elements of any rank hold their old or their new values. Collective.
 * WRONG_MODE, OVERLAP, SYSTEM, MPI, NO_MEMORY. */
blockio_status blockio_write(blockio_file *file, const blockio_plan *plan, const void *values, blockio_error *error);

#ifdef __cplusplus
}
#endif
#endif
