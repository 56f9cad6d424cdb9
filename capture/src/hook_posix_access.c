/* POSIX: access, readlink, realpath, pathconf. */
#include "core.h"
#include "posix.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

DIYA_EXPORT int access(const char *path, int mode)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(access)(path, mode);
    int returned = DIYA_REAL(access)(path, mode);
    diya_returned(&call);
    posix_on_path_aux(&call, DIYA_F_ACCESS, AT_FDCWD, path, DIYA_NAME_FILE, posix_outcome(&call, returned),
                      (unsigned)mode);
    return returned;
}

DIYA_EXPORT int faccessat(int dirfd, const char *path, int mode, int flags)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(faccessat)(dirfd, path, mode, flags);
    int returned = DIYA_REAL(faccessat)(dirfd, path, mode, flags);
    diya_returned(&call);
    posix_on_path_aux(&call, DIYA_F_FACCESSAT, dirfd, path, DIYA_NAME_FILE, posix_outcome(&call, returned),
                      (unsigned)mode);
    return returned;
}

DIYA_EXPORT int euidaccess(const char *path, int mode)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(euidaccess)(path, mode);
    int returned = DIYA_REAL(euidaccess)(path, mode);
    diya_returned(&call);
    posix_on_path_aux(&call, DIYA_F_EUIDACCESS, AT_FDCWD, path, DIYA_NAME_FILE, posix_outcome(&call, returned),
                      (unsigned)mode);
    return returned;
}
DIYA_EXPORT int eaccess(const char *path, int mode) __attribute__((alias("euidaccess")));

DIYA_EXPORT ssize_t readlink(const char *restrict path, char *restrict target, size_t room)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(readlink)(path, target, room);
    ssize_t returned = DIYA_REAL(readlink)(path, target, room);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_READLINK, AT_FDCWD, path, DIYA_NAME_FILE, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT ssize_t readlinkat(int dirfd, const char *restrict path, char *restrict target, size_t room)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(readlinkat)(dirfd, path, target, room);
    ssize_t returned = DIYA_REAL(readlinkat)(dirfd, path, target, room);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_READLINKAT, dirfd, path, DIYA_NAME_FILE, posix_outcome(&call, returned));
    return returned;
}

ssize_t __readlink_chk(const char *path, char *target, size_t bytes, size_t room);
ssize_t __readlinkat_chk(int dirfd, const char *path, char *target, size_t bytes, size_t room);
char *__realpath_chk(const char *path, char *resolved, size_t room);

DIYA_EXPORT ssize_t __readlink_chk(const char *path, char *target, size_t bytes, size_t room)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(__readlink_chk)(path, target, bytes, room);
    ssize_t returned = DIYA_REAL(__readlink_chk)(path, target, bytes, room);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_READLINK, AT_FDCWD, path, DIYA_NAME_FILE, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT ssize_t __readlinkat_chk(int dirfd, const char *path, char *target, size_t bytes, size_t room)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(__readlinkat_chk)(dirfd, path, target, bytes, room);
    ssize_t returned = DIYA_REAL(__readlinkat_chk)(dirfd, path, target, bytes, room);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_READLINKAT, dirfd, path, DIYA_NAME_FILE, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT char *realpath(const char *restrict path, char *restrict resolved)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(realpath)(path, resolved);
    char *returned = DIYA_REAL(realpath)(path, resolved);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_REALPATH, AT_FDCWD, path, DIYA_NAME_FILE, returned == NULL ? -call.saved_errno : 0);
    return returned;
}

DIYA_EXPORT char *__realpath_chk(const char *path, char *resolved, size_t room)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(__realpath_chk)(path, resolved, room);
    char *returned = DIYA_REAL(__realpath_chk)(path, resolved, room);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_REALPATH, AT_FDCWD, path, DIYA_NAME_FILE, returned == NULL ? -call.saved_errno : 0);
    return returned;
}

DIYA_EXPORT char *canonicalize_file_name(const char *path)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(canonicalize_file_name)(path);
    char *returned = DIYA_REAL(canonicalize_file_name)(path);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_REALPATH, AT_FDCWD, path, DIYA_NAME_FILE, returned == NULL ? -call.saved_errno : 0);
    return returned;
}

DIYA_EXPORT long pathconf(const char *path, int name)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(pathconf)(path, name);
    long returned = DIYA_REAL(pathconf)(path, name);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_PATHCONF, AT_FDCWD, path, DIYA_NAME_FILE, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT long fpathconf(int fd, int name)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(fpathconf)(fd, name);
    long returned = DIYA_REAL(fpathconf)(fd, name);
    diya_returned(&call);
    posix_on_fd(&call, DIYA_F_FPATHCONF, fd, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT int name_to_handle_at(int dirfd, const char *path, struct file_handle *handle, int *mount, int flags)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(name_to_handle_at)(dirfd, path, handle, mount, flags);
    int returned = DIYA_REAL(name_to_handle_at)(dirfd, path, handle, mount, flags);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_NAME_TO_HANDLE_AT, dirfd, path, DIYA_NAME_FILE, posix_outcome(&call, returned));
    return returned;
}
