/* Records in the window of a thread. Inside diya_enter. */
#ifndef DIYA_RECORD_H
#define DIYA_RECORD_H

#include "state.h"

/* Where the record ends, or NULL if there was no room. */
DIYA_HIDDEN uint8_t *diya_record_other(struct diya_thread *thread, enum diya_record_tag tag, const void *head,
                                       size_t head_bytes, const void *rest, size_t rest_bytes);

static inline uint8_t *diya_varint_to(uint8_t *to, uint64_t value)
{
    while (value >= 0x80) {
        *to++ = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    *to++ = (uint8_t)value;
    return to;
}

/* How many bytes it took. */
static inline size_t diya_put_varint(uint8_t *to, uint64_t value)
{
    return (size_t)(diya_varint_to(to, value) - to);
}

/* The next tiny call does not follow the last one of the run any more. */
static inline void diya_run_ends(struct diya_thread *thread)
{
    thread->run.stream = NULL;
    thread->run.record = NULL;
}

/* Another window for calls; false: from now on they are counted. */
DIYA_HIDDEN DIYA_RARELY bool diya_record_window(struct diya_thread *thread);
/* While the segment can still be opened: room for records, names and counters. */
DIYA_HIDDEN void diya_room_reserve(struct diya_thread *thread);

#endif
