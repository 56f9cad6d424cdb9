/* POSIX: asynchronous I/O. The request is recorded when it is made (submit), the
 * bytes when their number is known: at aio_return, as a read or a write with the
 * time since its submission. */
#include "core.h"
#include "flight.h"
#include "posix.h"

#include <aio.h>
#include <time.h>

enum request_kind { REQUEST_READ = 1, REQUEST_WRITE = 2, REQUEST_SYNC = 3 };

#define OWNER 1 /* of all requests: their addresses are unique in the process */

static uint16_t returned_by(enum request_kind kind)
{
    return kind == REQUEST_READ    ? DIYA_F_AIO_RETURN_READ
           : kind == REQUEST_WRITE ? DIYA_F_AIO_RETURN_WRITE
                                   : DIYA_F_AIO_RETURN_SYNC;
}

/* Before the call: a notification may come before it is over, and free the request. */
static struct diya_flight submitting(const struct aiocb *request, enum request_kind kind)
{
    struct diya_flight flight = {.owner = OWNER, .submitted_ns = diya_monotonic_ns(), .offset = -1};
    flight.function = returned_by(kind);
    flight.file = diya_file_of_fd(request->aio_fildes);
    if (kind != REQUEST_SYNC) {
        flight.has_size = true;
        flight.offset = request->aio_offset;
        flight.requested = request->aio_nbytes;
    }
    diya_flight_begins((uintptr_t)request, &flight);
    return flight;
}

static struct diya_event event_of(enum diya_function function, const struct diya_flight *flight, int64_t outcome)
{
    struct diya_event event = DIYA_EVENT(function);
    event.file = flight->file;
    event.offset = flight->offset;
    event.requested = flight->requested;
    event.done = outcome < 0 ? outcome : (int64_t)flight->requested;
    return event;
}

static void requested(struct diya_call *call, enum diya_function function, const struct aiocb *request,
                      struct diya_flight flight, int64_t outcome)
{
    struct diya_event event = event_of(function, &flight, outcome);
    if (outcome < 0)
        diya_flight_ends(OWNER, (uintptr_t)request, &flight);
    diya_end(call, &event);
}

DIYA_EXPORT int aio_read(struct aiocb *request)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(aio_read)(request);
    struct diya_flight flight = submitting(request, REQUEST_READ);
    call.start = diya_ticks();
    int returned = DIYA_REAL(aio_read)(request);
    diya_returned(&call);
    requested(&call, DIYA_F_AIO_READ, request, flight, posix_outcome(&call, returned));
    return returned;
}
DIYA_EXPORT int aio_read64(struct aiocb64 *request) __attribute__((alias("aio_read")));

DIYA_EXPORT int aio_write(struct aiocb *request)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(aio_write)(request);
    struct diya_flight flight = submitting(request, REQUEST_WRITE);
    call.start = diya_ticks();
    int returned = DIYA_REAL(aio_write)(request);
    diya_returned(&call);
    requested(&call, DIYA_F_AIO_WRITE, request, flight, posix_outcome(&call, returned));
    return returned;
}
DIYA_EXPORT int aio_write64(struct aiocb64 *request) __attribute__((alias("aio_write")));

DIYA_EXPORT int aio_fsync(int operation, struct aiocb *request)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(aio_fsync)(operation, request);
    struct diya_flight flight = submitting(request, REQUEST_SYNC);
    call.start = diya_ticks();
    int returned = DIYA_REAL(aio_fsync)(operation, request);
    diya_returned(&call);
    requested(&call, DIYA_F_AIO_FSYNC, request, flight, posix_outcome(&call, returned));
    return returned;
}
DIYA_EXPORT int aio_fsync64(int operation, struct aiocb64 *request) __attribute__((alias("aio_fsync")));

static bool is_request(const struct aiocb *request)
{
    return request != NULL && (request->aio_lio_opcode == LIO_READ || request->aio_lio_opcode == LIO_WRITE);
}

