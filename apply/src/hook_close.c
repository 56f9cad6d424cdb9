/* The end of descriptors. What a delayed write met is named here at the latest. */
#include "child.h"
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

/* Others notice it: a pipe ends, locks are given up. */
APPLY_EXPORT int close(int fd)
{
    apply_flush_all();
    int error = 0;
    if (!apply_is_child_in_our_memory()) {
        error = end_of(fd);
        apply_closed(fd);
    }
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
    for (unsigned fd = first; fd <= last && (int)fd <= apply_highest() && !apply_is_child_in_our_memory(); fd++) {
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

/* Returns whether `from` was watched, and had gathered nothing. */
static bool before_duplicate(int from, int to)
{
    apply_flush_all();
    if (apply_is_child_in_our_memory())
        return false;
    bool was_watched = apply_watch_of(apply_descriptor(from)) == APPLY_WATCHED && from != to;
    apply_drop(from);
    if (to >= 0 && from != to)
        end_of(to);
    return was_watched;
}

static int duplicated(int from, int to, int returned, bool was_watched)
{
    if (returned < 0 || from == returned || apply_is_child_in_our_memory())
        return returned;
    if (returned == to)
        apply_closed(to);
    apply_duplicated(from, returned, was_watched);
    return returned;
}

APPLY_EXPORT int dup(int from)
{
    bool was_watched = before_duplicate(from, -1);
    return duplicated(from, -1, REAL(dup)(from), was_watched);
}

APPLY_EXPORT int dup2(int from, int to)
{
    bool was_watched = before_duplicate(from, to);
    return duplicated(from, to, REAL(dup2)(from, to), was_watched);
}
APPLY_EXPORT int __dup2(int from, int to) __attribute__((alias("dup2")));

APPLY_EXPORT int dup3(int from, int to, int flags)
{
    bool was_watched = before_duplicate(from, to);
    return duplicated(from, to, REAL(dup3)(from, to, flags), was_watched);
}
