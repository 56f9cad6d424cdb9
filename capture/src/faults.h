/* Page faults of mapped files, which the kernel counts and times. */
#ifndef DIYA_FAULTS_H
#define DIYA_FAULTS_H

#include "perf.h"

/* Of the calling thread, by the kernel's software event. NULL: not permitted here. */
struct diya_perf_ring;
DIYA_HIDDEN struct diya_perf_ring *diya_faults_open(void);
/* Hands out what came since the last time. */
DIYA_HIDDEN void diya_faults_drain(struct diya_perf_ring *ring, void (*take)(uint64_t mono_ns, uint64_t address));

#endif