/* One record for each request of the list, of what it held before the call: by now
 * the program may have freed it. */
static void list_requested(struct diya_call *call, struct diya_flight flight, int64_t outcome)
{
    bool is_read = flight.function == DIYA_F_AIO_RETURN_READ;
    struct diya_event event = event_of(is_read ? DIYA_F_LIO_LISTIO_READ : DIYA_F_LIO_LISTIO_WRITE, &flight, outcome);
    diya_also(call, &event);
}

DIYA_EXPORT int lio_listio(int mode, struct aiocb *const list[restrict], int count, struct sigevent *restrict notify)
{
    enum { MAX_KEPT = 64 };
    struct diya_flight kept[MAX_KEPT];
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(lio_listio)(mode, list, count, notify);
    int submitted = 0;
    for (int i = 0; i < count; i++) {
        if (!is_request(list[i]))
            continue;
        struct diya_flight flight =
            submitting(list[i], list[i]->aio_lio_opcode == LIO_READ ? REQUEST_READ : REQUEST_WRITE);
        if (submitted < MAX_KEPT) {
            kept[submitted++] = flight;
        } else { /* of so many it is not waited for whether they were accepted */
            call.end = call.start;
            list_requested(&call, flight, 0);
        }
    }
    call.start = diya_ticks();
    int returned = DIYA_REAL(lio_listio)(mode, list, count, notify);
    diya_returned(&call);
    for (int i = 0; i < submitted; i++)
        list_requested(&call, kept[i], posix_outcome(&call, returned));
    diya_cancel(&call);
    return returned;
}
DIYA_EXPORT int lio_listio64(int mode, struct aiocb64 *const list[restrict], int count,
                             struct sigevent *restrict notify) __attribute__((alias("lio_listio")));

DIYA_EXPORT ssize_t aio_return(struct aiocb *request)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(aio_return)(request);
    int error = DIYA_REAL(aio_error)(request); /* errno stays as it is */
    ssize_t returned = DIYA_REAL(aio_return)(request);
    diya_returned(&call);
    struct diya_flight flight;
    if (diya_flight_ends(OWNER, (uintptr_t)request, &flight)) {
        diya_flight_landed(&call, &flight, returned < 0 ? diya_done_code(error) : returned, diya_monotonic_ns());
        diya_cancel(&call);
        return returned;
    }
    struct diya_event event = DIYA_EVENT(DIYA_F_AIO_RETURN_SYNC);
    event.file = diya_file_of_fd(request->aio_fildes);
    event.done = returned < 0 ? diya_done_code(error) : 0;
    diya_end(&call, &event);
    return returned;
}
DIYA_EXPORT ssize_t aio_return64(struct aiocb64 *request) __attribute__((alias("aio_return")));

DIYA_EXPORT int aio_suspend(const struct aiocb *const list[], int count, const struct timespec *restrict timeout)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(aio_suspend)(list, count, timeout);
    int returned = DIYA_REAL(aio_suspend)(list, count, timeout);
    diya_returned(&call);
    struct diya_event event = DIYA_EVENT(DIYA_F_AIO_SUSPEND);
    event.done = posix_outcome(&call, returned);
    diya_end(&call, &event);
    return returned;
}
DIYA_EXPORT int aio_suspend64(const struct aiocb64 *const list[], int count, const struct timespec *restrict timeout)
    __attribute__((alias("aio_suspend")));

DIYA_EXPORT int aio_cancel(int fd, struct aiocb *request)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(aio_cancel)(fd, request);
    int returned = DIYA_REAL(aio_cancel)(fd, request);
    diya_returned(&call);
    posix_on_fd(&call, DIYA_F_AIO_CANCEL, fd, posix_outcome(&call, returned));
    return returned;
}
DIYA_EXPORT int aio_cancel64(int fd, struct aiocb64 *request) __attribute__((alias("aio_cancel")));
