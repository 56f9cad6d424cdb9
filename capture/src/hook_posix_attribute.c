/* POSIX: permissions, owners, times, extended attributes. */
#include "core.h"
#include "posix.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utime.h>

DIYA_EXPORT int chmod(const char *path, mode_t mode)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(chmod)(path, mode);
    int returned = DIYA_REAL(chmod)(path, mode);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_CHMOD, AT_FDCWD, path, DIYA_NAME_FILE, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT int fchmod(int fd, mode_t mode)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(fchmod)(fd, mode);
    int returned = DIYA_REAL(fchmod)(fd, mode);
    diya_returned(&call);
    posix_on_fd(&call, DIYA_F_FCHMOD, fd, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT int fchmodat(int dirfd, const char *path, mode_t mode, int flags)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(fchmodat)(dirfd, path, mode, flags);
    int returned = DIYA_REAL(fchmodat)(dirfd, path, mode, flags);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_FCHMODAT, dirfd, path, DIYA_NAME_FILE, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT int lchmod(const char *path, mode_t mode)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(lchmod)(path, mode);
    int returned = DIYA_REAL(lchmod)(path, mode);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_LCHMOD, AT_FDCWD, path, DIYA_NAME_FILE, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT int chown(const char *path, uid_t owner, gid_t group)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(chown)(path, owner, group);
    int returned = DIYA_REAL(chown)(path, owner, group);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_CHOWN, AT_FDCWD, path, DIYA_NAME_FILE, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT int fchown(int fd, uid_t owner, gid_t group)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(fchown)(fd, owner, group);
    int returned = DIYA_REAL(fchown)(fd, owner, group);
    diya_returned(&call);
    posix_on_fd(&call, DIYA_F_FCHOWN, fd, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT int lchown(const char *path, uid_t owner, gid_t group)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(lchown)(path, owner, group);
    int returned = DIYA_REAL(lchown)(path, owner, group);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_LCHOWN, AT_FDCWD, path, DIYA_NAME_FILE, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT int fchownat(int dirfd, const char *path, uid_t owner, gid_t group, int flags)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(fchownat)(dirfd, path, owner, group, flags);
    int returned = DIYA_REAL(fchownat)(dirfd, path, owner, group, flags);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_FCHOWNAT, dirfd, path, DIYA_NAME_FILE, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT int utime(const char *path, const struct utimbuf *times)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(utime)(path, times);
    int returned = DIYA_REAL(utime)(path, times);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_UTIME, AT_FDCWD, path, DIYA_NAME_FILE, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT int utimes(const char *path, const struct timeval times[2])
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(utimes)(path, times);
    int returned = DIYA_REAL(utimes)(path, times);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_UTIME, AT_FDCWD, path, DIYA_NAME_FILE, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT int lutimes(const char *path, const struct timeval times[2])
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(lutimes)(path, times);
    int returned = DIYA_REAL(lutimes)(path, times);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_UTIME, AT_FDCWD, path, DIYA_NAME_FILE, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT int futimes(int fd, const struct timeval times[2])
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(futimes)(fd, times);
    int returned = DIYA_REAL(futimes)(fd, times);
    diya_returned(&call);
    posix_on_fd(&call, DIYA_F_FUTIMES, fd, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT int futimens(int fd, const struct timespec times[2])
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(futimens)(fd, times);
    int returned = DIYA_REAL(futimens)(fd, times);
    diya_returned(&call);
    posix_on_fd(&call, DIYA_F_FUTIMES, fd, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT int utimensat(int dirfd, const char *path, const struct timespec times[2], int flags)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(utimensat)(dirfd, path, times, flags);
    int returned = DIYA_REAL(utimensat)(dirfd, path, times, flags);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_UTIMENSAT, dirfd, path, DIYA_NAME_FILE, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT int futimesat(int dirfd, const char *path, const struct timeval times[2])
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(futimesat)(dirfd, path, times);
    int returned = DIYA_REAL(futimesat)(dirfd, path, times);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_UTIMENSAT, dirfd, path, DIYA_NAME_FILE, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT int setxattr(const char *path, const char *name, const void *value, size_t bytes, int flags)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(setxattr)(path, name, value, bytes, flags);
    int returned = DIYA_REAL(setxattr)(path, name, value, bytes, flags);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_SETXATTR, AT_FDCWD, path, DIYA_NAME_FILE, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT int lsetxattr(const char *path, const char *name, const void *value, size_t bytes, int flags)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(lsetxattr)(path, name, value, bytes, flags);
    int returned = DIYA_REAL(lsetxattr)(path, name, value, bytes, flags);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_SETXATTR, AT_FDCWD, path, DIYA_NAME_FILE, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT int fsetxattr(int fd, const char *name, const void *value, size_t bytes, int flags)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(fsetxattr)(fd, name, value, bytes, flags);
    int returned = DIYA_REAL(fsetxattr)(fd, name, value, bytes, flags);
    diya_returned(&call);
    posix_on_fd(&call, DIYA_F_FSETXATTR, fd, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT ssize_t getxattr(const char *path, const char *name, void *value, size_t room)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(getxattr)(path, name, value, room);
    ssize_t returned = DIYA_REAL(getxattr)(path, name, value, room);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_GETXATTR, AT_FDCWD, path, DIYA_NAME_FILE, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT ssize_t lgetxattr(const char *path, const char *name, void *value, size_t room)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(lgetxattr)(path, name, value, room);
    ssize_t returned = DIYA_REAL(lgetxattr)(path, name, value, room);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_GETXATTR, AT_FDCWD, path, DIYA_NAME_FILE, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT ssize_t fgetxattr(int fd, const char *name, void *value, size_t room)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(fgetxattr)(fd, name, value, room);
    ssize_t returned = DIYA_REAL(fgetxattr)(fd, name, value, room);
    diya_returned(&call);
    posix_on_fd(&call, DIYA_F_FGETXATTR, fd, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT ssize_t listxattr(const char *path, char *list, size_t room)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(listxattr)(path, list, room);
    ssize_t returned = DIYA_REAL(listxattr)(path, list, room);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_LISTXATTR, AT_FDCWD, path, DIYA_NAME_FILE, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT ssize_t llistxattr(const char *path, char *list, size_t room)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(llistxattr)(path, list, room);
    ssize_t returned = DIYA_REAL(llistxattr)(path, list, room);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_LISTXATTR, AT_FDCWD, path, DIYA_NAME_FILE, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT ssize_t flistxattr(int fd, char *list, size_t room)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(flistxattr)(fd, list, room);
    ssize_t returned = DIYA_REAL(flistxattr)(fd, list, room);
    diya_returned(&call);
    posix_on_fd(&call, DIYA_F_FLISTXATTR, fd, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT int removexattr(const char *path, const char *name)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(removexattr)(path, name);
    int returned = DIYA_REAL(removexattr)(path, name);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_REMOVEXATTR, AT_FDCWD, path, DIYA_NAME_FILE, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT int lremovexattr(const char *path, const char *name)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(lremovexattr)(path, name);
    int returned = DIYA_REAL(lremovexattr)(path, name);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_REMOVEXATTR, AT_FDCWD, path, DIYA_NAME_FILE, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT int fremovexattr(int fd, const char *name)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(fremovexattr)(fd, name);
    int returned = DIYA_REAL(fremovexattr)(fd, name);
    diya_returned(&call);
    posix_on_fd(&call, DIYA_F_FREMOVEXATTR, fd, posix_outcome(&call, returned));
    return returned;
}
