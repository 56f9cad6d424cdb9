/* stream_buffer: a stream of a regular file gets a larger buffer before its first operation.
 *
 * The program's own setvbuf comes later and takes its place. The C library issues the buffers of
 * open streams at the very end of the process, so the memory of a stream that was not closed
 * stays.
 *
 * auto: streams that only write, since a large buffer makes reads that seek slower: each seek
 * would read all of it again.
 *
 * C++ file streams of libstdc++ open a stream, but write to its descriptor, past the stream's
 * buffer: their descriptor is one for write_buffer. */
#include "account.h"
#include "open.h"
#include "own_code.h"
#include "real.h"
#include "signals.h"
#include "streams.h"
#include "watch.h"
#include "write_buffer.h"

#include "../../capture/src/system.h"

#include <errno.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>
#include <unistd.h>

enum {
    STREAMS = 1024,
    AUTO_ROOM = 256 << 10,
    LEAST_ROOM = 4096,
    MOST_ROOM = 64 << 20,
    LARGEST_UNIT = BUFSIZ, /* of the C library's own buffers */
};
#define MOST_BYTES ((uint64_t)256 << 20)

#define CLOSING ((FILE *)-1)

static struct buffered {
    FILE *stream; /* NULL: the memory is free for the next stream; CLOSING: soon */
    char *memory;
    uint32_t room, unit;
} streams[STREAMS];
static uint32_t used_streams;
static uint64_t memory_bytes;
static struct apply_lock lock;

static bool is_asked_at_all(void)
{
    return apply_is_auto() || apply_is_asked(APPLY_stream_buffer);
}

static const char *absolute(const char *path, char *room)
{
    bool is_needed = path != NULL && (apply_is_asked(APPLY_stream_buffer) || apply_is_asked(APPLY_read_ahead) || apply_is_asked(APPLY_write_buffer));
    return is_needed ? apply_absolute_path(AT_FDCWD, path, room) : NULL;
}

/* 0: none is asked for. */
static uint32_t room_for(const char *path, const char *mode)
{
    const char *value = apply_is_asked(APPLY_stream_buffer) ? apply_value(APPLY_stream_buffer, path) : NULL;
    bool only_writes = (mode[0] == 'w' || mode[0] == 'a') && strchr(mode, '+') == NULL;
    if (value == NULL || strcmp(value, "auto") == 0)
        return (value != NULL || apply_is_auto()) && only_writes ? AUTO_ROOM : 0;
    uint64_t bytes = apply_bytes(APPLY_stream_buffer, path);
    return bytes == 0 ? 0 : (uint32_t)(bytes < LEAST_ROOM ? LEAST_ROOM : bytes > MOST_ROOM ? MOST_ROOM : bytes);
}

/* A place with memory of this size. */
static struct buffered *take_place(FILE *stream, uint32_t room)
{
    struct buffered *found = NULL;
    enum apply_locked how = apply_lock(&lock);
    for (uint32_t i = 0; i < used_streams && found == NULL; i++)
        if (streams[i].stream == NULL && streams[i].room == room)
            found = &streams[i];
    if (found == NULL && used_streams < STREAMS && memory_bytes + room <= MOST_BYTES) {
        char *memory = sys_memory(room);
        if (memory != NULL) {
            found = &streams[used_streams];
            *found = (struct buffered){.memory = memory, .room = room};
            memory_bytes += room;
            __atomic_store_n(&used_streams, used_streams + 1, __ATOMIC_RELEASE);
        }
    }
    if (found != NULL)
        found->stream = stream;
    apply_unlock(&lock, how);
    return found;
}

static struct buffered *place_of(const FILE *stream)
{
    uint32_t used = __atomic_load_n(&used_streams, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < used; i++)
        if (__atomic_load_n(&streams[i].stream, __ATOMIC_RELAXED) == stream)
            return &streams[i];
    return NULL;
}

/* Before the stream ends nobody may look at it any more, and after that its memory is free. */
static struct buffered *close_place(const FILE *stream)
{
    struct buffered *place = place_of(stream);
    if (place != NULL)
        __atomic_store_n(&place->stream, CLOSING, __ATOMIC_RELEASE);
    return place;
}

