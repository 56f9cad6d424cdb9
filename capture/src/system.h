/* System calls that bypass the C library.
 *
 * The recorder must not come through its own hooks, must not touch errno, and
 * must work where the C library is half set up. All return the kernel's value:
 * negative error numbers instead of -1 and errno.
 */
#ifndef DIYA_SYSTEM_H
#define DIYA_SYSTEM_H

#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#ifdef __SANITIZE_THREAD__
#include <unistd.h>
#endif

#if !defined(__LP64__)
#error "the capture library is for 64-bit programs"
#endif

static inline long diya_syscall(long number, long a, long b, long c, long d, long e, long f)
{
#if defined(__x86_64__)
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    long returned;
    __asm__ volatile("syscall"
                     : "=a"(returned)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return returned;
#elif defined(__aarch64__)
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    register long x3 __asm__("x3") = d;
    register long x4 __asm__("x4") = e;
    register long x5 __asm__("x5") = f;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
    return x0;
#else
#error "system calls of this processor are not known"
#endif
}

static inline int sys_open(const char *path, int flags, int mode)
{
    return (int)diya_syscall(SYS_openat, AT_FDCWD, (long)path, flags, mode, 0, 0);
}

static inline int sys_close(int fd)
{
    return (int)diya_syscall(SYS_close, fd, 0, 0, 0, 0, 0);
}

static inline long sys_read(int fd, void *buffer, size_t bytes)
{
    return diya_syscall(SYS_read, fd, (long)buffer, (long)bytes, 0, 0, 0);
}

static inline long sys_pwrite(int fd, const void *buffer, size_t bytes, int64_t offset)
{
    return diya_syscall(SYS_pwrite64, fd, (long)buffer, (long)bytes, offset, 0, 0);
}

static inline int64_t sys_position(int fd)
{
    return diya_syscall(SYS_lseek, fd, 0, 1 /* SEEK_CUR */, 0, 0, 0);
}

static inline int sys_fstat(int fd, struct stat *status)
{
    return (int)diya_syscall(SYS_fstat, fd, (long)status, 0, 0, 0, 0);
}

static inline int sys_lstat(const char *path, struct stat *status)
{
    return (int)diya_syscall(SYS_newfstatat, AT_FDCWD, (long)path, (long)status, AT_SYMLINK_NOFOLLOW, 0, 0);
}

static inline long sys_readlink(const char *path, char *buffer, size_t room)
{
    return diya_syscall(SYS_readlinkat, AT_FDCWD, (long)path, (long)buffer, (long)room, 0, 0);
}

static inline int sys_mkdir(const char *path, int mode)
{
    return (int)diya_syscall(SYS_mkdirat, AT_FDCWD, (long)path, mode, 0, 0, 0);
}

static inline int sys_fallocate(int fd, int64_t offset, int64_t bytes)
{
    return (int)diya_syscall(SYS_fallocate, fd, 0, offset, bytes, 0, 0);
}

static inline int sys_ftruncate(int fd, int64_t bytes)
{
    return (int)diya_syscall(SYS_ftruncate, fd, bytes, 0, 0, 0, 0);
}

/* The thread sanitizer does not see these calls: without a word about it, memory that one thread
 * gave back and another one got looks like a race. */
#ifdef __SANITIZE_THREAD__
void __tsan_acquire(void *what);
void __tsan_release(void *what);
#define MAPS_IN_ORDER(how) how((void *)&environ)
#else
#define MAPS_IN_ORDER(how) (void)0
#endif

/* NULL on failure. */
static inline void *sys_map(size_t bytes, int protection, int flags, int fd, int64_t offset)
{
    long mapped = diya_syscall(SYS_mmap, 0, (long)bytes, protection, flags, fd, offset);
    MAPS_IN_ORDER(__tsan_acquire);
    return mapped < 0 && mapped > -4096 ? NULL : (void *)mapped;
}

static inline void *sys_memory(size_t bytes)
{
    return sys_map(bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

static inline void sys_unmap(void *start, size_t bytes)
{
    MAPS_IN_ORDER(__tsan_release);
    diya_syscall(SYS_munmap, (long)start, (long)bytes, 0, 0, 0, 0);
}

static inline int sys_advise(void *start, size_t bytes, int advice)
{
    return (int)diya_syscall(SYS_madvise, (long)start, (long)bytes, advice, 0, 0, 0);
}

static inline uint32_t sys_pid(void)
{
    return (uint32_t)diya_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0);
}

static inline uint32_t sys_tid(void)
{
    return (uint32_t)diya_syscall(SYS_gettid, 0, 0, 0, 0, 0, 0);
}

static inline uint64_t sys_limit(int resource)
{
    struct rlimit limit;
    if (diya_syscall(SYS_prlimit64, 0, resource, 0, (long)&limit, 0, 0) < 0)
        return UINT64_MAX;
    return limit.rlim_cur;
}

/* Bytes that may be written to a file without a SIGXFSZ. */
static inline uint64_t sys_file_size_limit(void)
{
    return sys_limit(RLIMIT_FSIZE);
}

/* Bytes that may be mapped. */
static inline uint64_t sys_memory_limit(void)
{
    uint64_t all = sys_limit(RLIMIT_AS), data = sys_limit(RLIMIT_DATA);
    return all < data ? all : data;
}

#endif
