/* What the parts that use MPI share. */
#ifndef BLOCKIO_RANKS_H
#define BLOCKIO_RANKS_H

#include <mpi.h>

#include "internal.h"

/* Ranks of a file. `base` is the first member: a struct group is one of these. */
struct mpi_group {
    struct group base;
    MPI_Comm comm;
    MPI_File file;
    int64_t views; /* made so far */
    int64_t view;  /* the number of the one that is set; 0: bytes */
};

/* Bytes that move between a rank and one aggregator, for one window. */
struct slice {
    int64_t packed_bytes, length_bytes; /* where in the rank's packed buffer */
};

/* Who reads and writes which part of the file. The extent is divided into one domain for
 * each aggregator, a domain into windows of a buffer. */
struct schedule {
    int aggregators;
    int *aggregator_rank; /* by aggregator */
    int own;              /* which aggregator this rank is; -1: none */
    int64_t first_bytes, end_bytes, domain_bytes, window_bytes;
    int64_t windows;     /* of the largest domain */
    struct runs *member; /* an aggregator: runs of each rank in its domain, by rank */
    int members;         /* ranks of the file */
    struct runs covered; /* an aggregator: all of them merged */
    bool overlaps;       /* an aggregator: two ranks have the same bytes */
};

static inline struct mpi_group *mpi_group_of(const struct group *group)
{
    return (struct mpi_group *)(uintptr_t)group;
}

/* The status for what MPI returned. */
HIDDEN blockio_status mpi_status(int result, const char *call, const char *name, blockio_error *error);

/* group_mpi.c */
HIDDEN extern const struct group_calls mpi_calls;

/* store_mpi.c */
HIDDEN extern const struct store mpi_store, local_store;
HIDDEN blockio_status set_byte_view(blockio_file *file, blockio_error *error);

/* schedule.c */
HIDDEN blockio_status make_schedule(const struct group *group, struct side *side, const struct facts *facts,
                                    blockio_error *error);
HIDDEN bool schedule_overlaps(const struct schedule *schedule);
HIDDEN void free_schedule(struct schedule *schedule);
HIDDEN bool window_of(const struct schedule *schedule, int aggregator, int64_t window, int64_t *begin_bytes,
                      int64_t *end_bytes);
HIDDEN struct slice slice_of(const struct runs *runs, int64_t begin_bytes, int64_t end_bytes);

/* exchange.c */
HIDDEN blockio_status exchange(blockio_file *file, const struct side *side, unsigned char *packed, bool is_write,
                               blockio_error *error);

/* collective.c */
HIDDEN blockio_status make_view(const struct group *group, struct side *side, blockio_error *error);
HIDDEN void free_view(struct side *side);
HIDDEN blockio_status collective(blockio_file *file, const struct side *side, unsigned char *packed, bool is_write,
                                 blockio_error *error);

#endif
