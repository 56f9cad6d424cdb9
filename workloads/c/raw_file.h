/* Files that must not show up in what is measured.
 *
 * The answer and the input of reading workloads are written by instructions of
 * the program's own: a preloaded library sees calls of the C library only, its
 * syscall() too, so these leave its counts alone. (A tracer that works in the
 * kernel does see them.)
 */
#ifndef WORKLOAD_RAW_FILE_H
#define WORKLOAD_RAW_FILE_H

#include "pattern.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static inline long raw_call(long number, long a, long b, long c, long d, long e)
{
#if defined(__x86_64__)
    long result;
    register long fourth __asm__("r10") = d;
    register long fifth __asm__("r8") = e;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth), "r"(fifth)
                     : "rcx", "r11", "memory");
    return result;
#elif defined(__aarch64__)
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    register long x3 __asm__("x3") = d;
    register long x4 __asm__("x4") = e;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4) : "memory");
    return x0;
#else
    return syscall(number, a, b, c, d, e);
#endif
}

static inline void raw_mkdir(const char *path)
{
    raw_call(SYS_mkdirat, AT_FDCWD, (long)path, 0755, 0, 0); /* there already: fine */
}

static inline int raw_create(const char *path)
{
    int fd = (int)raw_call(SYS_openat, AT_FDCWD, (long)path, O_WRONLY | O_CREAT | O_TRUNC, 0644, 0);
    if (fd < 0)
        abort();
    return fd;
}

static inline void raw_write(int fd, const void *bytes, size_t size)
{
    const char *from = bytes;
    while (size > 0) {
        long done = raw_call(SYS_write, fd, (long)from, (long)size, 0, 0);
        if (done <= 0)
            abort();
        from += done;
        size -= (size_t)done;
    }
}

static inline void raw_close(int fd)
{
    raw_call(SYS_close, fd, 0, 0, 0, 0);
}

/* Size in bytes, or -1 when there is no such file. */
static inline int64_t raw_size(const char *path)
{
    struct statx status;
    if (raw_call(SYS_statx, AT_FDCWD, (long)path, 0, STATX_SIZE, (long)&status) != 0)
        return -1;
    return (int64_t)status.stx_size;
}

/* A file that holds words first_index .. first_index + count of the pattern. */
static inline void raw_input(const char *path, uint64_t first_index, uint64_t count)
{
    enum { AT_ONCE = 1 << 15 };
    uint64_t *words = new_words(AT_ONCE);
    int fd = raw_create(path);
    for (uint64_t done = 0; done < count;) {
        uint64_t now = count - done < AT_ONCE ? count - done : AT_ONCE;
        fill_words(words, first_index + done, now);
        raw_write(fd, words, now * sizeof(uint64_t));
        done += now;
    }
    raw_close(fd);
    free(words);
}

#endif
