/* Choice and readings of the recording clock. */
#include "clock.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

enum diya_clock_kind diya_clock = DIYA_CLOCK_MONOTONIC;
uint64_t diya_slow_ticks = 2000;

#if defined(__x86_64__)
/* Intel SDM volume 2A, CPUID: leaf 0x80000007 EDX bit 8 says that the counter
 * runs at a constant rate in all states; leaf 0x15 gives its ratio to the
 * crystal. A virtual machine often leaves 0x15 empty. */
static uint64_t choose(void)
{
    unsigned a, b, c, d;
    if (__get_cpuid_max(0x80000000u, NULL) < 0x80000007u)
        return 0;
    __cpuid(0x80000007u, a, b, c, d);
    if (!(d & (1u << 8)))
        return 0;
    diya_clock = DIYA_CLOCK_TSC;
    if (__get_cpuid_max(0, NULL) < 0x15)
        return 0;
    __cpuid_count(0x15u, 0, a, b, c, d);
    if (a == 0 || b == 0 || c == 0)
        return 0;
    return (uint64_t)c * b / a;
}
#elif defined(__aarch64__)
static uint64_t choose(void)
{
    uint64_t hz;
    __asm__ volatile("mrs %0, cntfrq_el0" : "=r"(hz));
    diya_clock = DIYA_CLOCK_CNTVCT;
    return hz;
}
#else
static uint64_t choose(void)
{
    return 0;
}
#endif

uint64_t diya_clock_choose(void)
{
    uint64_t hz = choose();
    if (diya_clock != DIYA_CLOCK_MONOTONIC)
        diya_slow_ticks = hz != 0 ? hz / 500000 : 5000; /* time stamp counters run at 2 to 4 GHz */
    return diya_clock == DIYA_CLOCK_MONOTONIC ? 1000000000u : hz;
}

struct diya_clock_point diya_clock_point(void)
{
    /* The clocks are read one after the other. The shortest of three attempts
     * is the one that no interrupt stretched. */
    struct diya_clock_point best = {0};
    uint64_t best_spread = UINT64_MAX;
    for (int attempt = 0; attempt < 3; attempt++) {
        struct timespec mono, real;
        uint64_t before = diya_ticks();
        clock_gettime(CLOCK_MONOTONIC, &mono);
        uint64_t after = diya_ticks();
        clock_gettime(CLOCK_REALTIME, &real);
        if (after - before >= best_spread)
            continue;
        best_spread = after - before;
        best.ticks = before + (after - before) / 2;
        best.mono_ns = (uint64_t)mono.tv_sec * 1000000000u + (uint64_t)mono.tv_nsec;
        best.real_ns = (uint64_t)real.tv_sec * 1000000000u + (uint64_t)real.tv_nsec;
    }
    return best;
}