static void leave_place(struct buffered *place)
{
    if (place != NULL)
        __atomic_store_n(&place->stream, NULL, __ATOMIC_RELEASE);
}

static void set_buffer(FILE *stream, int fd, const char *path, const char *mode)
{
    uint32_t room = room_for(path, mode);
    struct stat status;
    if (room == 0)
        return;
    if (sys_fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) || (uint64_t)status.st_blksize >= room) {
        if (S_ISREG(status.st_mode) || apply_is_asked(APPLY_stream_buffer))
            apply_refused(APPLY_stream_buffer, path, S_ISREG(status.st_mode) ? "the C library's buffer is as large" : "it is no regular file");
        return;
    }
    struct buffered *place = take_place(stream, room);
    if (place == NULL) {
        apply_refused(APPLY_stream_buffer, path, "the buffers have all the memory that they may have");
        return;
    }
    place->unit = status.st_blksize > 0 && status.st_blksize < LARGEST_UNIT ? (uint32_t)status.st_blksize : LARGEST_UNIT;
    if (REAL(setvbuf)(stream, place->memory, _IOFBF, room) != 0) {
        leave_place(place);
        return;
    }
    apply_catch_signals();
    char value[16], own[APPLY_PATH_ROOM];
    snprintf(value, sizeof value, "%u", room);
    static bool has_example;
    if (path == NULL && !__atomic_exchange_n(&has_example, true, __ATOMIC_RELAXED))
        path = apply_path_of_fd(fd, own);
    apply_used(APPLY_stream_buffer, value, path);
}

static int flags_of(const char *mode)
{
    int flags = strchr(mode, '+') != NULL ? O_RDWR : mode[0] == 'r' ? O_RDONLY : O_WRONLY;
    return flags | (mode[0] == 'w' ? O_CREAT | O_TRUNC : mode[0] == 'a' ? O_CREAT | O_APPEND : 0);
}

/* The linker is asked once for each place that calls. */
static bool is_called_by_cxx(const void *caller)
{
    static const void *other;
    if (__atomic_load_n(&other, __ATOMIC_RELAXED) == caller)
        return false;
    bool is_cxx = apply_is_cxx_code(caller);
    if (!is_cxx)
        __atomic_store_n(&other, caller, __ATOMIC_RELAXED);
    return is_cxx;
}

static FILE *opened(FILE *stream, const char *path, const char *mode, const void *caller)
{
    if (stream == NULL)
        return NULL;
    char room[APPLY_PATH_ROOM];
    int saved_errno = errno, fd = REAL(fileno)(stream);
    bool is_cxx = is_called_by_cxx(caller);
    apply_opened(fd, AT_FDCWD, path, flags_of(mode), is_cxx ? caller : NULL);
    if (!is_cxx && is_asked_at_all())
        set_buffer(stream, fd, absolute(path, room), mode);
    errno = saved_errno;
    return stream;
}

APPLY_EXPORT FILE *fopen(const char *restrict path, const char *restrict mode)
{
    apply_flush_all();
    return opened(REAL(fopen)(path, mode), path, mode, __builtin_return_address(0));
}
APPLY_EXPORT FILE *fopen64(const char *restrict path, const char *restrict mode) __attribute__((alias("fopen")));

/* The stream writes by itself from now on. */
APPLY_EXPORT FILE *fdopen(int fd, const char *mode)
{
    apply_flush_all();
    apply_drop(fd);
    FILE *stream = REAL(fdopen)(fd, mode);
    int saved_errno = errno;
    char path[APPLY_PATH_ROOM];
    if (stream != NULL && is_asked_at_all())
        set_buffer(stream, fd, apply_is_asked(APPLY_stream_buffer) ? apply_path_of_fd(fd, path) : NULL, mode);
    errno = saved_errno;
    return stream;
}

