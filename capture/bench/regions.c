/* Time of a region, in nanoseconds per pair of begin and end:  regions PAIRS
 *
 * Prints the pair with diya.h, and as yardsticks one turn of an empty loop and one reading of
 * the clock. */
#include "../include/diya.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double pairs_ns(long pairs)
{
    double begin = now_s();
    for (long i = 0; i < pairs; i++) {
        diya_region_begin("compute a part of it");
        diya_region_end();
    }
    return (now_s() - begin) * 1e9 / (double)pairs;
}

static double empty_ns(long pairs)
{
    double begin = now_s();
    for (long i = 0; i < pairs; i++)
        __asm__ volatile("" ::: "memory");
    return (now_s() - begin) * 1e9 / (double)pairs;
}

static double clock_ns(long pairs)
{
    struct timespec now;
    double begin = now_s();
    for (long i = 0; i < pairs; i++)
        clock_gettime(CLOCK_MONOTONIC, &now);
    return (now_s() - begin) * 1e9 / (double)pairs;
}

int main(int count, char **words)
{
    long pairs = count > 1 ? atol(words[1]) : 1000000;
    double pair = pairs_ns(pairs), empty = empty_ns(pairs), clock = clock_ns(pairs);
    printf("%.3f %.3f %.3f\n", pair, empty, clock);
    return 0;
}
