/* Descriptors of the program, and what is gathered of their writes.
 *
 * The table is one of numbers of descriptors. A descriptor is watched if its writes may be
 * gathered, and gathers once it has done small writes in a row (write_buffer.c). One that
 * gathers no more may still have an error to tell. What is
 * gathered is memory[0 .. bytes of `fill`): at any moment, so that a signal handler can issue
 * it. The upper half of `fill` counts how often it was issued: who was interrupted while
 * adding finds that it changed, and starts again.
 *
 *     fill: | times issued (32) | bytes (32) |
 */
#ifndef APPLY_DESCRIPTORS_H
#define APPLY_DESCRIPTORS_H

#include "lock.h"

#include <stddef.h>
#include <sys/types.h>

enum { APPLY_DESCRIPTORS = 4096, APPLY_GATHERING = 256 };

enum apply_watch { APPLY_NOT_SEEN, APPLY_SEEN, APPLY_TELLS, APPLY_WATCHED, APPLY_GATHERS };
enum apply_kind { APPLY_KIND_UNKNOWN, APPLY_KIND_FILE, APPLY_KIND_OTHER };

struct apply_descriptor {
    struct apply_lock lock;
    uint8_t watch, kind;
    bool is_append, is_named, is_explicit; /* what is gathered is of pwrite */
    bool is_counted;                       /* calls of it were left out (no_fsync) */
    uint16_t twin;                         /* number + 1 of its duplicate, while both are open; 0: none */
    int error;                             /* of an issue that failed; told by the next call */
    uint32_t run, needed;                  /* small writes in a row; as many make it gather */
    uint32_t room, writes;                 /* gathered since it was issued last */
    uint32_t issues, gathered;             /* of the last issues that something else than a full buffer asked for */
    char *memory;
    uint64_t fill;
    int64_t position; /* of the description, without gathered bytes; or one of the two below */
    int64_t start;    /* of pwrite: offset of what is gathered */
    int64_t follow;   /* of pwrite: where it would go on, while nothing is gathered */
    int64_t last_ms;
    dev_t device;
    ino_t inode;
};

/* Not known now; not known from now on, since a child may move it. */
enum { APPLY_POSITION_UNKNOWN = -1, APPLY_POSITION_SHARED = -2 };

static inline void apply_set_position(struct apply_descriptor *descriptor, int64_t position)
{
    if (descriptor->position != APPLY_POSITION_SHARED)
        descriptor->position = position;
}

extern APPLY_HIDDEN struct apply_descriptor apply_descriptors[APPLY_DESCRIPTORS];

/* Number of descriptors that have gathered something. The code of passing.c reads it. */
extern APPLY_HIDDEN uint32_t apply_dirty;

/* Number of descriptors that gather, and of writes that were saved so far. */
extern APPLY_HIDDEN uint32_t apply_gatherers;
extern APPLY_HIDDEN uint64_t apply_saved;

static inline bool apply_is_dirty(void)
{
    return __builtin_expect(__atomic_load_n(&apply_dirty, __ATOMIC_RELAXED) != 0, 0);
}

static inline struct apply_descriptor *apply_descriptor(int fd)
{
    return (unsigned)fd < APPLY_DESCRIPTORS ? &apply_descriptors[fd] : NULL;
}

static inline enum apply_watch apply_watch_of(const struct apply_descriptor *descriptor)
{
    return descriptor == NULL ? APPLY_NOT_SEEN
                              : (enum apply_watch)__atomic_load_n(&descriptor->watch, __ATOMIC_ACQUIRE);
}

/* NULL: none of its writes is or will be gathered, and no error is to be told. */
static inline struct apply_descriptor *apply_watched(int fd)
{
    struct apply_descriptor *descriptor = apply_descriptor(fd);
    return __builtin_expect(apply_watch_of(descriptor) >= APPLY_TELLS, 0) ? descriptor : NULL;
}

static inline int apply_fd(const struct apply_descriptor *descriptor)
{
    return (int)(descriptor - apply_descriptors);
}

/* Largest number seen so far. */
APPLY_HIDDEN int apply_highest(void);
APPLY_HIDDEN void apply_seen(int fd);

/* Issues what is gathered. Errors are kept for the next call on the descriptor. Leaves errno. */
APPLY_HIDDEN void apply_flush_slowly(int fd);
APPLY_HIDDEN void apply_flush_all_slowly(void);

static inline void apply_flush(int fd)
{
    struct apply_descriptor *descriptor = apply_watched(fd);
    if (descriptor != NULL && (uint32_t)__atomic_load_n(&descriptor->fill, __ATOMIC_RELAXED) != 0)
        apply_flush_slowly(fd);
}

static inline void apply_flush_all(void)
{
    if (apply_is_dirty())
        apply_flush_all_slowly();
}

/* Issues, and gathers no more of this descriptor. */
APPLY_HIDDEN void apply_drop(int fd);
APPLY_HIDDEN void apply_drop_all(void);
/* From now on nothing is gathered: the process ends, or shares what cannot be seen. */
APPLY_HIDDEN void apply_stop(void);
APPLY_HIDDEN bool apply_is_stopped(void);
/* `to` has become a duplicate of `from`. Once one of the two is closed, the other is watched as
 * `from` was: programs open a file, duplicate it to the standard output and close the first. */
APPLY_HIDDEN void apply_duplicated(int from, int to, bool was_watched);
APPLY_HIDDEN void apply_part_from_twin(struct apply_descriptor *descriptor);
APPLY_HIDDEN void apply_watch_twin_again(struct apply_descriptor *closed);
/* The descriptor is closed, or will be. */
APPLY_HIDDEN void apply_closed(int fd);
/* The position was moved unseen. */
APPLY_HIDDEN void apply_position_unknown(int fd);
/* A child starts, which may have the same descriptors. */
APPLY_HIDDEN void apply_positions_shared(void);
/* In a forked child: the parent issues what was gathered. */
APPLY_HIDDEN void apply_forget_gathered(void);
/* The error that waits for the next call on it: 0 or errno. */
APPLY_HIDDEN int apply_take_error(struct apply_descriptor *descriptor);

/* Within the lock, and with signals blocked. */
APPLY_HIDDEN void apply_issue(struct apply_descriptor *descriptor);
APPLY_HIDDEN bool apply_begin_gathering(struct apply_descriptor *descriptor, uint32_t room);
APPLY_HIDDEN void apply_end_gathering(struct apply_descriptor *descriptor);

#endif
