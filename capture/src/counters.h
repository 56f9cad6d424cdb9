/* Counters of files. Inside diya_enter. */
#ifndef DIYA_COUNTERS_H
#define DIYA_COUNTERS_H

#include "state.h"

/* The block of this thread, file and layer; NULL if there is no place for one. */
DIYA_HIDDEN struct diya_counters *diya_counters_of(struct diya_thread *thread, uint32_t file, enum diya_layer layer);

/* Takes room for the first blocks while there is some. */
DIYA_HIDDEN void diya_counters_reserve(struct diya_thread *thread);

/* Gives back what a thread needed to find its blocks. */
DIYA_HIDDEN void diya_counters_end(struct diya_thread *thread);

static inline struct diya_transfer_counters *diya_transfers_of(struct diya_counters *counters, enum diya_op op)
{
    return op == DIYA_OP_WRITE ? &counters->write : &counters->read;
}

static inline void diya_count_slowest(struct diya_transfer_counters *transfers, uint64_t bytes, uint64_t elapsed)
{
    if (elapsed > transfers->max_ticks) {
        transfers->max_ticks = elapsed;
        transfers->max_size = bytes;
    }
}

DIYA_HIDDEN DIYA_RARELY void diya_count_other_size(struct diya_counters *counters, uint64_t size, uint64_t calls);

static inline void diya_count_size(struct diya_counters *counters, uint64_t size)
{
    if (__builtin_expect(counters->common_size[0].size == size && counters->common_size[0].calls > 0, 1))
        counters->common_size[0].calls++;
    else
        diya_count_other_size(counters, size, 1);
}

/* --- calls of a run of tiny ones, each of which starts where the last one ended ---- */

/* They are added up in one number of the block (diya_trace.h draws it), which a later call
 * of the block adds to the counters, and readers do for a process that was killed. */
static inline uint64_t diya_repeats_bytes(uint64_t repeats)
{
    return repeats & 0xffffff;
}

static inline uint64_t diya_repeats_calls(uint64_t repeats)
{
    return (uint8_t)(repeats >> 24);
}

/* Calls of another size than the ones before. */
DIYA_HIDDEN void diya_repeats_resize(struct diya_tiny_run *run, uint64_t bytes);

static inline __attribute__((always_inline)) void diya_count_tiny(struct diya_tiny_run *run, uint64_t bytes)
{
    if (__builtin_expect(bytes != run->bytes, 0))
        diya_repeats_resize(run, bytes);
    run->counters->repeats += run->one_repeat;
}

DIYA_HIDDEN void diya_count(struct diya_thread *thread, const struct diya_call *call, const struct diya_event *event);

#endif
