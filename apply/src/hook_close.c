/* The end of descriptors. What a delayed write met is named here at the latest. */
#include "real.h"
#include "watch.h"
#include "write_buffer.h"

#include <errno.h>
#include <unistd.h>

static int end_of(int fd)
{
    struct apply_descriptor *descriptor = apply_watched(fd);
    if (descriptor == NULL)
        return 0;
    bool gathered = apply_watch_of(descriptor) == APPLY_GATHERS;
    apply_drop(fd);
    if (gathered)
        apply_gathering_over();
    return apply_take_error(descriptor);
}

/* Others are told by it too: a pipe ends, locks are given up. */
APPLY_EXPORT int close(int fd)
{
    apply_flush_all();
    int error = end_of(fd);
    apply_closed(fd);
    int returned = REAL(close)(fd);
    if (returned == 0 && error != 0) {
        errno = error;
        return -1;
    }
    return returned;
}
APPLY_EXPORT int __close(int fd) __attribute__((alias("close")));

static void end_range(unsigned first, unsigned last)
{
    apply_flush_all();
    for (unsigned fd = first; fd <= last && (int)fd <= apply_highest(); fd++) {
        end_of((int)fd);
        apply_closed((int)fd);
    }
}

APPLY_EXPORT int close_range(unsigned first, unsigned last, int flags)
{
    enum { UNSHARES = 1 << 1, ONLY_AT_EXEC = 1 << 2 };
    if ((flags & (ONLY_AT_EXEC | UNSHARES)) == 0)
        end_range(first, last);
    else
        apply_drop_all();
    return REAL(close_range)(first, last, flags);
}

APPLY_EXPORT void closefrom(int first)
{
    end_range(first < 0 ? 0 : (unsigned)first, APPLY_DESCRIPTORS);
    REAL(closefrom)(first);
}

/* --- duplicates: two numbers with one position ----------------------------------------- */

static void shared(int from)
{
    apply_flush_all();
    apply_drop(from);
}

static int became(int fd)
{
    if (fd >= 0 && apply_descriptor(fd) != NULL)
        apply_seen(fd);
    return fd;
}

APPLY_EXPORT int dup(int from)
{
    shared(from);
    return became(REAL(dup)(from));
}

APPLY_EXPORT int dup2(int from, int to)
{
    shared(from);
    if (from != to)
        end_of(to);
    return became(REAL(dup2)(from, to));
}
APPLY_EXPORT int __dup2(int from, int to) __attribute__((alias("dup2")));

APPLY_EXPORT int dup3(int from, int to, int flags)
{
    shared(from);
    if (from != to)
        end_of(to);
    return became(REAL(dup3)(from, to, flags));
}
