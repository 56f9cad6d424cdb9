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
#include <string.h>
#include <unistd.h>

enum {
    AUTO_ROOM = 256 << 10,
    LEAST_ROOM = 4096,
    MOST_ROOM = 64 << 20,
};
static bool is_asked_at_all(void)
{
    return apply_is_auto() || apply_is_asked(APPLY_stream_buffer);
}

static const char *absolute(const char *path, char *room)
{
    bool is_needed = path != NULL && (apply_is_asked(APPLY_stream_buffer) || apply_is_asked(APPLY_read_ahead) ||
                                      apply_is_asked(APPLY_write_buffer));
    return is_needed ? apply_absolute_path(AT_FDCWD, path, room) : NULL;
}

/* 0: none is asked for. */
static uint32_t room_for(const char *path, const char *mode)
{
    const char *value = apply_is_asked(APPLY_stream_buffer) ? apply_value(APPLY_stream_buffer, path) : NULL;
    bool only_writes = (mode[0] == 'w' || mode[0] == 'a') && strchr(mode, '+') == NULL;
    if (value == NULL || strcmp(value, "auto") == 0)
        return (value != NULL || apply_is_auto()) && only_writes && apply_streams_gain() ? AUTO_ROOM : 0;
    uint64_t bytes = apply_bytes(APPLY_stream_buffer, path);
    return bytes == 0 ? 0 : (uint32_t)(bytes < LEAST_ROOM ? LEAST_ROOM : bytes > MOST_ROOM ? MOST_ROOM : bytes);
}

static void set_buffer(FILE *stream, int fd, const char *path, const char *mode)
{
    uint32_t room = room_for(path, mode);
    struct stat status;
    if (room == 0)
        return;
    if (sys_fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) || (uint64_t)status.st_blksize >= room) {
        if (S_ISREG(status.st_mode) || apply_is_asked(APPLY_stream_buffer))
            apply_refused(APPLY_stream_buffer, path,
                          S_ISREG(status.st_mode) ? "the C library's buffer is as large" : "it is no regular file");
        return;
    }
    struct apply_buffered *place = apply_take_place(stream, room);
    if (place == NULL) {
        apply_refused(APPLY_stream_buffer, path, "the buffers have all the memory that they may have");
        return;
    }
    place->unit = status.st_blksize > 0 && status.st_blksize < BUFSIZ ? (uint32_t)status.st_blksize : BUFSIZ;
    if (REAL(setvbuf)(stream, place->memory, _IOFBF, room) != 0) {
        apply_leave_place(place);
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
    struct apply_buffered *place = apply_close_place(old);
    FILE *stream = REAL(freopen)(path, mode, old);
    apply_leave_place(place);
    return opened(stream, path, mode, __builtin_return_address(0));
}
APPLY_EXPORT FILE *freopen64(const char *restrict path, const char *restrict mode, FILE *restrict old)
    __attribute__((alias("freopen")));

APPLY_EXPORT int fclose(FILE *stream)
{
    int error = end_of(stream);
    struct apply_buffered *place = apply_close_place(stream);
    int returned = REAL(fclose)(stream);
    apply_leave_place(place);
    if (returned == 0 && error != 0) {
        errno = error;
        return EOF;
    }
    return returned;
}
int _IO_fclose(FILE *stream);
APPLY_EXPORT int _IO_fclose(FILE *stream) __attribute__((alias("fclose")));
