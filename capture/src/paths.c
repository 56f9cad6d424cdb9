/* From a path as the program gives it to the number of a file. */
#include "paths.h"
#include "descriptors.h"
#include "files.h"
#include "state.h"
#include "system.h"

#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* Length of an absolute path without "//", without a component that begins with a point and
 * without a slash at its end: most paths, which need not be put together anew. 0: another one. */
#if defined(__SSE2__)
/* Sixteen characters at a time, from addresses that are multiples of 16: never beyond the page
 * that the path ends in. */
static inline size_t plain_length(const char *path)
{
    const char *chunk = (const char *)((uintptr_t)path & ~(uintptr_t)15);
    unsigned ours = 0xffffu << (path - chunk) & 0xffffu, follows_slash = 0;
    if (path[0] != '/')
        return 0;
    for (;; chunk += 16, ours = 0xffffu) {
        __m128i bytes = _mm_load_si128((const __m128i *)(const void *)chunk);
        unsigned slashes = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('/'))) & ours;
        unsigned points = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('.'))) & ours;
        unsigned ends = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_setzero_si128())) & ours;
        unsigned special = (slashes << 1 | follows_slash) & (slashes | points | ends);
        if (ends != 0) {
            unsigned end = (unsigned)__builtin_ctz(ends);
            return (special & ((2u << end) - 1)) == 0 ? (size_t)(chunk + end - path) : 0;
        }
        if (special != 0)
            return 0;
        follows_slash = slashes >> 15;
    }
}
#else
static inline size_t plain_length(const char *path)
{
    if (path[0] != '/')
        return 0;
    const char *at = path;
    for (; *at != '\0'; at++)
        if (*at == '/' && (at[1] == '/' || at[1] == '.' || at[1] == '\0'))
            return 0;
    return (size_t)(at - path);
}
#endif

/* Appends the components of `path` to the absolute path of `length` bytes in
 * `to`, leaving out "." and double slashes and taking back one component for
 * each "..". Returns the new length; the root has length 0 here. */
static DIYA_OFTEN size_t append_components(char *to, size_t length, size_t room, const char *path)
{
    const char *at = path;
    for (;;) {
        while (*at == '/')
            at++;
        if (*at == '\0')
            return length;
        if (at[0] == '.') {
            if (at[1] == '/' || at[1] == '\0') {
                at += 1;
                continue;
            }
            if (at[1] == '.' && (at[2] == '/' || at[2] == '\0')) {
                while (length > 0 && to[--length] != '/')
                    ;
                at += 2;
                continue;
            }
        }
        if (length + 2 >= room)
            return length;
        to[length++] = '/';
        while (*at != '/' && *at != '\0' && length + 1 < room)
            to[length++] = *at++;
        if (length + 1 >= room)
            return length;
    }
}

static DIYA_RARELY void refresh_cwd(struct diya_thread *thread)
{
    uint32_t epoch = __atomic_load_n(&diya_process->directory_epoch, __ATOMIC_ACQUIRE);
    if (thread->cwd_length != 0 && thread->cwd_epoch == epoch)
        return;
    long got = diya_syscall(SYS_getcwd, (long)thread->cwd, sizeof thread->cwd, 0, 0, 0, 0);
    /* Unreachable or too long: relative paths are then known by their end only. */
    thread->cwd_length = got > 1 && thread->cwd[0] == '/' ? (uint32_t)got : 1;
    thread->cwd[thread->cwd_length - 1] = '\0';
    thread->cwd_epoch = epoch;
}

static size_t copy_base(char *to, const char *base, size_t length)
{
    memcpy(to, base, length);
    return length == 1 && to[0] == '/' ? 0 : length;
}

DIYA_OFTEN size_t diya_path_absolute(struct diya_thread *thread, int dirfd, const char *path)
{
    char *to = thread->path;
    size_t length = 0;
    if (path[0] != '/') {
        if (dirfd == AT_FDCWD) {
            refresh_cwd(thread);
            length = copy_base(to, thread->cwd, thread->cwd_length - 1);
        } else {
            uint32_t file = diya_descriptor_of(dirfd).file;
            if (file == 0 || file != thread->dirfd_file) {
                long got = diya_path_of_fd(dirfd, thread->dirfd_path, sizeof thread->dirfd_path);
                thread->dirfd_length = got > 0 ? (uint32_t)got : 0;
                thread->dirfd_file = file;
            }
            length = copy_base(to, thread->dirfd_path, thread->dirfd_length);
        }
    }
    length = append_components(to, length, DIYA_PATH_ROOM, path);
    if (length == 0)
        to[length++] = '/';
    to[length] = '\0';
    return length;
}

static DIYA_OFTEN uint32_t file_at(int dirfd, const char *path, enum diya_name_kind kind, const struct stat *status)
{
    if (path == NULL)
        return 0;
    if (path[0] == '\0')
        return dirfd == AT_FDCWD ? 0 : diya_descriptor_of(dirfd).file; /* AT_EMPTY_PATH */
    const char *name = path;
    size_t length = plain_length(path);
    if (length == 0 || length >= DIYA_PATH_ROOM - 1) {
        struct diya_thread *thread = diya_tls.thread;
        length = diya_path_absolute(thread, dirfd, path);
        name = thread->path;
    }
    uint32_t file = diya_file_number(name, length, 0, kind);
    if (status != NULL && file != 0 && !diya_process->file_facts[file].is_known)
        diya_file_status(file, status, name, length);
    return file;
}

uint32_t diya_file_at(int dirfd, const char *path, enum diya_name_kind kind)
{
    uint64_t generation = diya_enter();
    uint32_t file = file_at(dirfd, path, kind, NULL);
    diya_leave(generation);
    return file;
}

uint32_t diya_file_at_status(int dirfd, const char *path, const struct stat *status)
{
    uint64_t generation = diya_enter();
    uint32_t file = file_at(dirfd, path, DIYA_NAME_FILE, status);
    diya_leave(generation);
    return file;
}

/* A file that was just opened: the first time its kind is asked for. */
DIYA_OFTEN uint32_t diya_file_opened(int dirfd, const char *path, int fd)
{
    uint64_t generation = diya_enter();
    uint32_t file = file_at(dirfd, path, DIYA_NAME_FILE, NULL);
    struct stat status;
    if (file != 0 && fd >= 0 && !diya_process->file_facts[file].is_known && sys_fstat(fd, &status) == 0)
        file_at(dirfd, path, DIYA_NAME_FILE, &status);
    diya_leave(generation);
    return file;
}

uint32_t diya_file_of_path_kind(const char *path, enum diya_name_kind kind)
{
    return diya_file_at(AT_FDCWD, path, kind);
}

uint32_t diya_file_of_path(const char *path)
{
    return diya_file_at(AT_FDCWD, path, DIYA_NAME_FILE);
}

void diya_directory_changed(void)
{
    __atomic_fetch_add(&diya_process->directory_epoch, 1, __ATOMIC_RELEASE);
}
