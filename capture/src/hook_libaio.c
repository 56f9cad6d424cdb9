/* Linux AIO through libaio, whose functions return -errno. A request is a read, a
 * write or a sync when its completion is fetched. */
#include "core.h"
#include "flight.h"
#include "libaio.h"
#include "posix.h"
#include "probe.h"

#include <signal.h>
#include <time.h>

/* libaio's operations that the kernel's header does not name everywhere. */
enum { OPERATION_READV = 7, OPERATION_WRITEV = 8, MAX_REQUESTS = 1 << 16 };

int io_submit(void *context, long count, struct iocb **requests);
int io_getevents(void *context, long least, long most, struct io_event *events, struct timespec *timeout);
int io_pgetevents(void *context, long least, long most, struct io_event *events, struct timespec *timeout,
                  sigset_t *mask);
int io_cancel(void *context, struct iocb *request, struct io_event *event);
int io_destroy(void *context);

static enum diya_function function_of(unsigned operation)
{
    switch (operation) {
    case IOCB_CMD_PREAD:
    case OPERATION_READV:
        return DIYA_F_IO_SUBMIT_READ;
    case IOCB_CMD_PWRITE:
    case OPERATION_WRITEV:
        return DIYA_F_IO_SUBMIT_WRITE;
    case IOCB_CMD_FSYNC:
        return DIYA_F_IO_SUBMIT_SYNC;
    case IOCB_CMD_FDSYNC:
        return DIYA_F_IO_SUBMIT_DATASYNC;
    default:
        return 0;
    }
}

static uint64_t bytes_of(const struct iocb *request, struct diya_probe *probe)
{
    if (request->aio_lio_opcode != OPERATION_READV && request->aio_lio_opcode != OPERATION_WRITEV)
        return request->aio_nbytes;
    const struct iovec *vector = (const struct iovec *)(uintptr_t)request->aio_buf;
    if (request->aio_nbytes > 1024 || !diya_readable(probe, vector, request->aio_nbytes * sizeof *vector))
        return 0;
    return posix_vector_bytes(vector, (int)request->aio_nbytes, 0);
}

/* The requests may be garbage: the kernel then takes those before it. */
uint32_t libaio_submitting(uint64_t context, long count, struct iocb *const *requests)
{
    struct diya_probe pointers = {0}, structures = {0};
    uint64_t now_ns = diya_monotonic_ns();
    uint32_t file = DIYA_NO_FILE_YET;
    for (long i = 0; i < count && i < MAX_REQUESTS; i++) {
        if (!diya_readable(&pointers, &requests[i], sizeof requests[i]) ||
            !diya_readable(&structures, requests[i], sizeof *requests[i]))
            break;
        const struct iocb *request = requests[i];
        enum diya_function function = function_of(request->aio_lio_opcode);
        bool has_size = function == DIYA_F_IO_SUBMIT_READ || function == DIYA_F_IO_SUBMIT_WRITE;
        struct diya_flight flight = {.owner = context, .submitted_ns = now_ns, .function = (uint16_t)function};
        flight.file = diya_file_of_fd((int)request->aio_fildes);
        flight.has_size = has_size;
        flight.requested = has_size ? bytes_of(request, &structures) : 0;
        flight.offset = has_size ? request->aio_offset : -1;
        diya_flight_begins((uintptr_t)request, &flight);
        file = diya_common_file(file, flight.file);
    }
    return diya_file_or_none(file);
}

void libaio_submitted(struct diya_call *call, uint64_t context, long count, struct iocb *const *requests, uint32_t file,
                      int64_t outcome)
{
    struct diya_probe pointers = {0};
    for (long i = outcome < 0 ? 0 : outcome; i < count && i < MAX_REQUESTS; i++) {
        struct diya_flight flight;
        if (!diya_readable(&pointers, &requests[i], sizeof requests[i]))
            break;
        diya_flight_ends(context, (uintptr_t)requests[i], &flight);
    }
    struct diya_event event = DIYA_EVENT(DIYA_F_IO_SUBMIT);
    event.file = file;
    event.done = outcome < 0 ? outcome : 0;
    event.has_aux = outcome >= 0;
    event.aux = outcome >= 0 ? (uint64_t)outcome : 0;
    diya_end(call, &event);
}

