/* Files that must not show up in what is measured.
 *
 * The answer and the input of reading workloads are written by raw system
 * calls: a preloaded library sees calls of the C library only, so these leave
 * its counts alone. (A tracer that works in the kernel does see them.)
 */
#ifndef WORKLOAD_RAW_FILE_H
#define WORKLOAD_RAW_FILE_H

#include "pattern.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static inline void raw_mkdir(const char *path)
{
    syscall(SYS_mkdirat, AT_FDCWD, path, 0755); /* there already: fine */
}

static inline int raw_create(const char *path)
{
    int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (fd < 0)
        abort();
    return fd;
}

static inline void raw_write(int fd, const void *bytes, size_t size)
{
    const char *from = bytes;
    while (size > 0) {
        long done = syscall(SYS_write, fd, from, size);
        if (done <= 0)
            abort();
        from += done;
        size -= (size_t)done;
    }
}

static inline void raw_close(int fd)
{
    syscall(SYS_close, fd);
}

/* Size in bytes, or -1 when there is no such file. */
static inline int64_t raw_size(const char *path)
{
    struct statx status;
    if (syscall(SYS_statx, AT_FDCWD, path, 0, STATX_SIZE, &status) != 0)
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
