/* Bytes over time, in the profile mode. Inside diya_enter. */
#ifndef DIYA_HEATMAP_H
#define DIYA_HEATMAP_H

#include "state.h"

/* Puts into the map what the thread has added up. */
DIYA_HIDDEN void diya_heat_flush(struct diya_thread *thread);

/* Puts into the map what the thread has added up, unless another one is at it. */
DIYA_HIDDEN void diya_heat_put(struct diya_thread *thread);

/* A transfer that is not in the bin of the one before. */
DIYA_HIDDEN void diya_heat_elsewhere(struct diya_thread *thread, enum diya_layer layer, bool is_write, uint64_t bytes,
                                     uint64_t start, uint64_t end);

/* Most transfers lie in the bin of the one before. They are added up by thread
 * and go into the map, which all threads share, a few at a time: a map that
 * four threads write to for each call costs each of them 70 ns. A map that was
 * widened meanwhile has this bin inside a wider one. */
#define DIYA_HEAT_TOGETHER 64u
static inline void diya_heat(struct diya_thread *thread, enum diya_layer layer, bool is_write, uint64_t bytes,
                             uint64_t start, uint64_t end)
{
    struct diya_heat_bin *kept = &thread->heat_bin;
    if (__builtin_expect(start < kept->begin || end >= kept->end || kept->layer != layer, 0)) {
        diya_heat_elsewhere(thread, layer, is_write, bytes, start, end);
        return;
    }
    *(is_write ? &kept->written : &kept->read) += bytes;
    if (++kept->calls >= DIYA_HEAT_TOGETHER)
        diya_heat_put(thread);
}

#endif
