/* POSIX: fsync, truncate, allocate, advise, locks. */
#include "core.h"
#include "posix.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

DIYA_EXPORT int fsync(int fd)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(fsync)(fd);
    int returned = DIYA_REAL(fsync)(fd);
    diya_returned(&call);
    posix_on_fd(&call, DIYA_F_FSYNC, fd, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT int fdatasync(int fd)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(fdatasync)(fd);
    int returned = DIYA_REAL(fdatasync)(fd);
    diya_returned(&call);
    posix_on_fd(&call, DIYA_F_FDATASYNC, fd, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT void sync(void)
{
    struct diya_call call;
    if (!diya_begin(&call)) {
        DIYA_REAL(sync)();
        return;
    }
    DIYA_REAL(sync)();
    diya_returned(&call);
    struct diya_event event = DIYA_EVENT(DIYA_F_SYNC);
    diya_end(&call, &event);
}

DIYA_EXPORT int syncfs(int fd)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(syncfs)(fd);
    int returned = DIYA_REAL(syncfs)(fd);
    diya_returned(&call);
    posix_on_fd(&call, DIYA_F_SYNCFS, fd, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT int sync_file_range(int fd, off64_t offset, off64_t bytes, unsigned flags)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(sync_file_range)(fd, offset, bytes, flags);
    int returned = DIYA_REAL(sync_file_range)(fd, offset, bytes, flags);
    diya_returned(&call);
    posix_on_fd_aux(&call, DIYA_F_SYNC_FILE_RANGE, fd, posix_outcome(&call, returned), flags);
    return returned;
}

/* Truncations and allocations: `offset` is where they begin, `size` how far they reach. */
static void on_range(struct diya_call *call, enum diya_function function, uint32_t file, int64_t offset, int64_t bytes,
                     int64_t outcome)
{
    struct diya_event event = DIYA_EVENT(function);
    event.file = file;
    event.offset = offset;
    event.requested = (uint64_t)bytes;
    event.done = outcome < 0 ? outcome : bytes;
    diya_end(call, &event);
}

DIYA_EXPORT int truncate(const char *path, off_t length)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(truncate)(path, length);
    int returned = DIYA_REAL(truncate)(path, length);
    diya_returned(&call);
    uint32_t file = posix_outcome(&call, returned) == -EFAULT ? 0 : diya_file_of_path(path);
    on_range(&call, DIYA_F_TRUNCATE, file, length, 0, posix_outcome(&call, returned));
    return returned;
}
DIYA_EXPORT int truncate64(const char *path, off_t length) __attribute__((alias("truncate")));

DIYA_EXPORT int ftruncate(int fd, off_t length)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(ftruncate)(fd, length);
    int returned = DIYA_REAL(ftruncate)(fd, length);
    diya_returned(&call);
    on_range(&call, DIYA_F_FTRUNCATE, diya_file_of_fd(fd), length, 0, posix_outcome(&call, returned));
    return returned;
}
DIYA_EXPORT int ftruncate64(int fd, off_t length) __attribute__((alias("ftruncate")));

DIYA_EXPORT int posix_fallocate(int fd, off_t offset, off_t bytes)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(posix_fallocate)(fd, offset, bytes);
    int returned = DIYA_REAL(posix_fallocate)(fd, offset, bytes);
    diya_returned(&call);
    on_range(&call, DIYA_F_POSIX_FALLOCATE, diya_file_of_fd(fd), offset, bytes, diya_done_code(returned));
    return returned;
}
DIYA_EXPORT int posix_fallocate64(int fd, off_t offset, off_t bytes) __attribute__((alias("posix_fallocate")));

DIYA_EXPORT int fallocate(int fd, int mode, off_t offset, off_t bytes)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(fallocate)(fd, mode, offset, bytes);
    int returned = DIYA_REAL(fallocate)(fd, mode, offset, bytes);
    diya_returned(&call);
    on_range(&call, DIYA_F_FALLOCATE, diya_file_of_fd(fd), offset, bytes, posix_outcome(&call, returned));
    return returned;
}
DIYA_EXPORT int fallocate64(int fd, int mode, off_t offset, off_t bytes) __attribute__((alias("fallocate")));

DIYA_EXPORT int posix_fadvise(int fd, off_t offset, off_t bytes, int advice)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(posix_fadvise)(fd, offset, bytes, advice);
    int returned = DIYA_REAL(posix_fadvise)(fd, offset, bytes, advice);
    diya_returned(&call);
    posix_on_fd_aux(&call, DIYA_F_POSIX_FADVISE, fd, diya_done_code(returned), (unsigned)advice);
    return returned;
}
DIYA_EXPORT int posix_fadvise64(int fd, off_t offset, off_t bytes, int advice) __attribute__((alias("posix_fadvise")));

DIYA_EXPORT ssize_t readahead(int fd, off64_t offset, size_t bytes)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(readahead)(fd, offset, bytes);
    ssize_t returned = DIYA_REAL(readahead)(fd, offset, bytes);
    diya_returned(&call);
    on_range(&call, DIYA_F_READAHEAD, diya_file_of_fd(fd), offset, (int64_t)bytes, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT int flock(int fd, int operation)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(flock)(fd, operation);
    int returned = DIYA_REAL(flock)(fd, operation);
    diya_returned(&call);
    posix_on_fd_aux(&call, DIYA_F_FLOCK, fd, posix_outcome(&call, returned), (unsigned)operation);
    return returned;
}

DIYA_EXPORT int lockf(int fd, int command, off_t bytes)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(lockf)(fd, command, bytes);
    int returned = DIYA_REAL(lockf)(fd, command, bytes);
    diya_returned(&call);
    posix_on_fd_aux(&call, DIYA_F_LOCKF, fd, posix_outcome(&call, returned), (unsigned)command);
    return returned;
}
DIYA_EXPORT int lockf64(int fd, int command, off_t bytes) __attribute__((alias("lockf")));
