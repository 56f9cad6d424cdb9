/* The recording clock: a counter read in user space.
 *
 * x86-64: the time stamp counter where it runs at a constant rate (rdtsc 17 ns,
 * clock_gettime 30 ns). aarch64: the virtual counter. Otherwise
 * CLOCK_MONOTONIC in nanoseconds. Clock points (struct diya_clock_point) tie
 * ticks to time; the reader does the arithmetic.
 */
#ifndef DIYA_CLOCK_H
#define DIYA_CLOCK_H

#include "diya_trace.h"

#include <stdint.h>
#include <time.h>

extern __attribute__((visibility("hidden"))) enum diya_clock_kind diya_clock;

/* About 2 us: a call on a stream that takes longer did more than copy. */
extern __attribute__((visibility("hidden"))) uint64_t diya_slow_ticks;

static inline uint64_t diya_monotonic_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static inline __attribute__((always_inline)) uint64_t diya_ticks(void)
{
#if defined(__x86_64__)
    if (__builtin_expect(diya_clock == DIYA_CLOCK_TSC, 1))
        return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    if (__builtin_expect(diya_clock == DIYA_CLOCK_CNTVCT, 1)) {
        uint64_t ticks;
        __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
        return ticks;
    }
#endif
    return diya_monotonic_ns();
}

/* Chooses the clock. Returns ticks per second where the processor says so, or 0. */
__attribute__((visibility("hidden"))) uint64_t diya_clock_choose(void);

__attribute__((visibility("hidden"))) struct diya_clock_point diya_clock_point(void);

#endif
