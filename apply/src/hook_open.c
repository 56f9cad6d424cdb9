/* What makes descriptors of files. */
#include "open.h"
#include "real.h"
#include "watch.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>

#define CALLER __builtin_return_address(0)

/* The third argument is there only with these flags. */
#define MODE_OF(flags, last)                                                                                           \
    va_list arguments;                                                                                                 \
    va_start(arguments, last);                                                                                         \
    mode_t mode = ((flags) & O_CREAT) != 0 || ((flags) & O_TMPFILE) == O_TMPFILE ? va_arg(arguments, mode_t) : 0;      \
    va_end(arguments)

static int opened(int fd, int dirfd, const char *path, int flags, const void *caller)
{
    if (fd >= 0)
        apply_opened(fd, dirfd, path, flags, caller);
    return fd;
}

APPLY_EXPORT int open(const char *path, int flags, ...)
{
    MODE_OF(flags, flags);
    int how = apply_before_open(AT_FDCWD, path, flags);
    return opened(REAL(open)(path, how, mode), AT_FDCWD, path, how, CALLER);
}
APPLY_EXPORT int open64(const char *path, int flags, ...) __attribute__((alias("open")));
APPLY_EXPORT int __open(const char *path, int flags, ...) __attribute__((alias("open")));
APPLY_EXPORT int __open64(const char *path, int flags, ...) __attribute__((alias("open")));

int __open_2(const char *path, int flags);
APPLY_EXPORT int __open_2(const char *path, int flags)
{
    int how = apply_before_open(AT_FDCWD, path, flags);
    return opened(REAL(__open_2)(path, how), AT_FDCWD, path, how, CALLER);
}
APPLY_EXPORT int __open64_2(const char *path, int flags) __attribute__((alias("__open_2")));
int __open64_2(const char *path, int flags);

APPLY_EXPORT int openat(int dirfd, const char *path, int flags, ...)
{
    MODE_OF(flags, flags);
    int how = apply_before_open(dirfd, path, flags);
    return opened(REAL(openat)(dirfd, path, how, mode), dirfd, path, how, CALLER);
}
APPLY_EXPORT int openat64(int dirfd, const char *path, int flags, ...) __attribute__((alias("openat")));

int __openat_2(int dirfd, const char *path, int flags);
APPLY_EXPORT int __openat_2(int dirfd, const char *path, int flags)
{
    int how = apply_before_open(dirfd, path, flags);
    return opened(REAL(__openat_2)(dirfd, path, how), dirfd, path, how, CALLER);
}
int __openat64_2(int dirfd, const char *path, int flags);
APPLY_EXPORT int __openat64_2(int dirfd, const char *path, int flags) __attribute__((alias("__openat_2")));

APPLY_EXPORT int creat(const char *path, mode_t mode)
{
    apply_flush_all();
    return opened(REAL(creat)(path, mode), AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, CALLER);
}
APPLY_EXPORT int creat64(const char *path, mode_t mode) __attribute__((alias("creat")));

/* The template is the path afterwards. */
#define MAKES_TEMPORARY(name, flags, parameters, ...)                                                                  \
    APPLY_EXPORT int name parameters                                                                                   \
    {                                                                                                                  \
        apply_flush_all();                                                                                             \
        return opened(REAL(name)(__VA_ARGS__), AT_FDCWD, template, O_RDWR | O_CREAT | O_EXCL | (flags), CALLER);       \
    }

MAKES_TEMPORARY(mkstemp, 0, (char *template), template)
MAKES_TEMPORARY(mkstemps, 0, (char *template, int suffix), template, suffix)
MAKES_TEMPORARY(mkostemp, flags, (char *template, int flags), template, flags)
MAKES_TEMPORARY(mkostemps, flags, (char *template, int suffix, int flags), template, suffix, flags)
APPLY_EXPORT int mkstemp64(char *template) __attribute__((alias("mkstemp")));
APPLY_EXPORT int mkstemps64(char *template, int suffix) __attribute__((alias("mkstemps")));
APPLY_EXPORT int mkostemp64(char *template, int flags) __attribute__((alias("mkostemp")));
APPLY_EXPORT int mkostemps64(char *template, int suffix, int flags) __attribute__((alias("mkostemps")));

/* --- descriptors whose file may be one that is gathered for ---------------------------------- */

APPLY_EXPORT int shm_open(const char *name, int flags, mode_t mode)
{
    apply_flush_all();
    return opened(REAL(shm_open)(name, flags, mode), AT_FDCWD, NULL, -1, CALLER);
}

struct file_handle;
int open_by_handle_at(int mount_fd, struct file_handle *handle, int flags);
APPLY_EXPORT int open_by_handle_at(int mount_fd, struct file_handle *handle, int flags)
{
    apply_flush_all();
    return opened(REAL(open_by_handle_at)(mount_fd, handle, flags), AT_FDCWD, NULL, -1, CALLER);
}
