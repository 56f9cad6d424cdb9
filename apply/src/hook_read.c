/* Reads of a descriptor see what was written to it; reads that may wait for somebody come after
 * what that one may be waiting for. */
#include "real.h"
#include "watch.h"
#include "write_buffer.h"

#include "../../capture/src/system.h"

#include <poll.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static bool would_wait(int fd)
{
    struct pollfd asked = {.fd = fd, .events = POLLIN};
    struct timespec none = {0};
    return diya_syscall(SYS_ppoll, (long)&asked, 1, (long)&none, 0, 0, 0) == 0;
}

static void before_slowly(int fd)
{
    apply_flush(fd);
    apply_position_unknown(fd);
    if (apply_is_dirty() && !apply_is_file(fd) && would_wait(fd))
        apply_flush_all();
}

static inline void before(int fd)
{
    if (apply_watched(fd) != NULL || apply_is_dirty())
        before_slowly(fd);
}

void apply_before_stream_read(int fd)
{
    before_slowly(fd);
}

APPLY_EXPORT ssize_t read(int fd, void *to, size_t bytes)
{
    before(fd);
    return REAL(read)(fd, to, bytes);
}
APPLY_EXPORT ssize_t __read(int fd, void *to, size_t bytes) __attribute__((alias("read")));

ssize_t __read_chk(int fd, void *to, size_t bytes, size_t room);
APPLY_EXPORT ssize_t __read_chk(int fd, void *to, size_t bytes, size_t room)
{
    before(fd);
    return REAL(__read_chk)(fd, to, bytes, room);
}

APPLY_EXPORT ssize_t readv(int fd, const struct iovec *vector, int count)
{
    before(fd);
    return REAL(readv)(fd, vector, count);
}

APPLY_EXPORT ssize_t pread(int fd, void *to, size_t bytes, off_t offset)
{
    apply_flush(fd);
    return REAL(pread)(fd, to, bytes, offset);
}
APPLY_EXPORT ssize_t pread64(int fd, void *to, size_t bytes, off64_t offset) __attribute__((alias("pread")));
APPLY_EXPORT ssize_t __pread64(int fd, void *to, size_t bytes, off64_t offset) __attribute__((alias("pread")));

ssize_t __pread_chk(int fd, void *to, size_t bytes, off_t offset, size_t room);
APPLY_EXPORT ssize_t __pread_chk(int fd, void *to, size_t bytes, off_t offset, size_t room)
{
    apply_flush(fd);
    return REAL(__pread_chk)(fd, to, bytes, offset, room);
}
ssize_t __pread64_chk(int fd, void *to, size_t bytes, off64_t offset, size_t room);
APPLY_EXPORT ssize_t __pread64_chk(int fd, void *to, size_t bytes, off64_t offset, size_t room)
    __attribute__((alias("__pread_chk")));

APPLY_EXPORT ssize_t preadv(int fd, const struct iovec *vector, int count, off_t offset)
{
    apply_flush(fd);
    return REAL(preadv)(fd, vector, count, offset);
}
APPLY_EXPORT ssize_t preadv64(int fd, const struct iovec *vector, int count, off64_t offset)
    __attribute__((alias("preadv")));

APPLY_EXPORT ssize_t preadv2(int fd, const struct iovec *vector, int count, off_t offset, int flags)
{
    before(fd);
    return REAL(preadv2)(fd, vector, count, offset, flags);
}
APPLY_EXPORT ssize_t preadv64v2(int fd, const struct iovec *vector, int count, off64_t offset, int flags)
    __attribute__((alias("preadv2")));

/* A position that is known needs no system call: programs ask for it, or set it to where it is,
 * before each small write. */
APPLY_EXPORT off_t lseek(int fd, off_t offset, int whence)
{
    struct apply_descriptor *descriptor = apply_watched(fd);
    if (descriptor == NULL)
        return REAL(lseek)(fd, offset, whence);
    int64_t known = apply_known_seek(descriptor, offset, whence);
    if (known >= 0)
        return known;
    apply_flush(fd);
    off_t returned = REAL(lseek)(fd, offset, whence);
    if (returned >= 0 && returned != descriptor->position) {
        apply_set_position(descriptor, descriptor->is_append ? APPLY_POSITION_UNKNOWN : returned);
        descriptor->run = 0;
    }
    return returned;
}
APPLY_EXPORT off64_t lseek64(int fd, off64_t offset, int whence) __attribute__((alias("lseek")));
APPLY_EXPORT off_t __lseek(int fd, off_t offset, int whence) __attribute__((alias("lseek")));
APPLY_EXPORT off64_t llseek(int fd, off64_t offset, int whence) __attribute__((alias("lseek")));
