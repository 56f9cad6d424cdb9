/* POSIX: stat and its relatives. */
#include "core.h"
#include "paths.h"
#include "posix.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>

/* What stat says of the kind of file saves the question at the first open. */
static void posix_on_stat_path(struct diya_call *call, enum diya_function function, int dirfd, const char *path,
                               int returned, const void *status)
{
    struct diya_event event = DIYA_EVENT(function);
    event.done = posix_outcome(call, returned);
    if (path != NULL && event.done != -EFAULT)
        event.file = diya_file_at_status(dirfd, path, returned == 0 ? status : NULL);
    diya_end(call, &event);
}

DIYA_EXPORT int stat(const char *path, struct stat *status)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(stat)(path, status);
    int returned = DIYA_REAL(stat)(path, status);
    diya_returned(&call);
    posix_on_stat_path(&call, DIYA_F_STAT, AT_FDCWD, path, returned, status);
    return returned;
}

DIYA_EXPORT int stat64(const char *path, struct stat64 *status)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(stat64)(path, status);
    int returned = DIYA_REAL(stat64)(path, status);
    diya_returned(&call);
    posix_on_stat_path(&call, DIYA_F_STAT, AT_FDCWD, path, returned, status);
    return returned;
}

DIYA_EXPORT int lstat(const char *path, struct stat *status)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(lstat)(path, status);
    int returned = DIYA_REAL(lstat)(path, status);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_LSTAT, AT_FDCWD, path, DIYA_NAME_FILE, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT int lstat64(const char *path, struct stat64 *status)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(lstat64)(path, status);
    int returned = DIYA_REAL(lstat64)(path, status);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_LSTAT, AT_FDCWD, path, DIYA_NAME_FILE, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT int fstat(int fd, struct stat *status)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(fstat)(fd, status);
    int returned = DIYA_REAL(fstat)(fd, status);
    diya_returned(&call);
    posix_on_fd(&call, DIYA_F_FSTAT, fd, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT int fstat64(int fd, struct stat64 *status)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(fstat64)(fd, status);
    int returned = DIYA_REAL(fstat64)(fd, status);
    diya_returned(&call);
    posix_on_fd(&call, DIYA_F_FSTAT, fd, posix_outcome(&call, returned));
    return returned;
}
DIYA_EXPORT int __fstat64(int fd, struct stat64 *status) __attribute__((alias("fstat64")));

DIYA_EXPORT int fstatat(int dirfd, const char *path, struct stat *status, int flags)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(fstatat)(dirfd, path, status, flags);
    int returned = DIYA_REAL(fstatat)(dirfd, path, status, flags);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_FSTATAT, dirfd, path, DIYA_NAME_FILE, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT int fstatat64(int dirfd, const char *path, struct stat64 *status, int flags)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(fstatat64)(dirfd, path, status, flags);
    int returned = DIYA_REAL(fstatat64)(dirfd, path, status, flags);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_FSTATAT, dirfd, path, DIYA_NAME_FILE, posix_outcome(&call, returned));
    return returned;
}

/* Programs built before glibc 2.33 call these. */
int __xstat(int version, const char *path, struct stat *status);
int __lxstat(int version, const char *path, struct stat *status);
int __fxstat(int version, int fd, struct stat *status);
int __fxstatat(int version, int dirfd, const char *path, struct stat *status, int flags);

DIYA_EXPORT int __xstat(int version, const char *path, struct stat *status)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(__xstat)(version, path, status);
    int returned = DIYA_REAL(__xstat)(version, path, status);
    diya_returned(&call);
    posix_on_stat_path(&call, DIYA_F_STAT, AT_FDCWD, path, returned, status);
    return returned;
}
DIYA_EXPORT int __xstat64(int version, const char *path, struct stat *status) __attribute__((alias("__xstat")));

