/* System calls that do nothing, behind the recorder: what is left is its own cost.
 *
 * The kernel's part of a write varies by more than the recorder's whole cost. */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

ssize_t write(int fd, const void *buffer, size_t bytes)
{
    (void)fd, (void)buffer;
    return (ssize_t)bytes;
}

ssize_t pread(int fd, void *buffer, size_t bytes, off_t offset)
{
    (void)fd, (void)buffer, (void)offset;
    return (ssize_t)bytes;
}

/* A file is opened once, and stays open: its descriptor is what each opening gives. */
int open(const char *path, int flags, ...)
{
    static __thread int fd = -1;
    static __thread char opened[4200];
    if (fd >= 0 && strcmp(path, opened) == 0)
        return fd;
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    int (*real)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
    strncpy(opened, path, sizeof opened - 1);
    return fd = real(path, flags, mode);
}

int close(int fd)
{
    (void)fd;
    return 0;
}
