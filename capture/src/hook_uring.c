/* io_uring through liburing, which makes its system calls itself.
 *
 * Its functions get `struct io_uring`, whose layout is part of its interface since
 * version 2.0. What it holds is read only where the function reads it as well.
 */
#include "core.h"
#include "flight.h"
#include "uring.h"

#include <signal.h>
#include <time.h>

struct io_uring {
    struct {
        uint32_t *head, *tail, *mask, *entries, *flags, *dropped, *array;
        uint8_t *requests;
        uint32_t local_head, local_tail; /* filled in, not yet handed on */
        size_t map_bytes;
        void *map;
        uint32_t reserved[4];
    } submit;
    struct {
        uint32_t *head, *tail, *mask, *entries, *flags, *overflow;
        uint8_t *completions;
        size_t map_bytes;
        void *map;
        uint32_t reserved[4];
    } complete;
    uint32_t flags;
    int fd;
};
struct io_uring_cqe;
struct __kernel_timespec;

enum { ENTRIES_128 = 1 << 10, COMPLETIONS_32 = 1 << 11, HANDLE_RING_SEEN = 0x41 };

int io_uring_submit(struct io_uring *ring);
int io_uring_submit_and_wait(struct io_uring *ring, unsigned wait);
int io_uring_submit_and_get_events(struct io_uring *ring);
int io_uring_get_events(struct io_uring *ring);
int io_uring_submit_and_wait_timeout(struct io_uring *ring, struct io_uring_cqe **cqe, unsigned wait,
                                     struct __kernel_timespec *timeout, sigset_t *mask);
int io_uring_wait_cqes(struct io_uring *ring, struct io_uring_cqe **cqe, unsigned wait,
                       struct __kernel_timespec *timeout, sigset_t *mask);
int io_uring_wait_cqe_timeout(struct io_uring *ring, struct io_uring_cqe **cqe, struct __kernel_timespec *timeout);
int __io_uring_get_cqe(struct io_uring *ring, struct io_uring_cqe **cqe, unsigned submit, unsigned wait,
                       sigset_t *mask);
unsigned io_uring_peek_batch_cqe(struct io_uring *ring, struct io_uring_cqe **cqes, unsigned count);
int io_uring_register_files(struct io_uring *ring, const int *fds, unsigned count);
int io_uring_register_files_update(struct io_uring *ring, unsigned first, const int *fds, unsigned count);
void io_uring_queue_exit(struct io_uring *ring);

static struct uring_view view_of(const struct io_uring *ring)
{
    return (struct uring_view){
        .owner = (uintptr_t)ring,
        .complete_tail = ring->complete.tail,
        .entries = ring->submit.requests,
        .completions = ring->complete.completions,
        .submit_mask = *ring->submit.mask,
        .complete_mask = *ring->complete.mask,
        .entry_bytes = ring->flags & ENTRIES_128 ? 128 : 64,
        .completion_bytes = ring->flags & COMPLETIONS_32 ? 32 : 16,
        .fd = ring->fd,
    };
}

static uint32_t submitting(const struct io_uring *ring)
{
    uint32_t file = DIYA_NO_FILE_YET;
    struct uring_view view = view_of(ring);
    uint64_t now_ns = diya_monotonic_ns();
    for (uint32_t at = ring->submit.local_head; at != ring->submit.local_tail; at++)
        file = diya_common_file(file, uring_requested(&view, at & view.submit_mask, now_ns));
    return diya_file_or_none(file);
}

/* How far completions were seen is kept by ring, one more than it is since 0 means
 * that nothing is known. A ring is driven by one thread at a time. */
static void completed(const struct diya_call *call, const struct io_uring *ring)
{
    struct uring_view view = view_of(ring);
    uint32_t known = diya_handle_find(HANDLE_RING_SEEN, (uintptr_t)ring);
    uint32_t seen = uring_completed(call, &view, known == 0 ? 0 : known - 1);
    diya_handle_bind(HANDLE_RING_SEEN, (uintptr_t)ring, seen + 1);
}

static void ring_call(struct diya_call *call, const struct io_uring *ring, enum diya_function function, uint32_t file,
                      int returned)
{
    completed(call, ring);
    uring_end(call, function, file, returned);
}

#define SUBMIT(name, function, ...)                                                                                    \
    struct diya_call call;                                                                                             \
    if (!diya_begin(&call))                                                                                            \
        return DIYA_REAL(name)(__VA_ARGS__);                                                                           \
    uint32_t file = submitting(ring);                                                                                  \
    call.start = diya_ticks();                                                                                         \
    int returned = DIYA_INSIDE_LIBRARY(DIYA_REAL(name)(__VA_ARGS__));                                                  \
    diya_returned(&call);                                                                                              \
    ring_call(&call, ring, function, file, returned);                                                                  \
    return returned

