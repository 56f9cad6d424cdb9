/* What the parts of blockio share. Data flows one way: blocks become boxes (select.c), boxes
 * become runs of the file (runs.c), runs are moved to and from a packed buffer (independent.c,
 * exchange.c, collective.c), the packed buffer is copied to and from the user's (copy.c). */
#ifndef BLOCKIO_INTERNAL_H
#define BLOCKIO_INTERNAL_H

#include "blockio.h"

#include <string.h>

#define HIDDEN __attribute__((visibility("hidden")))

/* Two loops per index: pieces, and elements of a piece. */
#define MAX_LOOPS (2 * BLOCKIO_MAX_DIMS)

/* No request is larger: MPI counts are int, and Linux moves at most 2 GiB - 4 KiB. */
#define REQUEST_BYTES ((int64_t)1 << 30)

/* A nest of loops, the first is the outermost. File offsets ascend. */
struct box {
    int loops;
    int64_t count[MAX_LOOPS];
    int64_t file_stride_bytes[MAX_LOOPS];
    int64_t memory_stride_bytes[MAX_LOOPS];
    int64_t file_bytes;   /* offset of the first element */
    int64_t memory_bytes; /* the same in the user's buffer */
    int64_t unit_bytes;   /* contiguous in file and memory */
};

/* Bytes that are contiguous in file and memory: what elements are planned as, a box would be large. */
struct piece {
    int64_t file_bytes, memory_bytes, length_bytes;
};

/* Bytes that are contiguous in the file. */
struct run {
    int64_t offset_bytes;
    int64_t length_bytes;
};

/* Runs in ascending order, without overlap or contact, and where each begins in the packed buffer. */
struct runs {
    struct run *run;
    int64_t *packed_bytes; /* count + 1 of them: the last is all bytes */
    size_t count;
};

/* What choose.c knows: sums over all ranks unless "rank" is in the name. */
struct facts {
    bool is_write;
    bool is_local;             /* the file system has no network behind it */
    int ranks, nodes, stripes; /* stripes: 0 if unknown */
    int64_t stripe_bytes;      /* 0 if unknown */
    int64_t buffer_bytes;
    int64_t request_ns;
    int64_t bytes, first_bytes, end_bytes; /* transferred; extent of the file */
    int64_t requests, rank_requests;       /* of independent I/O: all, and of the rank with the most */
    int64_t sieved_bytes;                  /* gaps that independent reads would read too */
    int64_t runs, rank_bytes;              /* all runs; bytes of the rank with the most */
    blockio_method wanted;                 /* BLOCKIO_AUTO: free */
    int wanted_aggregators;                /* 0: free */
};

struct choice {
    blockio_method method;
    int aggregators;
    char note[512];
};

struct schedule;

/* One direction of a plan. */
struct side {
    struct box *boxes;
    size_t box_count;
    struct piece *pieces; /* instead of boxes */
    size_t piece_count;
    struct runs runs;
    bool is_direct;    /* the packed buffer is laid out as the user's */
    bool overlaps;     /* some rank's own boxes overlap */
    int64_t end_bytes; /* of all ranks */
    struct choice choice;
    struct schedule *schedule; /* SERIALIZED, GROUPED */
    void *view;                /* COLLECTIVE: the MPI datatype */
    int64_t view_number;
};

struct blockio_plan {
    int64_t bytes;       /* of the user's buffer */
    size_t swap_bytes;   /* size of what is swapped; 1: nothing */
    struct side side[2]; /* by blockio_direction; without halos, both point to the same boxes and runs */
    const struct group *group;
};

/* A file by its calls: POSIX or MPI-IO. A read returns the bytes that it got. */
struct store {
    blockio_status (*read)(blockio_file *, int64_t offset_bytes, void *, int64_t bytes, int64_t *got_bytes,
                           blockio_error *);
    blockio_status (*write)(blockio_file *, int64_t offset_bytes, const void *, int64_t bytes, blockio_error *);
    blockio_status (*size)(blockio_file *, int64_t *bytes, blockio_error *);
    blockio_status (*sync)(blockio_file *, blockio_error *);
    blockio_status (*close)(blockio_file *, blockio_error *);
};

/* Ranks of a file and what they say to each other. One process: all of it does nothing. */
struct group {
    int rank, ranks, nodes;
    const struct group_calls *calls;
};

struct group_calls {
    /* The same status on all ranks: the largest. Fills `error` of ranks without one of their own. */
    blockio_status (*agree)(const struct group *, blockio_status, blockio_error *);
    blockio_status (*sum)(const struct group *, int64_t *values, int count, blockio_error *);
    blockio_status (*largest)(const struct group *, int64_t *values, int count, blockio_error *);
    /* The same, and the value of rank 0 on all ranks: one message where two would be needed. */
    blockio_status (*agree_on)(const struct group *, blockio_status, int64_t *value, blockio_error *);
    blockio_status (*schedule)(const struct group *, struct side *, const struct facts *, blockio_error *);
    /* What store->read and store->write need after a collective call; all ranks call it. */
    blockio_status (*bytes)(blockio_file *, blockio_error *);
    bool (*schedule_overlaps)(const struct schedule *);
    bool shares_badly; /* collective reads of this MPI are wrong where ranks read the same bytes */
    void (*free_schedule)(struct schedule *);
    blockio_status (*exchange)(blockio_file *, const struct side *, unsigned char *packed, bool is_write,
                               blockio_error *);
    blockio_status (*view)(const struct group *, struct side *, blockio_error *);
    void (*free_view)(struct side *);
    blockio_status (*collective)(blockio_file *, const struct side *, unsigned char *packed, bool is_write,
                                 blockio_error *);
};

