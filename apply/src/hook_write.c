/* write and its kin: gathered, or made after what precedes them. */
#include "real.h"
#include "watch.h"
#include "write_buffer.h"

#include "../../capture/src/probe.h"
#include "copy.h"

#include <errno.h>
#include <stdarg.h>
#include <sys/uio.h>
#include <unistd.h>

enum { GATHERED_VECTOR_BYTES = 4096 };

/* Writes of descriptors that gather, are about to, or have an error to tell. */
static ssize_t write_watched(struct apply_descriptor *descriptor, const struct apply_write *request)
{
    if (apply_gather(descriptor, request))
        return (ssize_t)request->bytes;
    int error = apply_before_write(descriptor);
    if (error != 0) {
        errno = error;
        return -1;
    }
    int fd = apply_fd(descriptor);
    ssize_t done = request->is_explicit ? REAL(pwrite)(fd, request->from, request->bytes, request->offset)
                                        : REAL(write)(fd, request->from, request->bytes);
    apply_wrote(descriptor, request, done);
    return done;
}

APPLY_EXPORT ssize_t write(int fd, const void *from, size_t bytes)
{
    struct apply_descriptor *descriptor = apply_watched(fd);
    if (descriptor != NULL)
        return write_watched(descriptor, &(struct apply_write){.from = from, .bytes = bytes});
    apply_flush_all();
    return REAL(write)(fd, from, bytes);
}
APPLY_EXPORT ssize_t __write(int fd, const void *from, size_t bytes) __attribute__((alias("write")));

APPLY_EXPORT ssize_t pwrite(int fd, const void *from, size_t bytes, off_t offset)
{
    struct apply_descriptor *descriptor = apply_watched(fd);
    if (descriptor != NULL && offset >= 0)
        return write_watched(descriptor, &(struct apply_write){from, bytes, offset, true});
    apply_flush_all();
    return REAL(pwrite)(fd, from, bytes, offset);
}
APPLY_EXPORT ssize_t pwrite64(int fd, const void *from, size_t bytes, off64_t offset) __attribute__((alias("pwrite")));
APPLY_EXPORT ssize_t __pwrite64(int fd, const void *from, size_t bytes, off64_t offset)
    __attribute__((alias("pwrite")));

/* --- vectors --------------------------------------------------------------------------- */

/* Into one piece; its length, or 0 where it is too long or cannot be read. */
static size_t join(char *room, const struct iovec *vector, int count)
{
    struct diya_probe probe = {0};
    size_t bytes = 0;
    if (count <= 0 || count > 64 || !diya_readable(&probe, vector, (size_t)count * sizeof *vector))
        return 0;
    for (int i = 0; i < count; i++) {
        if (vector[i].iov_len > GATHERED_VECTOR_BYTES - bytes ||
            !apply_copy(room + bytes, vector[i].iov_base, vector[i].iov_len))
            return 0;
        bytes += vector[i].iov_len;
    }
    return bytes;
}

static bool gather_vector(struct apply_descriptor *descriptor, const struct iovec *vector, int count, int64_t offset,
                          ssize_t *gathered)
{
    char room[GATHERED_VECTOR_BYTES];
    if (apply_watch_of(descriptor) < APPLY_WATCHED)
        return false;
    size_t bytes = join(room, vector, count);
    struct apply_write write = {room, bytes, offset < 0 ? 0 : offset, offset >= 0};
    *gathered = (ssize_t)bytes;
    return bytes > 0 && apply_gather(descriptor, &write);
}

/* Vectors that are not gathered. False: `errno` says what an earlier write met. */
static bool before_vector(struct apply_descriptor *descriptor)
{
    int error = descriptor == NULL ? 0 : apply_before_write(descriptor);
    if (descriptor == NULL)
        apply_flush_all();
    errno = error != 0 ? error : errno;
    return error == 0;
}

static ssize_t after_vector(struct apply_descriptor *descriptor, int64_t offset, ssize_t done)
{
    struct apply_write write = {NULL, 0, offset < 0 ? 0 : offset, offset >= 0};
    if (descriptor != NULL)
        apply_wrote(descriptor, &write, done);
    return done;
}

APPLY_EXPORT ssize_t writev(int fd, const struct iovec *vector, int count)
{
    struct apply_descriptor *descriptor = apply_watched(fd);
    ssize_t gathered;
    if (descriptor != NULL && gather_vector(descriptor, vector, count, -1, &gathered))
        return gathered;
    return before_vector(descriptor) ? after_vector(descriptor, -1, REAL(writev)(fd, vector, count)) : -1;
}

APPLY_EXPORT ssize_t pwritev(int fd, const struct iovec *vector, int count, off_t offset)
{
    struct apply_descriptor *descriptor = apply_watched(fd);
    ssize_t gathered;
    if (descriptor != NULL && offset >= 0 && gather_vector(descriptor, vector, count, offset, &gathered))
        return gathered;
    return before_vector(descriptor) ? after_vector(descriptor, offset, REAL(pwritev)(fd, vector, count, offset)) : -1;
}
APPLY_EXPORT ssize_t pwritev64(int fd, const struct iovec *vector, int count, off64_t offset)
    __attribute__((alias("pwritev")));

/* Its flags ask for more (RWF_SYNC, RWF_APPEND ...): never gathered. */
APPLY_EXPORT ssize_t pwritev2(int fd, const struct iovec *vector, int count, off_t offset, int flags)
{
    struct apply_descriptor *descriptor = apply_watched(fd);
    if (!before_vector(descriptor))
        return -1;
    ssize_t done = REAL(pwritev2)(fd, vector, count, offset, flags);
    apply_position_unknown(fd);
    return done;
}
APPLY_EXPORT ssize_t pwritev64v2(int fd, const struct iovec *vector, int count, off64_t offset, int flags)
    __attribute__((alias("pwritev2")));

/* --- formatted ---------------------------------------------------------------------------- */

/* The C library writes by itself: what precedes is issued, and the position is lost. */
static void before_formatted(int fd)
{
    apply_flush_all();
    apply_position_unknown(fd);
}

APPLY_EXPORT int vdprintf(int fd, const char *format, va_list arguments)
{
    before_formatted(fd);
    return REAL(vdprintf)(fd, format, arguments);
}

APPLY_EXPORT int dprintf(int fd, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int returned = vdprintf(fd, format, arguments);
    va_end(arguments);
    return returned;
}

int __vdprintf_chk(int fd, int flag, const char *format, va_list arguments);
APPLY_EXPORT int __vdprintf_chk(int fd, int flag, const char *format, va_list arguments)
{
    before_formatted(fd);
    return REAL(__vdprintf_chk)(fd, flag, format, arguments);
}

int __dprintf_chk(int fd, int flag, const char *format, ...);
APPLY_EXPORT int __dprintf_chk(int fd, int flag, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int returned = __vdprintf_chk(fd, flag, format, arguments);
    va_end(arguments);
    return returned;
}