#define WAIT(name, ...)                                                                                                \
    struct diya_call call;                                                                                             \
    if (!diya_begin(&call))                                                                                            \
        return DIYA_REAL(name)(__VA_ARGS__);                                                                           \
    int returned = DIYA_INSIDE_LIBRARY(DIYA_REAL(name)(__VA_ARGS__));                                                  \
    diya_returned(&call);                                                                                              \
    ring_call(&call, ring, DIYA_F_IO_URING_WAIT, 0, returned);                                                         \
    return returned

DIYA_EXPORT int io_uring_submit(struct io_uring *ring)
{
    SUBMIT(io_uring_submit, DIYA_F_IO_URING_SUBMIT, ring);
}

DIYA_EXPORT int io_uring_submit_and_wait(struct io_uring *ring, unsigned wait)
{
    SUBMIT(io_uring_submit_and_wait, DIYA_F_IO_URING_SUBMIT_AND_WAIT, ring, wait);
}

DIYA_EXPORT int io_uring_submit_and_get_events(struct io_uring *ring)
{
    SUBMIT(io_uring_submit_and_get_events, DIYA_F_IO_URING_SUBMIT, ring);
}

DIYA_EXPORT int io_uring_submit_and_wait_timeout(struct io_uring *ring, struct io_uring_cqe **cqe, unsigned wait,
                                                 struct __kernel_timespec *timeout, sigset_t *mask)
{
    SUBMIT(io_uring_submit_and_wait_timeout, DIYA_F_IO_URING_SUBMIT_AND_WAIT, ring, cqe, wait, timeout, mask);
}

DIYA_EXPORT int io_uring_get_events(struct io_uring *ring)
{
    WAIT(io_uring_get_events, ring);
}

/* These two hand on what is filled in where the kernel cannot wait with a timeout. */
DIYA_EXPORT int io_uring_wait_cqes(struct io_uring *ring, struct io_uring_cqe **cqe, unsigned wait,
                                   struct __kernel_timespec *timeout, sigset_t *mask)
{
    WAIT(io_uring_wait_cqes, ring, cqe, wait, timeout, mask);
}

DIYA_EXPORT int io_uring_wait_cqe_timeout(struct io_uring *ring, struct io_uring_cqe **cqe,
                                          struct __kernel_timespec *timeout)
{
    WAIT(io_uring_wait_cqe_timeout, ring, cqe, timeout);
}

/* io_uring_wait_cqe is inlined from liburing's header and calls this. */
DIYA_EXPORT int __io_uring_get_cqe(struct io_uring *ring, struct io_uring_cqe **cqe, unsigned submit, unsigned wait,
                                   sigset_t *mask)
{
    WAIT(__io_uring_get_cqe, ring, cqe, submit, wait, mask);
}

/* Asks without waiting, in a loop perhaps: only what it finds is recorded. */
DIYA_EXPORT unsigned io_uring_peek_batch_cqe(struct io_uring *ring, struct io_uring_cqe **cqes, unsigned count)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(io_uring_peek_batch_cqe)(ring, cqes, count);
    unsigned returned = DIYA_REAL(io_uring_peek_batch_cqe)(ring, cqes, count);
    diya_returned(&call);
    completed(&call, ring);
    diya_cancel(&call);
    return returned;
}

DIYA_EXPORT int io_uring_register_files(struct io_uring *ring, const int *fds, unsigned count)
{
    int returned = DIYA_REAL(io_uring_register_files)(ring, fds, count);
    struct diya_call call;
    if (returned >= 0 && diya_begin(&call)) {
        uring_files(ring->fd, 0, fds, count);
        diya_cancel(&call);
    }
    return returned;
}

DIYA_EXPORT int io_uring_register_files_update(struct io_uring *ring, unsigned first, const int *fds, unsigned count)
{
    int returned = DIYA_REAL(io_uring_register_files_update)(ring, first, fds, count);
    struct diya_call call;
    if (returned >= 0 && diya_begin(&call)) {
        uring_files(ring->fd, first, fds, count);
        diya_cancel(&call);
    }
    return returned;
}

/* What completed since the last call, and was perhaps taken without one. */
DIYA_EXPORT void io_uring_queue_exit(struct io_uring *ring)
{
    struct diya_call call;
    if (diya_begin(&call)) {
        diya_returned(&call);
        completed(&call, ring);
        diya_flights_forget((uintptr_t)ring);
        diya_handle_unbind(HANDLE_RING_SEEN, (uintptr_t)ring);
        diya_cancel(&call);
    }
    DIYA_REAL(io_uring_queue_exit)(ring);
}
