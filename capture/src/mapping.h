/* Files in memory: what of them was touched, and when it had to be fetched. */
#ifndef DIYA_MAPPING_H
#define DIYA_MAPPING_H

#include "core.h"

/* Between diya_begin and diya_end of the hook. */
DIYA_HIDDEN void diya_mapping_began(const struct diya_call *call, const void *start, const struct diya_event *event);
/* Before the memory goes: afterwards nothing can be asked. */
DIYA_HIDDEN void diya_mapping_ends(const void *start);
DIYA_HIDDEN void diya_mapping_moved(const void *start, const void *new_start, size_t new_bytes);
/* The process ends with what is still mapped. */
DIYA_HIDDEN void diya_mappings_end(void);

/* faults.c: major page faults of the calling thread, by the kernel's software
 * event. False: not permitted here. */
struct diya_perf_ring;
DIYA_HIDDEN struct diya_perf_ring *diya_faults_open(void);
/* Hands out what came since the last time. */
DIYA_HIDDEN void diya_faults_drain(struct diya_perf_ring *ring, void (*take)(uint64_t mono_ns, uint64_t address));

#endif
