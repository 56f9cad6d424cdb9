/* fcntl: most commands ask, set or lock something that others see. */
#include "child.h"
#include "real.h"
#include "watch.h"
#include "write_buffer.h"

#include <fcntl.h>
#include <stdarg.h>

APPLY_EXPORT int fcntl(int fd, int command, ...)
{
    va_list arguments;
    va_start(arguments, command);
    long argument = va_arg(arguments, long);
    va_end(arguments);
    int (*real)(int, int, ...) = REAL(fcntl);
    if (command == F_GETFL || command == F_GETFD || command == F_SETFD)
        return real(fd, command, argument);
    apply_flush_all();
    bool duplicates = command == F_DUPFD || command == F_DUPFD_CLOEXEC;
    bool was_watched = duplicates && apply_watch_of(apply_descriptor(fd)) == APPLY_WATCHED;
    if (duplicates || command == F_SETFL)
        apply_drop(fd);
    int returned = real(fd, command, argument);
    if (duplicates && returned >= 0 && !apply_is_child_in_our_memory())
        apply_duplicated(fd, returned, was_watched);
    return returned;
}
APPLY_EXPORT int fcntl64(int fd, int command, ...) __attribute__((alias("fcntl")));
APPLY_EXPORT int __fcntl(int fd, int command, ...) __attribute__((alias("fcntl")));
