/* io_uring and Linux AIO, where a program calls the libraries liburing and
 * libaio: only submit and wait are seen. The transfers are made by the kernel
 * from a ring in memory, so neither sizes nor files are known. */
#include "posix.h"

#include <signal.h>
#include <time.h>

struct io_uring;
struct io_uring_cqe;
struct iocb;
struct io_event;
struct __kernel_timespec;

int io_uring_submit(struct io_uring *ring);
int io_uring_submit_and_wait(struct io_uring *ring, unsigned wait);
int io_uring_submit_and_wait_timeout(struct io_uring *ring, struct io_uring_cqe **cqe, unsigned wait,
                                     struct __kernel_timespec *timeout, sigset_t *mask);
int io_uring_wait_cqes(struct io_uring *ring, struct io_uring_cqe **cqe, unsigned wait,
                       struct __kernel_timespec *timeout, sigset_t *mask);
int io_uring_wait_cqe_timeout(struct io_uring *ring, struct io_uring_cqe **cqe, struct __kernel_timespec *timeout);
int __io_uring_get_cqe(struct io_uring *ring, struct io_uring_cqe **cqe, unsigned submit, unsigned wait,
                       sigset_t *mask);
int io_submit(void *context, long count, struct iocb **requests);
int io_getevents(void *context, long least, long most, struct io_event *events, struct timespec *timeout);

/* These libraries return -errno, or a number of requests (aux). */
static void ring_call(struct diya_call *call, enum diya_function function, int returned)
{
    struct diya_event event = DIYA_EVENT(function);
    event.done = returned < 0 ? returned : 0;
    event.has_aux = returned >= 0;
    event.aux = returned >= 0 ? (unsigned)returned : 0;
    diya_end(call, &event);
}

DIYA_EXPORT int io_uring_submit(struct io_uring *ring)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(io_uring_submit)(ring);
    int returned = DIYA_REAL(io_uring_submit)(ring);
    diya_returned(&call);
    ring_call(&call, DIYA_F_IO_URING_SUBMIT, returned);
    return returned;
}

DIYA_EXPORT int io_uring_submit_and_wait(struct io_uring *ring, unsigned wait)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(io_uring_submit_and_wait)(ring, wait);
    int returned = DIYA_REAL(io_uring_submit_and_wait)(ring, wait);
    diya_returned(&call);
    ring_call(&call, DIYA_F_IO_URING_SUBMIT_AND_WAIT, returned);
    return returned;
}

DIYA_EXPORT int io_uring_submit_and_wait_timeout(struct io_uring *ring, struct io_uring_cqe **cqe, unsigned wait,
                                                 struct __kernel_timespec *timeout, sigset_t *mask)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(io_uring_submit_and_wait_timeout)(ring, cqe, wait, timeout, mask);
    int returned = DIYA_REAL(io_uring_submit_and_wait_timeout)(ring, cqe, wait, timeout, mask);
    diya_returned(&call);
    ring_call(&call, DIYA_F_IO_URING_SUBMIT_AND_WAIT, returned);
    return returned;
}

DIYA_EXPORT int io_uring_wait_cqes(struct io_uring *ring, struct io_uring_cqe **cqe, unsigned wait,
                                   struct __kernel_timespec *timeout, sigset_t *mask)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(io_uring_wait_cqes)(ring, cqe, wait, timeout, mask);
    int returned = DIYA_REAL(io_uring_wait_cqes)(ring, cqe, wait, timeout, mask);
    diya_returned(&call);
    ring_call(&call, DIYA_F_IO_URING_WAIT, returned);
    return returned;
}

/* io_uring_wait_cqe is inlined from liburing's header and calls this. */
DIYA_EXPORT int __io_uring_get_cqe(struct io_uring *ring, struct io_uring_cqe **cqe, unsigned submit, unsigned wait,
                                   sigset_t *mask)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(__io_uring_get_cqe)(ring, cqe, submit, wait, mask);
    int returned = DIYA_REAL(__io_uring_get_cqe)(ring, cqe, submit, wait, mask);
    diya_returned(&call);
    ring_call(&call, DIYA_F_IO_URING_WAIT, returned);
    return returned;
}

DIYA_EXPORT int io_uring_wait_cqe_timeout(struct io_uring *ring, struct io_uring_cqe **cqe,
                                          struct __kernel_timespec *timeout)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(io_uring_wait_cqe_timeout)(ring, cqe, timeout);
    int returned = DIYA_REAL(io_uring_wait_cqe_timeout)(ring, cqe, timeout);
    diya_returned(&call);
    ring_call(&call, DIYA_F_IO_URING_WAIT, returned);
    return returned;
}

DIYA_EXPORT int io_submit(void *context, long count, struct iocb **requests)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(io_submit)(context, count, requests);
    int returned = DIYA_REAL(io_submit)(context, count, requests);
    diya_returned(&call);
    ring_call(&call, DIYA_F_IO_SUBMIT, returned);
    return returned;
}

DIYA_EXPORT int io_getevents(void *context, long least, long most, struct io_event *events, struct timespec *timeout)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(io_getevents)(context, least, most, events, timeout);
    int returned = DIYA_REAL(io_getevents)(context, least, most, events, timeout);
    diya_returned(&call);
    ring_call(&call, DIYA_F_IO_GETEVENTS, returned);
    return returned;
}
