/* POSIX: calls that change the tree of names. */
#include "core.h"
#include "paths.h"
#include "posix.h"
#include "restrict.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

DIYA_EXPORT int rename(const char *from, const char *to)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(rename)(from, to);
    int returned = DIYA_REAL(rename)(from, to);
    diya_returned(&call);
    posix_on_two_paths(&call, DIYA_F_RENAME, AT_FDCWD, from, AT_FDCWD, to, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT int renameat(int from_dirfd, const char *from, int to_dirfd, const char *to)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(renameat)(from_dirfd, from, to_dirfd, to);
    int returned = DIYA_REAL(renameat)(from_dirfd, from, to_dirfd, to);
    diya_returned(&call);
    posix_on_two_paths(&call, DIYA_F_RENAMEAT, from_dirfd, from, to_dirfd, to, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT int renameat2(int from_dirfd, const char *from, int to_dirfd, const char *to, unsigned flags)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(renameat2)(from_dirfd, from, to_dirfd, to, flags);
    int returned = DIYA_REAL(renameat2)(from_dirfd, from, to_dirfd, to, flags);
    diya_returned(&call);
    posix_on_two_paths(&call, DIYA_F_RENAMEAT2, from_dirfd, from, to_dirfd, to, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT int unlink(const char *path)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(unlink)(path);
    int returned = DIYA_REAL(unlink)(path);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_UNLINK, AT_FDCWD, path, DIYA_NAME_FILE, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT int unlinkat(int dirfd, const char *path, int flags)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(unlinkat)(dirfd, path, flags);
    int returned = DIYA_REAL(unlinkat)(dirfd, path, flags);
    diya_returned(&call);
    posix_on_path_aux(&call, DIYA_F_UNLINKAT, dirfd, path, DIYA_NAME_FILE, posix_outcome(&call, returned),
                      (unsigned)flags);
    return returned;
}

DIYA_EXPORT int rmdir(const char *path)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(rmdir)(path);
    int returned = DIYA_REAL(rmdir)(path);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_RMDIR, AT_FDCWD, path, DIYA_NAME_DIRECTORY, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT int remove(const char *path)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(remove)(path);
    int returned = DIYA_REAL(remove)(path);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_REMOVE, AT_FDCWD, path, DIYA_NAME_FILE, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT int mkdir(const char *path, mode_t mode)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(mkdir)(path, mode);
    int returned = DIYA_REAL(mkdir)(path, mode);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_MKDIR, AT_FDCWD, path, DIYA_NAME_DIRECTORY, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT int mkdirat(int dirfd, const char *path, mode_t mode)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(mkdirat)(dirfd, path, mode);
    int returned = DIYA_REAL(mkdirat)(dirfd, path, mode);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_MKDIRAT, dirfd, path, DIYA_NAME_DIRECTORY, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT char *mkdtemp(char *template)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(mkdtemp)(template);
    char *returned = DIYA_REAL(mkdtemp)(template);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_MKDTEMP, AT_FDCWD, template, DIYA_NAME_DIRECTORY,
                  returned == NULL ? -call.saved_errno : 0);
    return returned;
}

DIYA_EXPORT int mkfifo(const char *path, mode_t mode)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(mkfifo)(path, mode);
    int returned = DIYA_REAL(mkfifo)(path, mode);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_MKFIFO, AT_FDCWD, path, DIYA_NAME_PIPE, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT int mkfifoat(int dirfd, const char *path, mode_t mode)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(mkfifoat)(dirfd, path, mode);
    int returned = DIYA_REAL(mkfifoat)(dirfd, path, mode);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_MKFIFO, dirfd, path, DIYA_NAME_PIPE, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT int mknod(const char *path, mode_t mode, dev_t device)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(mknod)(path, mode, device);
    int returned = DIYA_REAL(mknod)(path, mode, device);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_MKNOD, AT_FDCWD, path, DIYA_NAME_FILE, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT int mknodat(int dirfd, const char *path, mode_t mode, dev_t device)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(mknodat)(dirfd, path, mode, device);
    int returned = DIYA_REAL(mknodat)(dirfd, path, mode, device);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_MKNOD, dirfd, path, DIYA_NAME_FILE, posix_outcome(&call, returned));
    return returned;
}

