/* POSIX: fcntl, ioctl, dprintf. */
#include "core.h"
#include "descriptors.h"
#include "posix.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* What fcntl does depends on its command. */
static void controlled(struct diya_call *call, int fd, int command, long argument, int returned)
{
    struct diya_event event = DIYA_EVENT(DIYA_F_FCNTL);
    event.file = diya_file_of_fd(fd);
    event.done = posix_outcome(call, returned);
    event.has_aux = true;
    event.aux = (unsigned)command;
    switch (command) {
    case F_DUPFD:
    case F_DUPFD_CLOEXEC:
        event.function = DIYA_F_FCNTL_DUP;
        if (returned >= 0)
            diya_descriptor_duplicated(fd, returned);
        break;
    case F_SETLK:
    case F_SETLKW:
    case F_GETLK:
    case F_OFD_SETLK:
    case F_OFD_SETLKW:
    case F_OFD_GETLK:
        event.function = DIYA_F_FCNTL_LOCK;
        break;
    case F_SETFL:
        if (returned == 0)
            diya_descriptor_set(fd, (int)argument);
        break;
    default:
        break;
    }
    diya_end(call, &event);
}

/* The argument, if any, is an int or a pointer: both fit in a register. */
DIYA_EXPORT int fcntl(int fd, int command, ...)
{
    va_list arguments;
    va_start(arguments, command);
    long argument = va_arg(arguments, long);
    va_end(arguments);
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(fcntl)(fd, command, argument);
    int returned = DIYA_REAL(fcntl)(fd, command, argument);
    diya_returned(&call);
    controlled(&call, fd, command, argument, returned);
    return returned;
}
DIYA_EXPORT int fcntl64(int fd, int command, ...) __attribute__((alias("fcntl")));
DIYA_EXPORT int __fcntl(int fd, int command, ...) __attribute__((alias("fcntl")));

DIYA_EXPORT int ioctl(int fd, unsigned long request, ...)
{
    va_list arguments;
    va_start(arguments, request);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(ioctl)(fd, request, argument);
    int returned = DIYA_REAL(ioctl)(fd, request, argument);
    diya_returned(&call);
    posix_on_fd_aux(&call, DIYA_F_IOCTL, fd, posix_outcome(&call, returned), request);
    return returned;
}

/* --- dprintf: a formatted write -------------------------------------------- */

static inline __attribute__((always_inline)) int formatted(int fd, const char *format, va_list arguments)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(vdprintf)(fd, format, arguments);
    int returned = DIYA_REAL(vdprintf)(fd, format, arguments);
    diya_returned(&call);
    posix_implicit(&call, DIYA_F_DPRINTF, fd, NULL, returned > 0 ? (uint64_t)returned : 0, returned, true);
    return returned;
}

DIYA_EXPORT int vdprintf(int fd, const char *restrict format, va_list arguments)
{
    return formatted(fd, format, arguments);
}

DIYA_EXPORT int dprintf(int fd, const char *restrict format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int returned = formatted(fd, format, arguments);
    va_end(arguments);
    return returned;
}

int __vdprintf_chk(int fd, int flag, const char *format, va_list arguments);
int __dprintf_chk(int fd, int flag, const char *format, ...);

DIYA_EXPORT int __vdprintf_chk(int fd, int flag, const char *format, va_list arguments)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(__vdprintf_chk)(fd, flag, format, arguments);
    int returned = DIYA_REAL(__vdprintf_chk)(fd, flag, format, arguments);
    diya_returned(&call);
    posix_implicit(&call, DIYA_F_DPRINTF, fd, NULL, returned > 0 ? (uint64_t)returned : 0, returned, true);
    return returned;
}

DIYA_EXPORT int __dprintf_chk(int fd, int flag, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int returned = __vdprintf_chk(fd, flag, format, arguments);
    va_end(arguments);
    return returned;
}