DIYA_EXPORT int __lxstat(int version, const char *path, struct stat *status)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(__lxstat)(version, path, status);
    int returned = DIYA_REAL(__lxstat)(version, path, status);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_LSTAT, AT_FDCWD, path, DIYA_NAME_FILE, posix_outcome(&call, returned));
    return returned;
}
DIYA_EXPORT int __lxstat64(int version, const char *path, struct stat *status) __attribute__((alias("__lxstat")));

DIYA_EXPORT int __fxstat(int version, int fd, struct stat *status)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(__fxstat)(version, fd, status);
    int returned = DIYA_REAL(__fxstat)(version, fd, status);
    diya_returned(&call);
    posix_on_fd(&call, DIYA_F_FSTAT, fd, posix_outcome(&call, returned));
    return returned;
}
DIYA_EXPORT int __fxstat64(int version, int fd, struct stat *status) __attribute__((alias("__fxstat")));

DIYA_EXPORT int __fxstatat(int version, int dirfd, const char *path, struct stat *status, int flags)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(__fxstatat)(version, dirfd, path, status, flags);
    int returned = DIYA_REAL(__fxstatat)(version, dirfd, path, status, flags);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_FSTATAT, dirfd, path, DIYA_NAME_FILE, posix_outcome(&call, returned));
    return returned;
}
DIYA_EXPORT int __fxstatat64(int version, int dirfd, const char *path, struct stat *status, int flags)
    __attribute__((alias("__fxstatat")));

#ifdef STATX_BASIC_STATS
DIYA_EXPORT int statx(int dirfd, const char *restrict path, int flags, unsigned mask, struct statx *restrict status)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(statx)(dirfd, path, flags, mask, status);
    int returned = DIYA_REAL(statx)(dirfd, path, flags, mask, status);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_STATX, dirfd, path, DIYA_NAME_FILE, posix_outcome(&call, returned));
    return returned;
}

#endif

DIYA_EXPORT int statfs(const char *path, struct statfs *status)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(statfs)(path, status);
    int returned = DIYA_REAL(statfs)(path, status);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_STATFS, AT_FDCWD, path, DIYA_NAME_FILE, posix_outcome(&call, returned));
    return returned;
}
DIYA_EXPORT int __statfs(const char *path, struct statfs *status) __attribute__((alias("statfs")));

DIYA_EXPORT int statfs64(const char *path, struct statfs64 *status)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(statfs64)(path, status);
    int returned = DIYA_REAL(statfs64)(path, status);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_STATFS, AT_FDCWD, path, DIYA_NAME_FILE, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT int fstatfs(int fd, struct statfs *status)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(fstatfs)(fd, status);
    int returned = DIYA_REAL(fstatfs)(fd, status);
    diya_returned(&call);
    posix_on_fd(&call, DIYA_F_FSTATFS, fd, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT int fstatfs64(int fd, struct statfs64 *status)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(fstatfs64)(fd, status);
    int returned = DIYA_REAL(fstatfs64)(fd, status);
    diya_returned(&call);
    posix_on_fd(&call, DIYA_F_FSTATFS, fd, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT int statvfs(const char *restrict path, struct statvfs *restrict status)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(statvfs)(path, status);
    int returned = DIYA_REAL(statvfs)(path, status);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_STATVFS, AT_FDCWD, path, DIYA_NAME_FILE, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT int statvfs64(const char *restrict path, struct statvfs64 *restrict status)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(statvfs64)(path, status);
    int returned = DIYA_REAL(statvfs64)(path, status);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_STATVFS, AT_FDCWD, path, DIYA_NAME_FILE, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT int fstatvfs(int fd, struct statvfs *status)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(fstatvfs)(fd, status);
    int returned = DIYA_REAL(fstatvfs)(fd, status);
    diya_returned(&call);
    posix_on_fd(&call, DIYA_F_FSTATVFS, fd, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT int fstatvfs64(int fd, struct statvfs64 *status)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(fstatvfs64)(fd, status);
    int returned = DIYA_REAL(fstatvfs64)(fd, status);
    diya_returned(&call);
    posix_on_fd(&call, DIYA_F_FSTATVFS, fd, posix_outcome(&call, returned));
    return returned;
}