void libaio_waited(struct diya_call *call, uint64_t context, const struct io_event *events, int64_t outcome)
{
    uint64_t now_ns = outcome > 0 ? diya_monotonic_ns() : 0;
    uint32_t file = DIYA_NO_FILE_YET;
    for (int64_t i = 0; i < outcome; i++) {
        struct diya_flight flight;
        if (!diya_flight_ends(context, events[i].obj, &flight))
            continue;
        diya_flight_landed(call, &flight, events[i].res, now_ns);
        file = diya_common_file(file, flight.file);
    }
    struct diya_event event = DIYA_EVENT(DIYA_F_IO_GETEVENTS);
    event.file = diya_file_or_none(file);
    event.done = outcome < 0 ? outcome : 0;
    event.has_aux = outcome >= 0;
    event.aux = outcome >= 0 ? (uint64_t)outcome : 0;
    diya_end(call, &event);
}

void libaio_cancelled(struct diya_call *call, const struct iocb *request, int64_t outcome)
{
    struct diya_probe probe = {0};
    struct diya_event event = DIYA_EVENT(DIYA_F_IO_CANCEL);
    if (diya_readable(&probe, request, sizeof *request))
        event.file = diya_file_of_fd((int)request->aio_fildes);
    event.done = outcome;
    diya_end(call, &event);
}

DIYA_EXPORT int io_submit(void *context, long count, struct iocb **requests)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(io_submit)(context, count, requests);
    uint32_t file = libaio_submitting((uintptr_t)context, count, requests);
    call.start = diya_ticks();
    int returned = DIYA_INSIDE_LIBRARY(DIYA_REAL(io_submit)(context, count, requests));
    diya_returned(&call);
    libaio_submitted(&call, (uintptr_t)context, count, requests, file, returned);
    return returned;
}

DIYA_EXPORT int io_getevents(void *context, long least, long most, struct io_event *events, struct timespec *timeout)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(io_getevents)(context, least, most, events, timeout);
    int returned = DIYA_INSIDE_LIBRARY(DIYA_REAL(io_getevents)(context, least, most, events, timeout));
    diya_returned(&call);
    libaio_waited(&call, (uintptr_t)context, events, returned);
    return returned;
}

DIYA_EXPORT int io_pgetevents(void *context, long least, long most, struct io_event *events, struct timespec *timeout,
                              sigset_t *mask)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(io_pgetevents)(context, least, most, events, timeout, mask);
    int returned = DIYA_INSIDE_LIBRARY(DIYA_REAL(io_pgetevents)(context, least, most, events, timeout, mask));
    diya_returned(&call);
    libaio_waited(&call, (uintptr_t)context, events, returned);
    return returned;
}

DIYA_EXPORT int io_cancel(void *context, struct iocb *request, struct io_event *event)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(io_cancel)(context, request, event);
    int returned = DIYA_INSIDE_LIBRARY(DIYA_REAL(io_cancel)(context, request, event));
    diya_returned(&call);
    libaio_cancelled(&call, request, returned);
    return returned;
}

/* It waits for requests in flight: the program cannot fetch them any more. */
void libaio_destroyed(uint64_t context)
{
    diya_flights_forget(context);
}

DIYA_EXPORT int io_destroy(void *context)
{
    int returned = DIYA_INSIDE_LIBRARY(DIYA_REAL(io_destroy)(context));
    struct diya_call call;
    if (returned == 0 && diya_begin(&call)) {
        libaio_destroyed((uintptr_t)context);
        diya_cancel(&call);
    }
    return returned;
}
