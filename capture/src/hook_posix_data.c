/* POSIX: read, write and their variants. */
#include "core.h"
#include "descriptors.h"
#include "posix.h"
#include "system.h"

#include <unistd.h>

/* --- at the implicit position ------------------------------------------------ */

DIYA_EXPORT DIYA_OFTEN ssize_t read(int fd, void *buffer, size_t bytes)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(read)(fd, buffer, bytes);
    ssize_t returned = DIYA_REAL(read)(fd, buffer, bytes);
    diya_returned(&call);
    posix_implicit(&call, DIYA_F_READ, fd, buffer, bytes, returned, false);
    return returned;
}
DIYA_EXPORT ssize_t __read(int fd, void *buffer, size_t bytes) __attribute__((alias("read")));

DIYA_EXPORT ssize_t __read_chk(int fd, void *buffer, size_t bytes, size_t room)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(__read_chk)(fd, buffer, bytes, room);
    ssize_t returned = DIYA_REAL(__read_chk)(fd, buffer, bytes, room);
    diya_returned(&call);
    posix_implicit(&call, DIYA_F_READ, fd, buffer, bytes, returned, false);
    return returned;
}

DIYA_EXPORT DIYA_OFTEN ssize_t write(int fd, const void *buffer, size_t bytes)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(write)(fd, buffer, bytes);
    ssize_t returned = DIYA_REAL(write)(fd, buffer, bytes);
    diya_returned(&call);
    posix_implicit(&call, DIYA_F_WRITE, fd, buffer, bytes, returned, true);
    return returned;
}
DIYA_EXPORT ssize_t __write(int fd, const void *buffer, size_t bytes) __attribute__((alias("write")));

DIYA_EXPORT ssize_t readv(int fd, const struct iovec *vector, int count)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(readv)(fd, vector, count);
    ssize_t returned = DIYA_REAL(readv)(fd, vector, count);
    diya_returned(&call);
    posix_implicit(&call, DIYA_F_READV, fd, NULL, posix_vector_bytes(vector, count, diya_done(&call, returned)),
                   returned, false);
    return returned;
}

DIYA_EXPORT ssize_t writev(int fd, const struct iovec *vector, int count)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(writev)(fd, vector, count);
    ssize_t returned = DIYA_REAL(writev)(fd, vector, count);
    diya_returned(&call);
    posix_implicit(&call, DIYA_F_WRITEV, fd, NULL, posix_vector_bytes(vector, count, diya_done(&call, returned)),
                   returned, true);
    return returned;
}

DIYA_EXPORT ssize_t vmsplice(int fd, const struct iovec *vector, size_t count, unsigned flags)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(vmsplice)(fd, vector, count, flags);
    ssize_t returned = DIYA_REAL(vmsplice)(fd, vector, count, flags);
    diya_returned(&call);
    posix_implicit(&call, DIYA_F_VMSPLICE, fd, NULL, posix_vector_bytes(vector, (int)count, diya_done(&call, returned)),
                   returned, true);
    return returned;
}

/* --- at a given offset --------------------------------------------------------- */

DIYA_EXPORT DIYA_OFTEN ssize_t pread(int fd, void *buffer, size_t bytes, off_t offset)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(pread)(fd, buffer, bytes, offset);
    ssize_t returned = DIYA_REAL(pread)(fd, buffer, bytes, offset);
    diya_returned(&call);
    posix_explicit(&call, DIYA_F_PREAD, fd, buffer, bytes, offset, returned);
    return returned;
}
DIYA_EXPORT ssize_t pread64(int fd, void *buffer, size_t bytes, off64_t offset) __attribute__((alias("pread")));
DIYA_EXPORT ssize_t __pread64(int fd, void *buffer, size_t bytes, off64_t offset) __attribute__((alias("pread")));

DIYA_EXPORT ssize_t __pread_chk(int fd, void *buffer, size_t bytes, off_t offset, size_t room)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(__pread_chk)(fd, buffer, bytes, offset, room);
    ssize_t returned = DIYA_REAL(__pread_chk)(fd, buffer, bytes, offset, room);
    diya_returned(&call);
    posix_explicit(&call, DIYA_F_PREAD, fd, buffer, bytes, offset, returned);
    return returned;
}
DIYA_EXPORT ssize_t __pread64_chk(int fd, void *buffer, size_t bytes, off64_t offset, size_t room)
    __attribute__((alias("__pread_chk")));

