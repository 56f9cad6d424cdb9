/* POSIX: asynchronous I/O. The request is recorded when it is made (submit),
 * the bytes when their number is known: at aio_return, as a read or a write
 * without a time of its own. */
#include "posix.h"

#include <aio.h>
#include <time.h>

enum request_kind { REQUEST_READ = 1, REQUEST_WRITE = 2, REQUEST_SYNC = 3 };

static void requested(struct diya_call *call, enum diya_function function, const struct aiocb *request,
                      enum request_kind kind, int64_t outcome)
{
    struct diya_event event = DIYA_EVENT(function);
    event.file = diya_file_of_fd(request->aio_fildes);
    event.done = outcome;
    if (kind != REQUEST_SYNC) {
        event.offset = request->aio_offset;
        event.requested = request->aio_nbytes;
        event.done = outcome < 0 ? outcome : (int64_t)request->aio_nbytes;
    }
    if (outcome == 0)
        diya_handle_bind(DIYA_HANDLE_AIO, (uintptr_t)request, kind);
    diya_end(call, &event);
}

DIYA_EXPORT int aio_read(struct aiocb *request)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(aio_read)(request);
    int returned = DIYA_REAL(aio_read)(request);
    diya_returned(&call);
    requested(&call, DIYA_F_AIO_READ, request, REQUEST_READ, posix_outcome(&call, returned));
    return returned;
}
DIYA_EXPORT int aio_read64(struct aiocb64 *request) __attribute__((alias("aio_read")));

DIYA_EXPORT int aio_write(struct aiocb *request)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(aio_write)(request);
    int returned = DIYA_REAL(aio_write)(request);
    diya_returned(&call);
    requested(&call, DIYA_F_AIO_WRITE, request, REQUEST_WRITE, posix_outcome(&call, returned));
    return returned;
}
DIYA_EXPORT int aio_write64(struct aiocb64 *request) __attribute__((alias("aio_write")));

DIYA_EXPORT int aio_fsync(int operation, struct aiocb *request)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(aio_fsync)(operation, request);
    int returned = DIYA_REAL(aio_fsync)(operation, request);
    diya_returned(&call);
    requested(&call, DIYA_F_AIO_FSYNC, request, REQUEST_SYNC, posix_outcome(&call, returned));
    return returned;
}
DIYA_EXPORT int aio_fsync64(int operation, struct aiocb64 *request) __attribute__((alias("aio_fsync")));

/* One record for each request of the list; the last one ends the call. */
static void list_requested(struct diya_call *call, struct aiocb *const list[], int count, int64_t outcome)
{
    for (int i = 0; i < count && outcome != -EFAULT; i++) {
        struct aiocb *request = list[i];
        if (request == NULL || request->aio_lio_opcode == LIO_NOP)
            continue;
        bool is_read = request->aio_lio_opcode == LIO_READ;
        struct diya_event event = DIYA_EVENT(is_read ? DIYA_F_LIO_LISTIO_READ : DIYA_F_LIO_LISTIO_WRITE);
        event.file = diya_file_of_fd(request->aio_fildes);
        event.offset = request->aio_offset;
        event.requested = request->aio_nbytes;
        event.done = outcome < 0 ? outcome : (int64_t)request->aio_nbytes;
        diya_handle_bind(DIYA_HANDLE_AIO, (uintptr_t)request, is_read ? REQUEST_READ : REQUEST_WRITE);
        diya_also(call, &event);
    }
    diya_cancel(call);
}

DIYA_EXPORT int lio_listio(int mode, struct aiocb *const list[restrict], int count, struct sigevent *restrict notify)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(lio_listio)(mode, list, count, notify);
    int returned = DIYA_REAL(lio_listio)(mode, list, count, notify);
    diya_returned(&call);
    list_requested(&call, list, count, posix_outcome(&call, returned));
    return returned;
}
DIYA_EXPORT int lio_listio64(int mode, struct aiocb64 *const list[restrict], int count,
                             struct sigevent *restrict notify) __attribute__((alias("lio_listio")));

DIYA_EXPORT ssize_t aio_return(struct aiocb *request)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(aio_return)(request);
    ssize_t returned = DIYA_REAL(aio_return)(request);
    diya_returned(&call);
    uint32_t kind = diya_handle_unbind(DIYA_HANDLE_AIO, (uintptr_t)request);
    struct diya_event event = DIYA_EVENT(kind == REQUEST_READ    ? DIYA_F_AIO_RETURN_READ
                                         : kind == REQUEST_WRITE ? DIYA_F_AIO_RETURN_WRITE
                                                                 : DIYA_F_AIO_RETURN_SYNC);
    event.file = diya_file_of_fd(request->aio_fildes);
    event.done = diya_done(&call, returned);
    if (kind == REQUEST_READ || kind == REQUEST_WRITE) {
        event.offset = request->aio_offset;
        event.requested = request->aio_nbytes;
    }
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
