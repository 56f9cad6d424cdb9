/* A forked child that cannot make a segment: it became another user, or left for another
 * root folder, before its first call. It says so in the header of its parent's segment,
 * whose memory it shares. */
#include "unattached.h"

#include <unistd.h>

/* Of this process or of one that it was forked from: unlike the rest of the state it is
 * kept in a forked child. */
static struct diya_segment_header *last_header;

void diya_children_inherit(struct diya_segment_header *header)
{
    last_header = header;
}

void diya_unattached(uint32_t pid)
{
    struct diya_segment_header *header = last_header;
    if (header == NULL)
        return;
    uint64_t place = __atomic_fetch_add(&header->unattached, 1, __ATOMIC_RELAXED);
    if (place >= DIYA_UNATTACHED)
        return;
    struct diya_unattached *child = &header->unattached_children[place];
    child->uid = geteuid();
    child->ticks = diya_ticks();
    __atomic_store_n(&child->pid, pid, __ATOMIC_RELEASE);
}
