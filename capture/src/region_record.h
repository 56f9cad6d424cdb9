/* Records of regions, below the functions that programs call (region.c).
 *
 * A record is written when a region begins, so that it is there after a kill, and gets its
 * end in place. Where the thread took another window meanwhile, a second record is written.
 */
#ifndef DIYA_REGION_RECORD_H
#define DIYA_REGION_RECORD_H

#include "record.h"
#include "state.h"

#include <string.h>

#define DIYA_NO_NUMBER (-1)

/* There was no room for one. */
DIYA_HIDDEN DIYA_RARELY void diya_region_dropped(void);
/* Of a thread that ends: what it has not ended itself. */
DIYA_HIDDEN void diya_regions_end(struct diya_thread *thread);

/* diya_record_other for a record of known length: a region should cost less than a call. */
static inline uint8_t *diya_region_put(struct diya_thread *thread, const struct diya_region *region)
{
    _Static_assert(sizeof *region < 0x80, "a length of one byte");
    uint8_t *start = thread->records.cursor;
    if (__builtin_expect(thread->records.header == NULL || start + sizeof *region + 16 >= thread->records.end, 0)) {
        uint8_t *after = diya_record_other(thread, DIYA_REGION, region, sizeof *region, NULL, 0);
        if (after == NULL)
            diya_region_dropped();
        return after == NULL ? NULL : after - sizeof *region;
    }
    start[1] = sizeof *region;
    memcpy(start + 2, region, sizeof *region);
    diya_run_ends(thread);
    thread->records.cursor = start + 2 + sizeof *region;
    __atomic_store_n(start, (uint8_t)DIYA_REGION, __ATOMIC_RELEASE);
    return start + 2;
}

static inline void diya_region_begin(struct diya_thread *thread, struct diya_open_region *open,
                                     enum diya_region_kind kind, uint32_t name, int64_t number, uint64_t start,
                                     uint64_t end)
{
    open->region = (struct diya_region){start, end, number, name, kind};
    open->record = diya_region_put(thread, &open->region);
}

static inline void diya_region_end(struct diya_thread *thread, struct diya_open_region *open, uint64_t ticks)
{
    open->region.end_ticks = ticks;
    const struct diya_window *window = &thread->records;
    if (window->header != NULL && open->record > (uint8_t *)window->header && open->record < window->cursor)
        memcpy(open->record + offsetof(struct diya_region, end_ticks), &ticks, sizeof ticks);
    else
        diya_region_put(thread, &open->region);
    open->record = NULL;
    open->region.start_ticks = 0;
}

static inline void diya_region_turn(struct diya_thread *thread, struct diya_open_region *open,
                                    enum diya_region_kind kind, int64_t number, uint64_t ticks)
{
    if (open->region.start_ticks != 0)
        diya_region_end(thread, open, ticks);
    if (number >= 0)
        diya_region_begin(thread, open, kind, 0, number, ticks, 0);
}

#endif
