/* The numbers of the flags of open() in a recording: those of x86-64, wherever it is made.
   aarch64 and POWER number three of them otherwise. */
#ifndef DIYA_OPEN_FLAGS_H
#define DIYA_OPEN_FLAGS_H

#include <fcntl.h>
#include <stdint.h>

#define DIYA_RECORDED_DIRECT 0040000u
#define DIYA_RECORDED_DIRECTORY 0200000u
#define DIYA_RECORDED_NOFOLLOW 0400000u

static inline uint64_t diya_recorded_open_flags(unsigned flags)
{
    unsigned rest = flags & ~((unsigned)O_DIRECT | (unsigned)O_DIRECTORY | (unsigned)O_NOFOLLOW);
    return rest | ((flags & (unsigned)O_DIRECT) != 0 ? DIYA_RECORDED_DIRECT : 0u) |
           ((flags & (unsigned)O_DIRECTORY) != 0 ? DIYA_RECORDED_DIRECTORY : 0u) |
           ((flags & (unsigned)O_NOFOLLOW) != 0 ? DIYA_RECORDED_NOFOLLOW : 0u);
}

#endif