DIYA_EXPORT DIYA_OFTEN ssize_t pwrite(int fd, const void *buffer, size_t bytes, off_t offset)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(pwrite)(fd, buffer, bytes, offset);
    ssize_t returned = DIYA_REAL(pwrite)(fd, buffer, bytes, offset);
    diya_returned(&call);
    posix_explicit(&call, DIYA_F_PWRITE, fd, buffer, bytes, offset, returned);
    return returned;
}
DIYA_EXPORT ssize_t pwrite64(int fd, const void *buffer, size_t bytes, off64_t offset) __attribute__((alias("pwrite")));
DIYA_EXPORT ssize_t __pwrite64(int fd, const void *buffer, size_t bytes, off64_t offset)
    __attribute__((alias("pwrite")));

DIYA_EXPORT ssize_t preadv(int fd, const struct iovec *vector, int count, off_t offset)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(preadv)(fd, vector, count, offset);
    ssize_t returned = DIYA_REAL(preadv)(fd, vector, count, offset);
    diya_returned(&call);
    posix_explicit(&call, DIYA_F_PREADV, fd, NULL, posix_vector_bytes(vector, count, diya_done(&call, returned)),
                   offset, returned);
    return returned;
}
DIYA_EXPORT ssize_t preadv64(int fd, const struct iovec *vector, int count, off64_t offset)
    __attribute__((alias("preadv")));

DIYA_EXPORT ssize_t pwritev(int fd, const struct iovec *vector, int count, off_t offset)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(pwritev)(fd, vector, count, offset);
    ssize_t returned = DIYA_REAL(pwritev)(fd, vector, count, offset);
    diya_returned(&call);
    posix_explicit(&call, DIYA_F_PWRITEV, fd, NULL, posix_vector_bytes(vector, count, diya_done(&call, returned)),
                   offset, returned);
    return returned;
}
DIYA_EXPORT ssize_t pwritev64(int fd, const struct iovec *vector, int count, off64_t offset)
    __attribute__((alias("pwritev")));

/* Offset -1 means the implicit position. */
static void vector_at(struct diya_call *call, enum diya_function function, int fd, const struct iovec *vector,
                      int count, off_t offset, ssize_t returned, bool is_write)
{
    uint64_t bytes = posix_vector_bytes(vector, count, diya_done(call, returned));
    if (offset == -1)
        posix_implicit(call, function, fd, NULL, bytes, returned, is_write);
    else
        posix_explicit(call, function, fd, NULL, bytes, offset, returned);
}

DIYA_EXPORT ssize_t preadv2(int fd, const struct iovec *vector, int count, off_t offset, int flags)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(preadv2)(fd, vector, count, offset, flags);
    ssize_t returned = DIYA_REAL(preadv2)(fd, vector, count, offset, flags);
    diya_returned(&call);
    vector_at(&call, DIYA_F_PREADV2, fd, vector, count, offset, returned, false);
    return returned;
}
DIYA_EXPORT ssize_t preadv64v2(int fd, const struct iovec *vector, int count, off64_t offset, int flags)
    __attribute__((alias("preadv2")));

DIYA_EXPORT ssize_t pwritev2(int fd, const struct iovec *vector, int count, off_t offset, int flags)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(pwritev2)(fd, vector, count, offset, flags);
    ssize_t returned = DIYA_REAL(pwritev2)(fd, vector, count, offset, flags);
    diya_returned(&call);
    vector_at(&call, DIYA_F_PWRITEV2, fd, vector, count, offset, returned, true);
    return returned;
}
DIYA_EXPORT ssize_t pwritev64v2(int fd, const struct iovec *vector, int count, off64_t offset, int flags)
    __attribute__((alias("pwritev2")));

DIYA_EXPORT off_t lseek(int fd, off_t offset, int whence)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(lseek)(fd, offset, whence);
    off_t returned = DIYA_REAL(lseek)(fd, offset, whence);
    diya_returned(&call);
    struct diya_event event = DIYA_EVENT(DIYA_F_LSEEK);
    event.file = diya_descriptor_of(fd).file;
    diya_descriptor_moved(fd, returned);
    event.offset = returned >= 0 ? returned : -1;
    event.done = posix_outcome(&call, returned);
    event.has_aux = true;
    event.aux = (unsigned)whence;
    diya_end(&call, &event);
    return returned;
}
DIYA_EXPORT off64_t lseek64(int fd, off64_t offset, int whence) __attribute__((alias("lseek")));
DIYA_EXPORT off_t __lseek(int fd, off_t offset, int whence) __attribute__((alias("lseek")));
DIYA_EXPORT off64_t llseek(int fd, off64_t offset, int whence) __attribute__((alias("lseek")));
