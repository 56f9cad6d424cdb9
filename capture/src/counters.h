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

DIYA_HIDDEN DIYA_RARELY void diya_count_other_size(struct diya_counters *counters, uint64_t size);

static inline void diya_count_size(struct diya_counters *counters, uint64_t size)
{
    if (__builtin_expect(counters->common_size[0].size == size && counters->common_size[0].calls > 0, 1))
        counters->common_size[0].calls++;
    else
        diya_count_other_size(counters, size);
}

/* One call of a run of tiny ones, each of which starts where the last one ended. Without a
 * time: it did no I/O. */
static inline void diya_count_tiny(struct diya_counters *counters, bool is_write, uint64_t bytes)
{
    enum { FIRST_BIN_BYTES = 100 }; /* tiny calls are in the first two bins of sizes */
    unsigned bin = bytes > FIRST_BIN_BYTES;
    int64_t *last_byte, *max_byte;
    if (is_write) {
        counters->calls[DIYA_OP_WRITE]++;
        counters->bytes_written += bytes;
        counters->size_write[bin]++;
        counters->sequential_writes++;
        counters->consecutive_writes++;
        last_byte = &counters->last_byte_written;
        max_byte = &counters->max_byte_written;
    } else {
        counters->calls[DIYA_OP_READ]++;
        counters->bytes_read += bytes;
        counters->size_read[bin]++;
        counters->sequential_reads++;
        counters->consecutive_reads++;
        last_byte = &counters->last_byte_read;
        max_byte = &counters->max_byte_read;
    }
    diya_count_size(counters, bytes);
    *last_byte += (int64_t)bytes;
    if (*last_byte > *max_byte)
        *max_byte = *last_byte;
}

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
