/* Events that the kernel counts for the calling thread and writes into a ring.
 *
 * Software events of the own process, user mode only, need no privilege unless
 * perf_event_paranoid is above 2 or a container forbids the call. The mapping
 * keeps the event alive, so that no descriptor stays open. No signal is sent, and
 * no thread wakes up: the recorder reads the ring when it runs anyway.
 */
#ifndef DIYA_PERF_H
#define DIYA_PERF_H

#include "base.h"

#include <linux/perf_event.h>

struct diya_perf_ring { /* the kernel's page of this ring */
    struct perf_event_mmap_page page;
};

/* Of the calling thread: `event` says what; its times are those of
 * CLOCK_MONOTONIC. NULL where it is not permitted, or where there is no room. */
DIYA_HIDDEN struct diya_perf_ring *diya_perf_open(struct perf_event_attr *event, size_t most_pages);
DIYA_HIDDEN void diya_perf_close(struct diya_perf_ring *ring);

/* A record of the kernel: its type, and the first words behind its header. */
#define DIYA_PERF_WORDS 3u
struct diya_perf_record {
    uint32_t type; /* PERF_RECORD_SAMPLE ... */
    uint64_t word[DIYA_PERF_WORDS];
};

/* Hands out what came since the last time; a full ring kept what came first. */
DIYA_HIDDEN void diya_perf_drain(struct diya_perf_ring *ring,
                                 void (*take)(void *context, const struct diya_perf_record *record), void *context);

#endif