int __xmknod(int version, const char *path, mode_t mode, dev_t *device);
int __xmknodat(int version, int dirfd, const char *path, mode_t mode, dev_t *device);

DIYA_EXPORT int __xmknod(int version, const char *path, mode_t mode, dev_t *device)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(__xmknod)(version, path, mode, device);
    int returned = DIYA_REAL(__xmknod)(version, path, mode, device);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_MKNOD, AT_FDCWD, path, DIYA_NAME_FILE, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT int __xmknodat(int version, int dirfd, const char *path, mode_t mode, dev_t *device)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(__xmknodat)(version, dirfd, path, mode, device);
    int returned = DIYA_REAL(__xmknodat)(version, dirfd, path, mode, device);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_MKNOD, dirfd, path, DIYA_NAME_FILE, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT int link(const char *from, const char *to)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(link)(from, to);
    int returned = DIYA_REAL(link)(from, to);
    diya_returned(&call);
    posix_on_two_paths(&call, DIYA_F_LINK, AT_FDCWD, from, AT_FDCWD, to, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT int linkat(int from_dirfd, const char *from, int to_dirfd, const char *to, int flags)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(linkat)(from_dirfd, from, to_dirfd, to, flags);
    int returned = DIYA_REAL(linkat)(from_dirfd, from, to_dirfd, to, flags);
    diya_returned(&call);
    posix_on_two_paths(&call, DIYA_F_LINKAT, from_dirfd, from, to_dirfd, to, posix_outcome(&call, returned));
    return returned;
}

/* What a symbolic link points to is text, not a file that is touched. */
DIYA_EXPORT int symlink(const char *target, const char *path)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(symlink)(target, path);
    int returned = DIYA_REAL(symlink)(target, path);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_SYMLINK, AT_FDCWD, path, DIYA_NAME_FILE, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT int symlinkat(const char *target, int dirfd, const char *path)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(symlinkat)(target, dirfd, path);
    int returned = DIYA_REAL(symlinkat)(target, dirfd, path);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_SYMLINKAT, dirfd, path, DIYA_NAME_FILE, posix_outcome(&call, returned));
    return returned;
}

/* Relative paths mean something else from now on. The name is resolved first. */
static void directory_changed(struct diya_call *call, enum diya_function function, uint32_t file, int64_t outcome)
{
    struct diya_event event = DIYA_EVENT(function);
    event.file = file;
    event.done = outcome;
    if (outcome == 0)
        diya_directory_changed();
    diya_end(call, &event);
}

DIYA_EXPORT int chdir(const char *path)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(chdir)(path);
    int returned = DIYA_REAL(chdir)(path);
    diya_returned(&call);
    uint32_t file = posix_outcome(&call, returned) == -EFAULT ? 0 : diya_file_of_path_kind(path, DIYA_NAME_DIRECTORY);
    directory_changed(&call, DIYA_F_CHDIR, file, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT int fchdir(int fd)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(fchdir)(fd);
    int returned = DIYA_REAL(fchdir)(fd);
    diya_returned(&call);
    directory_changed(&call, DIYA_F_FCHDIR, diya_file_of_fd(fd), posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT int chroot(const char *path)
{
    struct diya_call call;
    diya_leaving();
    if (!diya_begin(&call))
        return DIYA_REAL(chroot)(path);
    int returned = DIYA_REAL(chroot)(path);
    diya_returned(&call);
    uint32_t file = posix_outcome(&call, returned) == -EFAULT ? 0 : diya_file_of_path_kind(path, DIYA_NAME_DIRECTORY);
    directory_changed(&call, DIYA_F_CHROOT, file, posix_outcome(&call, returned));
    return returned;
}
