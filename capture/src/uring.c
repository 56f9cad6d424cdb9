/* Requests and completions of io_uring.
 *
 * The kernel takes requests from one ring in memory and puts what became of them
 * into another. Programs read the second without a call, so a completion is
 * recorded at the end of the next call for this ring: its time is when the program
 * could have known. Layouts: linux/io_uring.h, which old systems do not have.
 */
#include "uring.h"
#include "descriptors.h"
#include "flight.h"
#include "posix.h"
#include "probe.h"

enum operation {
    READV = 1,
    WRITEV = 2,
    FSYNC = 3,
    READ_FIXED = 4,
    WRITE_FIXED = 5,
    FALLOCATE = 17,
    OPENAT = 18,
    CLOSE = 19,
    STATX = 21,
    READ = 22,
    WRITE = 23,
    OPENAT2 = 28,
};

enum { FIXED_FILE = 1, DATASYNC = 1, HANDLE_RING_FILE = 0x40 };

struct request { /* struct io_uring_sqe */
    uint8_t operation, flags;
    uint16_t priority;
    int32_t fd;
    uint64_t offset, address;
    uint32_t bytes, operation_flags;
    uint64_t mark;
};

struct completion { /* struct io_uring_cqe */
    uint64_t mark;
    int32_t result;
    uint32_t flags;
};

static uint64_t place_of(int ring_fd, uint32_t place)
{
    return (uint64_t)(uint32_t)ring_fd << 24 | (place & 0xffffffu);
}

void uring_files(int ring_fd, unsigned first, const int *fds, unsigned count)
{
    struct diya_probe probe = {0};
    for (unsigned i = 0; i < count && i < 4096 && diya_readable(&probe, &fds[i], sizeof fds[i]); i++) {
        uint32_t file = fds[i] >= 0 ? diya_file_of_fd(fds[i]) : 0;
        if (file != 0)
            diya_handle_bind(HANDLE_RING_FILE, place_of(ring_fd, first + i), file);
        else
            diya_handle_unbind(HANDLE_RING_FILE, place_of(ring_fd, first + i));
    }
}

static void transfer(struct diya_flight *flight, const struct request *request, bool is_write, uint64_t bytes)
{
    flight->function = is_write ? DIYA_F_IO_URING_WRITE : DIYA_F_IO_URING_READ;
    flight->has_size = true;
    flight->requested = bytes;
    flight->offset = request->offset == UINT64_MAX ? -1 : (int64_t)request->offset;
}

static uint64_t vector_bytes(const struct request *request)
{
    struct diya_probe probe = {0};
    const struct iovec *vector = (const struct iovec *)(uintptr_t)request->address;
    bool is_there = request->bytes <= 1024 && diya_readable(&probe, vector, request->bytes * sizeof *vector);
    return is_there ? posix_vector_bytes(vector, (int)request->bytes, 0) : 0;
}

static void open_request(struct diya_flight *flight, const struct request *request)
{
    struct diya_probe probe = {0};
    const char *path = (const char *)(uintptr_t)request->address;
    if (!diya_readable_text(&probe, path, 4096))
        return;
    flight->function = DIYA_F_IO_URING_OPEN;
    flight->file = diya_file_at(request->fd, path, DIYA_NAME_FILE);
    if (request->operation == OPENAT)
        flight->requested = request->operation_flags;
    else if (diya_readable(&probe, (const void *)(uintptr_t)request->offset, sizeof(uint64_t)))
        flight->requested = *(const uint64_t *)(uintptr_t)request->offset; /* struct open_how */
}

uint32_t uring_requested(const struct uring_view *view, uint32_t index, uint64_t now_ns)
{
    const struct request *request = (const struct request *)(view->entries + (size_t)index * view->entry_bytes);
    struct diya_flight flight = {.owner = view->owner, .submitted_ns = now_ns, .offset = -1, .fd = request->fd};
    switch (request->operation) {
    case READ:
    case READ_FIXED:
    case WRITE:
    case WRITE_FIXED:
        transfer(&flight, request, request->operation == WRITE || request->operation == WRITE_FIXED, request->bytes);
        break;
    case READV:
    case WRITEV:
        transfer(&flight, request, request->operation == WRITEV, vector_bytes(request));
        break;
    case FSYNC:
        flight.function = request->operation_flags & DATASYNC ? DIYA_F_IO_URING_DATASYNC : DIYA_F_IO_URING_SYNC;
        break;
    case FALLOCATE:
        flight.function = DIYA_F_IO_URING_ALLOCATE;
        break;
    case CLOSE:
        flight.function = DIYA_F_IO_URING_CLOSE;
        break;
    case STATX: {
        struct diya_probe probe = {0};
        const char *path = (const char *)(uintptr_t)request->address;
        flight.function = DIYA_F_IO_URING_STAT;
        if (diya_readable_text(&probe, path, 4096))
            flight.file = diya_file_at(request->fd, path, DIYA_NAME_FILE);
        break;
    }
    case OPENAT:
    case OPENAT2:
        open_request(&flight, request);
        break;
    default:
        return 0; /* network, timers, buffers: no file */
    }
    if (flight.file == 0)
        flight.file = request->flags & FIXED_FILE
                          ? diya_handle_find(HANDLE_RING_FILE, place_of(view->fd, (uint32_t)request->fd))
                          : diya_file_of_fd(request->fd);
    diya_flight_begins(request->mark, &flight);
    return flight.file;
}

/* Later calls on descriptors that a ring opens and closes need their files. */
static void follow_descriptor(const struct diya_flight *flight, int32_t result)
{
    if (flight->function == DIYA_F_IO_URING_OPEN && result >= 0)
        diya_descriptor_opened(result, flight->file, (int)flight->requested);
    else if (flight->function == DIYA_F_IO_URING_CLOSE && result == 0)
        diya_descriptor_closed(flight->fd);
}

uint32_t uring_completed(const struct diya_call *call, const struct uring_view *view, uint32_t seen)
{
    uint32_t tail = __atomic_load_n(view->complete_tail, __ATOMIC_ACQUIRE);
    if (tail - seen > view->complete_mask + 1) /* overwritten before anybody called */
        seen = tail - view->complete_mask - 1;
    uint64_t now_ns = seen != tail ? diya_monotonic_ns() : 0;
    for (; seen != tail; seen++) {
        size_t at = (size_t)(seen & view->complete_mask) * view->completion_bytes;
        const struct completion *completion = (const struct completion *)(view->completions + at);
        struct diya_flight flight;
        if (!diya_flight_ends(view->owner, completion->mark, &flight))
            continue;
        follow_descriptor(&flight, completion->result);
        diya_flight_landed(call, &flight, completion->result, now_ns);
    }
    return tail;
}

void uring_end(struct diya_call *call, enum diya_function function, uint32_t file, int64_t outcome)
{
    struct diya_event event = DIYA_EVENT(function);
    event.file = file;
    event.done = outcome < 0 ? outcome : 0;
    event.has_aux = outcome >= 0;
    event.aux = outcome >= 0 ? (uint64_t)outcome : 0;
    diya_end(call, &event);
}
