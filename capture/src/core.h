/* The functions of the recorder for hooks.
 *
 * A hook is the function of the recorder that a program calls instead of the
 * real one (here fsync). It forwards the call and records it:
 *
 *     DIYA_EXPORT int fsync(int fd)
 *     {
 *         struct diya_call call;
 *         if (!diya_begin(&call))
 *             return DIYA_REAL(fsync)(fd);
 *         int returned = DIYA_REAL(fsync)(fd);
 *         diya_returned(&call);
 *         struct diya_event event = DIYA_EVENT(DIYA_F_FSYNC);
 *         event.file = diya_file_of_fd(fd);
 *         event.done = diya_done(&call, returned);
 *         diya_end(&call, &event);
 *         return returned;
 *     }
 *
 * After diya_returned the hook may change errno: diya_end and diya_cancel
 * restore the value from the call. Functions that name files or write
 * anything are valid only between a diya_begin that returned true and the
 * diya_end or diya_cancel that follows.
 */
#ifndef DIYA_CORE_H
#define DIYA_CORE_H

#include "base.h"
#include "process.h"

/* False: this call is not to be recorded, only forwarded. */
static inline __attribute__((always_inline)) bool diya_begin(struct diya_call *call)
{
    if (__builtin_expect(diya_tls.generation != diya_generation_now(), 0) && !diya_begin_slow((uintptr_t)call))
        return false;
    if (diya_tls.depth == 0)
        diya_tls.outermost_frame = (uintptr_t)call;
    else if (__builtin_expect((uintptr_t)call >= diya_tls.outermost_frame, 0))
        diya_unwound((uintptr_t)call);
    call->depth = diya_tls.depth++;
    call->end = 0;
    call->return_address = __builtin_return_address(0);
    call->start = diya_ticks();
    return true;
}

#endif
