/* Whether the program's memory can be read: of pointers that a call hands on to
 * the kernel, which answers EFAULT where reading them would end the program.
 *
 * rt_sigprocmask with an operation that there is none of copies a signal set in,
 * then fails: EINVAL where the address can be read. It changes nothing, takes no
 * lock, is allowed in every sandbox, and costs one short system call; a copy by
 * process_vm_readv costs ten times as much. Memory that another thread unmaps
 * between the probe and the reading is not guarded against.
 */
#ifndef DIYA_PROBE_H
#define DIYA_PROBE_H

#include "system.h"

#include <errno.h>
#include <stdbool.h>

/* Pages known to be readable; begin a call with `{0}`. */
struct diya_probe {
    uintptr_t first, end;
};

static inline bool diya_probe_page(uintptr_t page)
{
    enum { NO_SUCH_OPERATION = 0x7fffffff, KERNEL_SET_BYTES = 8 };
    /* A set at address 0 means none. */
    return page != 0 &&
           diya_syscall(SYS_rt_sigprocmask, NO_SUCH_OPERATION, (long)page, 0, KERNEL_SET_BYTES, 0, 0) != -EFAULT;
}

/* Neighbours of what was probed last are joined to it: an array of requests
 * costs one call for each of its pages. */
static inline bool diya_readable(struct diya_probe *probe, const void *from, size_t bytes)
{
    const uintptr_t page_bytes = 4096; /* the smallest there are */
    uintptr_t at = (uintptr_t)from, last = at + bytes - 1;
    if (bytes == 0 || last < at)
        return bytes == 0;
    if (at >= probe->first && last < probe->end)
        return true;
    for (uintptr_t page = at & ~(page_bytes - 1); page <= last; page += page_bytes) {
        if (page >= probe->first && page < probe->end)
            continue;
        if (!diya_probe_page(page))
            return false;
        if (page != probe->end || probe->end == 0)
            probe->first = page;
        probe->end = page + page_bytes;
    }
    return true;
}

/* A text with its end, as far as `room` goes. */
static inline bool diya_readable_text(struct diya_probe *probe, const char *from, size_t room)
{
    for (size_t i = 0; from != NULL && i < room; i++) {
        if (!diya_readable(probe, from + i, 1))
            return false;
        if (from[i] == '\0')
            return true;
    }
    return false;
}

#endif
