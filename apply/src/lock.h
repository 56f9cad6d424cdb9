/* A lock that signal handlers may ask for: a thread that holds it already gets that as the answer.
 *
 * Between lock and unlock a handler of the program may run and write to the same descriptor.
 * Waiting would last forever then, so the handler works without the lock, and what it
 * interrupted finds out that something changed (descriptors.h). A handler may also leave with
 * siglongjmp: then the frame that took the lock is gone, and the lock is taken over.
 */
#ifndef APPLY_LOCK_H
#define APPLY_LOCK_H

#include "settings.h"

struct apply_lock {
    uint32_t word; /* 0: free; else the thread, and whether others wait */
    uintptr_t frame;
};

enum apply_locked { APPLY_LOCKED, APPLY_NESTED };

APPLY_HIDDEN enum apply_locked apply_lock(struct apply_lock *lock);
/* Does nothing where this thread does not hold it. */
APPLY_HIDDEN void apply_unlock(struct apply_lock *lock, enum apply_locked how);

/* No handler runs in this thread in between. */
typedef uint64_t apply_signals;
APPLY_HIDDEN apply_signals apply_block_signals(void);
APPLY_HIDDEN void apply_unblock_signals(apply_signals before);

/* In a forked child, whose thread has another number. */
APPLY_HIDDEN void apply_new_thread_number(void);

#endif
