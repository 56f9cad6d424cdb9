/* POSIX: what makes and ends descriptors. */
#include "core.h"
#include "descriptors.h"
#include "posix.h"
#include "system.h"

#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* The third argument is there only with these flags. */
static bool has_mode(int flags)
{
    return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
}

DIYA_EXPORT DIYA_OFTEN int open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = has_mode(flags) ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(open)(path, flags, mode);
    int fd = DIYA_REAL(open)(path, flags, mode);
    diya_returned(&call);
    posix_opened(&call, DIYA_F_OPEN, AT_FDCWD, path, flags, fd);
    return fd;
}
DIYA_EXPORT int open64(const char *path, int flags, ...) __attribute__((alias("open")));
DIYA_EXPORT int __open(const char *path, int flags, ...) __attribute__((alias("open")));
DIYA_EXPORT int __open64(const char *path, int flags, ...) __attribute__((alias("open")));

DIYA_EXPORT int __open_2(const char *path, int flags)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(__open_2)(path, flags);
    int fd = DIYA_REAL(__open_2)(path, flags);
    diya_returned(&call);
    posix_opened(&call, DIYA_F_OPEN, AT_FDCWD, path, flags, fd);
    return fd;
}
DIYA_EXPORT int __open64_2(const char *path, int flags) __attribute__((alias("__open_2")));

DIYA_EXPORT DIYA_OFTEN int openat(int dirfd, const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = has_mode(flags) ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(openat)(dirfd, path, flags, mode);
    int fd = DIYA_REAL(openat)(dirfd, path, flags, mode);
    diya_returned(&call);
    posix_opened(&call, DIYA_F_OPENAT, dirfd, path, flags, fd);
    return fd;
}
DIYA_EXPORT int openat64(int dirfd, const char *path, int flags, ...) __attribute__((alias("openat")));

DIYA_EXPORT int __openat_2(int dirfd, const char *path, int flags)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(__openat_2)(dirfd, path, flags);
    int fd = DIYA_REAL(__openat_2)(dirfd, path, flags);
    diya_returned(&call);
    posix_opened(&call, DIYA_F_OPENAT, dirfd, path, flags, fd);
    return fd;
}
DIYA_EXPORT int __openat64_2(int dirfd, const char *path, int flags) __attribute__((alias("__openat_2")));

DIYA_EXPORT int creat(const char *path, mode_t mode)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(creat)(path, mode);
    int fd = DIYA_REAL(creat)(path, mode);
    diya_returned(&call);
    posix_opened(&call, DIYA_F_CREAT, AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, fd);
    return fd;
}
DIYA_EXPORT int creat64(const char *path, mode_t mode) __attribute__((alias("creat")));

/* --- temporary and nameless files ----------------------------------------------- */

DIYA_EXPORT int mkstemp(char *template)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(mkstemp)(template);
    int fd = DIYA_REAL(mkstemp)(template);
    diya_returned(&call);
    posix_opened(&call, DIYA_F_MKSTEMP, AT_FDCWD, template, O_RDWR | O_CREAT | O_EXCL, fd);
    return fd;
}
DIYA_EXPORT int mkstemp64(char *template) __attribute__((alias("mkstemp")));

DIYA_EXPORT int mkstemps(char *template, int suffix_bytes)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(mkstemps)(template, suffix_bytes);
    int fd = DIYA_REAL(mkstemps)(template, suffix_bytes);
    diya_returned(&call);
    posix_opened(&call, DIYA_F_MKSTEMP, AT_FDCWD, template, O_RDWR | O_CREAT | O_EXCL, fd);
    return fd;
}
DIYA_EXPORT int mkstemps64(char *template, int suffix_bytes) __attribute__((alias("mkstemps")));

DIYA_EXPORT int mkostemp(char *template, int flags)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(mkostemp)(template, flags);
    int fd = DIYA_REAL(mkostemp)(template, flags);
    diya_returned(&call);
    posix_opened(&call, DIYA_F_MKOSTEMP, AT_FDCWD, template, flags | O_RDWR | O_CREAT | O_EXCL, fd);
    return fd;
}
DIYA_EXPORT int mkostemp64(char *template, int flags) __attribute__((alias("mkostemp")));

DIYA_EXPORT int mkostemps(char *template, int suffix_bytes, int flags)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(mkostemps)(template, suffix_bytes, flags);
    int fd = DIYA_REAL(mkostemps)(template, suffix_bytes, flags);
    diya_returned(&call);
    posix_opened(&call, DIYA_F_MKOSTEMP, AT_FDCWD, template, flags | O_RDWR | O_CREAT | O_EXCL, fd);
    return fd;
}
DIYA_EXPORT int mkostemps64(char *template, int suffix_bytes, int flags) __attribute__((alias("mkostemps")));

