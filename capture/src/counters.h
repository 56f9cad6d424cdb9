/* Counters of files, and the heat map. Inside diya_enter. */
#ifndef DIYA_COUNTERS_H
#define DIYA_COUNTERS_H

#include "internal.h"

/* The block of this thread, file and layer; NULL if there is no place for one. */
DIYA_HIDDEN struct diya_counters *diya_counters_of(struct diya_thread *thread, uint32_t file, enum diya_layer layer);

/* Takes room for the first blocks while there is some. */
DIYA_HIDDEN void diya_counters_reserve(struct diya_thread *thread);

/* Gives back what a thread needed to find its blocks. */
DIYA_HIDDEN void diya_counters_end(struct diya_thread *thread);

/* One call of a run of tiny ones, at known offsets one after the other. */
DIYA_HIDDEN void diya_count_tiny(struct diya_counters *counters, bool is_write, uint64_t bytes);

/* Puts into the map what the thread has added up. */
DIYA_HIDDEN void diya_heat_flush(struct diya_thread *thread);

DIYA_HIDDEN void diya_heat(struct diya_thread *thread, enum diya_layer layer, bool is_write, uint64_t bytes,
                           uint64_t start, uint64_t end);

#endif
