/* The values that the workloads move, and how two runs are compared.
 *
 * Results are sequences of 64-bit words. The word at index i is a function of
 * i alone, so every rank can make its part without asking, and a reader knows
 * what it should have found. The checksum is a sum over (index, word): it does
 * not depend on who moved a word, when, or in which file it lies. The variants
 * of a workload must therefore agree on it.
 *
 * Worked example: words {value_at(0), value_at(1)} from index 0 have the
 * checksum mix(value_at(0)) + mix(value_at(1) + INDEX_STEP), modulo 2^64.
 */
#ifndef WORKLOAD_PATTERN_H
#define WORKLOAD_PATTERN_H

#include <stdint.h>
#include <stdlib.h>

/* 2^64 divided by the golden ratio, odd: successive multiples lie far apart. */
#define INDEX_STEP 0x9e3779b97f4a7c15ULL

/* A bijection of 64-bit words in which each input bit moves half the output
 * bits (the finalizer of SplitMix64: Steele, Lea, Flood, OOPSLA 2014). */
static inline uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

static inline uint64_t value_at(uint64_t index)
{
    return mix(index + 1);
}

static inline void fill_words(uint64_t *words, uint64_t first_index, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        words[i] = value_at(first_index + i);
}

static inline uint64_t checksum_of(const uint64_t *words, uint64_t first_index, uint64_t count)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; i < count; i++)
        sum += mix(words[i] + (first_index + i) * INDEX_STEP);
    return sum;
}

/* Memory for `count` words; a workload without memory cannot go on. Aligned to
 * pages, so that direct I/O and alignment checks see a well-placed buffer. */
static inline uint64_t *new_words(uint64_t count)
{
    void *memory = NULL;
    if (posix_memalign(&memory, 4096, count * sizeof(uint64_t) + 1) != 0)
        abort();
    return memory;
}

#endif