/* The name is one of the C library's; the kernel knows the path. */
static void opened_elsewhere(struct diya_call *call, enum diya_function function, int flags, int fd)
{
    struct diya_event event = DIYA_EVENT(function);
    event.done = posix_outcome(call, fd);
    diya_descriptor_closed(fd);
    event.file = fd >= 0 ? diya_descriptor_of(fd).file : 0;
    event.has_aux = true;
    event.aux = (unsigned)flags;
    diya_end(call, &event);
}

DIYA_EXPORT int shm_open(const char *name, int flags, mode_t mode)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(shm_open)(name, flags, mode);
    int fd = DIYA_REAL(shm_open)(name, flags, mode);
    diya_returned(&call);
    opened_elsewhere(&call, DIYA_F_SHM_OPEN, flags, fd);
    return fd;
}

DIYA_EXPORT int memfd_create(const char *name, unsigned flags)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(memfd_create)(name, flags);
    int fd = DIYA_REAL(memfd_create)(name, flags);
    diya_returned(&call);
    opened_elsewhere(&call, DIYA_F_MEMFD_CREATE, O_RDWR | O_CREAT, fd);
    return fd;
}

DIYA_EXPORT int open_by_handle_at(int mount_fd, struct file_handle *handle, int flags)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(open_by_handle_at)(mount_fd, handle, flags);
    int fd = DIYA_REAL(open_by_handle_at)(mount_fd, handle, flags);
    diya_returned(&call);
    opened_elsewhere(&call, DIYA_F_OPEN_BY_HANDLE_AT, flags, fd);
    return fd;
}

/* --- close: the entry goes before the descriptor, which another thread may get
 * at once ------------------------------------------------------------------------ */

DIYA_EXPORT DIYA_OFTEN int close(int fd)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(close)(fd);
    struct diya_event event = DIYA_EVENT(DIYA_F_CLOSE);
    event.file = diya_descriptor_known(fd);
    diya_descriptor_closed(fd);
    int returned = DIYA_REAL(close)(fd);
    diya_returned(&call);
    event.done = diya_done(&call, returned);
    diya_end(&call, &event);
    return returned;
}
DIYA_EXPORT int __close(int fd) __attribute__((alias("close")));

DIYA_EXPORT int close_range(unsigned first, unsigned last, int flags)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(close_range)(first, last, flags);
    int returned = DIYA_REAL(close_range)(first, last, flags);
    diya_returned(&call);
    if (returned == 0 && (flags & 4 /* CLOSE_RANGE_CLOEXEC */) == 0)
        diya_descriptors_closed(first, last);
    struct diya_event event = DIYA_EVENT(DIYA_F_CLOSE_RANGE);
    event.done = diya_done(&call, returned);
    diya_end(&call, &event);
    return returned;
}

DIYA_EXPORT void closefrom(int first)
{
    struct diya_call call;
    if (!diya_begin(&call)) {
        DIYA_REAL(closefrom)(first);
        return;
    }
    DIYA_REAL(closefrom)(first);
    diya_returned(&call);
    diya_descriptors_closed(first < 0 ? 0 : (unsigned)first, ~0u);
    struct diya_event event = DIYA_EVENT(DIYA_F_CLOSEFROM);
    diya_end(&call, &event);
}

/* --- dup --------------------------------------------------------------------------- */

static void duplicated(struct diya_call *call, enum diya_function function, int from, int to)
{
    struct diya_event event = DIYA_EVENT(function);
    event.done = posix_outcome(call, to);
    event.file = diya_descriptor_of(from).file;
    if (to >= 0)
        diya_descriptor_duplicated(from, to);
    diya_end(call, &event);
}

DIYA_EXPORT int dup(int from)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(dup)(from);
    int to = DIYA_REAL(dup)(from);
    diya_returned(&call);
    duplicated(&call, DIYA_F_DUP, from, to);
    return to;
}

DIYA_EXPORT int dup2(int from, int to)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(dup2)(from, to);
    int returned = DIYA_REAL(dup2)(from, to);
    diya_returned(&call);
    duplicated(&call, DIYA_F_DUP2, from, returned);
    return returned;
}
DIYA_EXPORT int __dup2(int from, int to) __attribute__((alias("dup2")));

DIYA_EXPORT int dup3(int from, int to, int flags)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(dup3)(from, to, flags);
    int returned = DIYA_REAL(dup3)(from, to, flags);
    diya_returned(&call);
    duplicated(&call, DIYA_F_DUP3, from, returned);
    return returned;
}
