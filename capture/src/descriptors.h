/* Descriptors and streams: the file behind each, and its position. */
#ifndef DIYA_DESCRIPTORS_H
#define DIYA_DESCRIPTORS_H

#include "state.h"

#include <fcntl.h>

enum diya_description_flag {
    DIYA_FD_APPEND = 1,
    DIYA_FD_SEEKABLE = 2, /* regular files and block devices have offsets */
    DIYA_FD_SHARED = 4,   /* its position moves where we do not see it: ask */
    DIYA_FD_STREAM = 8,   /* a FILE is on it */
};

/* Flags of open that decide what a transfer costs: kept as they are beside those above, and
 * recorded with each transfer. One file can have descriptors of both kinds. */
#define DIYA_FD_COSTLY ((uint32_t)(O_SYNC | O_DSYNC | O_DIRECT))
_Static_assert((DIYA_FD_COSTLY & 15u) == 0, "flags of open are other bits than those of descriptions");

struct diya_descriptor {
    uint32_t file;                        /* 0: not open, or no place left */
    uint32_t flags;                       /* enum diya_description_flag, DIYA_FD_COSTLY */
    struct diya_description *description; /* NULL: none */
};

/* Of a descriptor never seen before what the kernel says of it. */
DIYA_HIDDEN struct diya_descriptor diya_descriptor_of(int fd);
DIYA_HIDDEN DIYA_RARELY struct diya_descriptor diya_descriptor_ask(int fd);
/* The same without asking: file 0 if it was never seen. */
DIYA_HIDDEN uint32_t diya_descriptor_known(int fd);

DIYA_HIDDEN void diya_descriptor_opened(int fd, uint32_t file, int open_flags);
DIYA_HIDDEN void diya_descriptor_closed(int fd);
/* Who wants to know of each descriptor that is closed, or NULL. */
extern DIYA_HIDDEN void (*diya_descriptor_watcher)(int fd);
DIYA_HIDDEN void diya_descriptors_closed(unsigned first, unsigned last);
DIYA_HIDDEN void diya_descriptor_duplicated(int from, int to);
DIYA_HIDDEN void diya_descriptor_shared(int fd);
/* A FILE is on it from now on; gives its description, 0: none. */
DIYA_HIDDEN uint32_t diya_descriptor_streams(int fd, bool is_shared);
/* fcntl has set these flags: of them O_APPEND and O_DIRECT change. */
DIYA_HIDDEN void diya_descriptor_set(int fd, int open_flags);
/* Gives back the free descriptions that the thread kept for itself. */
DIYA_HIDDEN void diya_descriptors_thread_ends(struct diya_thread *thread);
DIYA_HIDDEN void diya_descriptors_inherited(void); /* another process has them now, too */

/* Position as the kernel has it, less what was moved; -1: there is none. */
DIYA_HIDDEN DIYA_RARELY int64_t diya_descriptor_ask_position(int fd, struct diya_description *description,
                                                             int64_t moved);
DIYA_HIDDEN void diya_descriptor_moved(int fd, int64_t position);

/* A vfork child has descriptors of its own but our memory: it must not write. */
static inline bool diya_descriptor_tracked(int fd)
{
    return (uint32_t)fd < diya_process->fd_limit && !diya_tls.is_vfork_child;
}

/* diya_descriptor_of for functions that transfer data: without a call in most cases. */
static inline __attribute__((always_inline)) struct diya_descriptor diya_descriptor_quickly(int fd)
{
    const struct diya_process *process = diya_process;
    uint64_t entry = diya_descriptor_tracked(fd) ? __atomic_load_n(&process->fds[fd], __ATOMIC_ACQUIRE) : 0;
    if (__builtin_expect(entry == 0, 0))
        return diya_descriptor_ask(fd);
    struct diya_descriptor found = {.file = (uint32_t)(entry >> 32)};
    if (__builtin_expect((uint32_t)entry != 0, 1)) {
        found.description = &process->descriptions[(uint32_t)entry];
        found.flags = __atomic_load_n(&found.description->flags, __ATOMIC_RELAXED);
        if (__builtin_expect(found.description->epoch != process->fork_epoch, 0))
            found.flags |= DIYA_FD_SHARED;
    }
    return found;
}

/* In one instruction, so that a handler's call comes before or after it. Among
 * threads that takes a locked one, which costs as much as a quarter of a record. */
static inline int64_t diya_position_add(int64_t *position, int64_t moved)
{
#if defined(__x86_64__)
    if (!__atomic_load_n(&diya_process->is_threaded, __ATOMIC_RELAXED)) {
        __asm__ volatile("xaddq %0, %1" : "+r"(moved), "+m"(*position) : : "cc", "memory");
        return moved;
    }
#endif
    return __atomic_fetch_add(position, moved, __ATOMIC_RELAXED);
}

/* Offset of a transfer at the implicit position that has moved `done` bytes.
 * -1 where there is none. */
static inline __attribute__((always_inline)) int64_t diya_descriptor_advance(int fd, struct diya_descriptor descriptor,
                                                                             int64_t done, bool is_write)
{
    if (!(descriptor.flags & DIYA_FD_SEEKABLE))
        return -1;
    int64_t moved = done > 0 ? done : 0;
    bool is_elsewhere = descriptor.description == NULL || (descriptor.flags & DIYA_FD_SHARED) != 0 ||
                        (is_write && (descriptor.flags & DIYA_FD_APPEND) != 0);
    if (__builtin_expect(is_elsewhere, 0))
        return diya_descriptor_ask_position(fd, descriptor.description, moved);
    return diya_position_add(&descriptor.description->position, moved);
}

/* Path by which the kernel knows a descriptor. Bytes, or negative. */
DIYA_HIDDEN long diya_path_of_fd(int fd, char *path, size_t room);

/* State of a FILE; NULL: not known, or no place left. */
DIYA_HIDDEN struct diya_description *diya_stream_bind(const void *stream, uint32_t file, int64_t position);
DIYA_HIDDEN struct diya_description *diya_stream_find(const void *stream);
DIYA_HIDDEN void diya_stream_unbind(const void *stream);

#endif