/* What an issue of its descriptor met; the descriptor is about to be closed. */
static int end_of(FILE *stream)
{
    int fd = REAL(fileno)(stream), error = 0;
    apply_flush_all();
    struct apply_descriptor *descriptor = apply_watched(fd);
    if (descriptor != NULL) {
        apply_drop(fd);
        error = apply_take_error(descriptor);
    }
    if (fd >= 0)
        apply_closed(fd);
    return error;
}

APPLY_EXPORT FILE *freopen(const char *restrict path, const char *restrict mode, FILE *restrict old)
{
    end_of(old);
    struct buffered *place = close_place(old);
    FILE *stream = REAL(freopen)(path, mode, old);
    leave_place(place);
    return opened(stream, path, mode, __builtin_return_address(0));
}
APPLY_EXPORT FILE *freopen64(const char *restrict path, const char *restrict mode, FILE *restrict old)
    __attribute__((alias("freopen")));

APPLY_EXPORT int fclose(FILE *stream)
{
    int error = end_of(stream);
    struct buffered *place = close_place(stream);
    int returned = REAL(fclose)(stream);
    leave_place(place);
    if (returned == 0 && error != 0) {
        errno = error;
        return EOF;
    }
    return returned;
}
int _IO_fclose(FILE *stream);
APPLY_EXPORT int _IO_fclose(FILE *stream) __attribute__((alias("fclose")));

/* --- as if the buffer had its own size ------------------------------------------------- */

/* The C library issues its buffer of `unit` bytes when one more byte comes. */
static size_t kept_of(const struct buffered *place, size_t pending)
{
    return pending == 0 ? 0 : (pending - 1) % place->unit + 1;
}

static bool is_ours(const struct buffered *place, const FILE *stream)
{
    return stream != NULL && stream != CLOSING && stream->_IO_buf_base == place->memory;
}

static void settle(const struct buffered *place, FILE *stream)
{
    char kept[LARGEST_UNIT];
    if (!is_ours(place, stream) || !__fwriting(stream))
        return;
    size_t pending = (size_t)(stream->_IO_write_ptr - stream->_IO_write_base), last = kept_of(place, pending);
    if (pending == last)
        return;
    memcpy(kept, stream->_IO_write_ptr - last, last);
    stream->_IO_write_ptr -= last;
    REAL(fflush_unlocked)(stream);
    REAL(fwrite_unlocked)(kept, 1, last, stream);
}

void apply_settle_streams(void)
{
    uint32_t used = __atomic_load_n(&used_streams, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < used; i++) {
        FILE *stream = __atomic_load_n(&streams[i].stream, __ATOMIC_ACQUIRE);
        if (stream == NULL || stream == CLOSING || REAL(ftrylockfile)(stream) != 0)
            continue;
        settle(&streams[i], stream);
        REAL(funlockfile)(stream);
    }
}

/* The C library's lock: its first word is 0 while no call of the stream runs. */
static bool is_at_rest(const FILE *stream)
{
    return stream->_lock != NULL && __atomic_load_n((const int *)stream->_lock, __ATOMIC_RELAXED) == 0;
}

/* A signal may have come in the middle of a call of the stream, even after its write was done:
 * so the bytes go to where they belong, and nothing of the stream is changed. What is appended
 * has no such place. */
void apply_settle_streams_at_end(void)
{
    uint32_t used = __atomic_load_n(&used_streams, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < used; i++) {
        const FILE *stream = __atomic_load_n(&streams[i].stream, __ATOMIC_ACQUIRE);
        if (!is_ours(&streams[i], stream) || stream->_IO_read_end != stream->_IO_write_base)
            continue;
        size_t pending = (size_t)(stream->_IO_write_ptr - stream->_IO_write_base);
        if (pending > streams[i].room || pending <= streams[i].unit)
            continue;
        size_t bytes = pending - kept_of(&streams[i], pending);
        if (stream->_offset >= 0)
            REAL(pwrite)(stream->_fileno, stream->_IO_write_base, bytes, stream->_offset);
        else if (is_at_rest(stream))
            REAL(write)(stream->_fileno, stream->_IO_write_base, bytes);
    }
}