/* Buffers of one exchange: two windows, two messages; and a copy of the user's. */
enum { KEPT_BUFFERS = 6 };

struct blockio_file {
    const struct store *store;
    struct group *group;
    blockio_options options; /* completed */
    blockio_mode mode;
    bool is_local;
    int descriptor;           /* of store_posix.c; -1: none */
    char name[128];           /* end of the path, for texts */
    void *kept[KEPT_BUFFERS]; /* of keep.c */
    int64_t kept_bytes;
};

/* status.c */
HIDDEN blockio_status fail(blockio_error *error, blockio_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
HIDDEN void clear_error(blockio_error *error);
HIDDEN bool multiply(int64_t a, int64_t b, int64_t *product);
HIDDEN bool add(int64_t a, int64_t b, int64_t *sum);
HIDDEN void *allocate(size_t count, size_t size_bytes);

/* array.c */
HIDDEN blockio_status check_array(const blockio_array *array, int64_t *bytes, blockio_error *error);
HIDDEN blockio_status check_block(const blockio_array *array, const blockio_block *block, int64_t *memory_elements,
                                  blockio_error *error);
HIDDEN blockio_status check_swap(const blockio_array *array, size_t *swap_bytes, blockio_error *error);
HIDDEN void file_strides(const blockio_array *array, int64_t strides[]);

/* select.c: the boxes of a block, appended; memory begins at memory_bytes. */
HIDDEN blockio_status select_block(struct side *side, size_t *room, const blockio_array *array,
                                   const blockio_block *block, int64_t memory_bytes, bool with_halos,
                                   blockio_error *error);
HIDDEN blockio_status select_elements(struct side *side, const blockio_array *array, const int64_t *indexes,
                                      size_t count, blockio_error *error);

/* runs.c */
HIDDEN blockio_status make_runs(struct side *side, blockio_error *error);
HIDDEN int64_t packed_at(const struct runs *runs, int64_t offset_bytes);
HIDDEN size_t first_run_after(const struct runs *runs, int64_t offset_bytes);
HIDDEN size_t merge_runs(struct run *run, size_t count, bool *overlaps);
HIDDEN int64_t sieve_gap_bytes(bool is_local);

/* copy.c */
/* Rows of blocks are often short: a call of memcpy for 48 bytes takes twice the time of these copies. */
static inline void copy_bytes(unsigned char *to, const unsigned char *from, size_t length)
{
    if (length < 16 || length > 128) {
        memcpy(to, from, length);
        return;
    }
    for (size_t at = 0; at + 16 <= length; at += 16)
        memcpy(to + at, from + at, 16);
    memcpy(to + length - 16, from + length - 16, 16); /* the rest, and some bytes once more */
}

HIDDEN void copy_boxes(const struct side *side, unsigned char *packed, unsigned char *values, bool pack);
HIDDEN void swap_elements(void *values, int64_t bytes, size_t swap_bytes);

/* choose.c */
HIDDEN void choose(const struct facts *facts, struct choice *choice);

/* keep.c: NULL without memory; what it held is undefined. A NULL can be given back. */
HIDDEN void *borrow(blockio_file *file, int64_t bytes);
HIDDEN void give_back(blockio_file *file, void *memory);
HIDDEN void free_kept(blockio_file *file);

/* tell.c */
HIDDEN void tell_plan(const blockio_file *file, const blockio_plan *plan);

/* independent.c */
HIDDEN blockio_status independent(blockio_file *file, const struct side *side, unsigned char *packed, bool is_write,
                                  blockio_error *error);
HIDDEN blockio_status read_exactly(blockio_file *file, int64_t offset_bytes, void *bytes, int64_t length_bytes,
                                   blockio_error *error);
HIDDEN int64_t independent_requests(const struct runs *runs, bool is_write, int64_t gap_bytes, int64_t buffer_bytes,
                                    int64_t *sieved_bytes);

/* file.c */
HIDDEN blockio_status check_open(const char *path, blockio_mode mode, const blockio_options *options,
                                 blockio_error *error);
HIDDEN void complete_options(blockio_file *file);
HIDDEN void name_file(blockio_file *file, const char *path);
HIDDEN bool is_local_path(const char *path);
HIDDEN extern const struct group_calls alone_calls;
HIDDEN extern const struct store posix_store;

/* store_posix.c: what ranks of one node use, too. The file is made or emptied as file->mode says. */
HIDDEN bool open_posix(blockio_file *file, const char *path);
HIDDEN blockio_status read_posix(blockio_file *file, int64_t offset_bytes, void *to, int64_t bytes, int64_t *got_bytes,
                                 blockio_error *error);
HIDDEN blockio_status write_posix(blockio_file *file, int64_t offset_bytes, const void *from, int64_t bytes,
                                  blockio_error *error);
HIDDEN blockio_status size_posix(blockio_file *file, int64_t *bytes, blockio_error *error);

#endif
