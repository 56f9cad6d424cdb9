/* POSIX: mapped files. The transfers themselves are page faults and invisible;
 * mapping, unmapping, msync and advice are recorded. */
#include "core.h"
#include "mapping.h"
#include "posix.h"
#include "state.h"
#include "system.h"
#include "witness.h"

#include <sys/mman.h>

/* Allocators map memory while they start. Looking up the next definition may
 * allocate (dlsym before glibc 2.34), so that until the constructor ran the
 * kernel is called directly. */
static __typeof__(&mmap) next_mmap;
static __typeof__(&munmap) next_munmap;
static __typeof__(&madvise) next_madvise;

__attribute__((constructor)) static void resolve(void)
{
    next_mmap = DIYA_REAL(mmap);
    next_munmap = DIYA_REAL(munmap);
    next_madvise = DIYA_REAL(madvise);
}

static long kernel_result(long returned)
{
    if (returned >= 0 || returned < -4095)
        return returned;
    errno = (int)-returned;
    return -1;
}

static void *real_mmap(void *address, size_t bytes, int protection, int flags, int fd, off_t offset)
{
    if (next_mmap != NULL)
        return next_mmap(address, bytes, protection, flags, fd, offset);
    return (void *)kernel_result(diya_syscall(SYS_mmap, (long)address, (long)bytes, protection, flags, fd, offset));
}

static int real_munmap(void *start, size_t bytes)
{
    if (next_munmap != NULL)
        return next_munmap(start, bytes);
    return (int)kernel_result(diya_syscall(SYS_munmap, (long)start, (long)bytes, 0, 0, 0, 0));
}

static int real_madvise(void *start, size_t bytes, int advice)
{
    if (next_madvise != NULL)
        return next_madvise(start, bytes, advice);
    return (int)kernel_result(diya_syscall(SYS_madvise, (long)start, (long)bytes, advice, 0, 0, 0));
}

/* Anonymous memory is no I/O: allocators map it all the time. */
static void mapped(struct diya_call *call, void *start, size_t bytes, int protection, int flags, int fd, off_t offset)
{
    struct diya_event event = DIYA_EVENT(DIYA_F_MMAP);
    event.file = diya_file_of_fd(fd);
    event.offset = offset;
    event.requested = bytes;
    event.done = start == MAP_FAILED ? -(int64_t)call->saved_errno : (int64_t)bytes;
    event.has_aux = true;
    event.aux = (uint64_t)(unsigned)protection << 32 | (unsigned)flags;
    if (start != MAP_FAILED) {
        diya_handle_bind(DIYA_HANDLE_MAPPING, (uintptr_t)start, event.file);
        diya_mapping_began(call, start, &event);
    }
    diya_end(call, &event);
}

DIYA_EXPORT void *mmap(void *address, size_t bytes, int protection, int flags, int fd, off_t offset)
{
    struct diya_call call;
    if ((flags & MAP_ANONYMOUS) != 0 || fd < 0 || !diya_begin(&call))
        return real_mmap(address, bytes, protection, flags, fd, offset);
    void *returned = real_mmap(address, bytes, protection, flags, fd, offset);
    diya_returned(&call);
    mapped(&call, returned, bytes, protection, flags, fd, offset);
    return returned;
}
DIYA_EXPORT void *mmap64(void *address, size_t bytes, int protection, int flags, int fd, off64_t offset)
    __attribute__((alias("mmap")));
DIYA_EXPORT void *__mmap(void *address, size_t bytes, int protection, int flags, int fd, off_t offset)
    __attribute__((alias("mmap")));

/* Of a mapping that starts here, and of no other: allocators unmap too. */
static uint32_t mapping_at(const void *start)
{
    return diya_process == NULL || *diya_generation == 0 ? 0 : diya_handle_find(DIYA_HANDLE_MAPPING, (uintptr_t)start);
}

static void on_mapping(struct diya_call *call, enum diya_function function, uint32_t file, size_t bytes, int64_t done,
                       bool has_aux, int aux)
{
    struct diya_event event = DIYA_EVENT(function);
    event.file = file;
    event.requested = bytes;
    event.done = done < 0 ? done : (int64_t)bytes;
    event.has_aux = has_aux;
    event.aux = (unsigned)aux;
    diya_end(call, &event);
}

DIYA_EXPORT int munmap(void *start, size_t bytes)
{
    struct diya_call call;
    uint32_t file = mapping_at(start);
    if (file == 0 || !diya_begin(&call))
        return real_munmap(start, bytes);
    diya_handle_unbind(DIYA_HANDLE_MAPPING, (uintptr_t)start);
    uint64_t began = diya_ticks();
    diya_mapping_ends(start);
    call.start = diya_ticks(); /* looking through the pages is not the program's time */
    int returned = real_munmap(start, bytes);
    diya_returned(&call);
    if ((call.end & DIYA_TIMED_CALLS) == 0)
        diya_own_work_before(call.start - began);
    on_mapping(&call, DIYA_F_MUNMAP, file, bytes, diya_done(&call, returned), false, 0);
    return returned;
}
DIYA_EXPORT int __munmap(void *start, size_t bytes) __attribute__((alias("munmap")));

DIYA_EXPORT void *mremap(void *start, size_t bytes, size_t new_bytes, int flags, ...)
{
    __builtin_va_list arguments;
    __builtin_va_start(arguments, flags);
    void *new_start = (flags & MREMAP_FIXED) != 0 ? __builtin_va_arg(arguments, void *) : NULL;
    __builtin_va_end(arguments);
    struct diya_call call;
    uint32_t file = mapping_at(start);
    if (file == 0 || !diya_begin(&call))
        return DIYA_REAL(mremap)(start, bytes, new_bytes, flags, new_start);
    void *returned = DIYA_REAL(mremap)(start, bytes, new_bytes, flags, new_start);
    diya_returned(&call);
    if (returned != MAP_FAILED)
        diya_mapping_moved(start, returned, new_bytes);
    if (returned != MAP_FAILED && returned != start) {
        diya_handle_unbind(DIYA_HANDLE_MAPPING, (uintptr_t)start);
        diya_handle_bind(DIYA_HANDLE_MAPPING, (uintptr_t)returned, file);
    }
    int64_t done = returned == MAP_FAILED ? -(int64_t)call.saved_errno : 0;
    on_mapping(&call, DIYA_F_MREMAP, file, new_bytes, done, false, 0);
    return returned;
}

DIYA_EXPORT int msync(void *start, size_t bytes, int flags)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(msync)(start, bytes, flags);
    int returned = DIYA_REAL(msync)(start, bytes, flags);
    diya_returned(&call);
    on_mapping(&call, DIYA_F_MSYNC, mapping_at(start), bytes, diya_done(&call, returned), true, flags);
    return returned;
}

DIYA_EXPORT int madvise(void *start, size_t bytes, int advice)
{
    struct diya_call call;
    uint32_t file = mapping_at(start);
    if (file == 0 || !diya_begin(&call))
        return real_madvise(start, bytes, advice);
    int returned = real_madvise(start, bytes, advice);
    diya_returned(&call);
    on_mapping(&call, DIYA_F_MADVISE, file, bytes, diya_done(&call, returned), true, advice);
    return returned;
}
DIYA_EXPORT int __madvise(void *start, size_t bytes, int advice) __attribute__((alias("madvise")));

DIYA_EXPORT int posix_madvise(void *start, size_t bytes, int advice)
{
    struct diya_call call;
    uint32_t file = mapping_at(start);
    if (file == 0 || !diya_begin(&call))
        return DIYA_REAL(posix_madvise)(start, bytes, advice);
    int returned = DIYA_REAL(posix_madvise)(start, bytes, advice);
    diya_returned(&call);
    on_mapping(&call, DIYA_F_MADVISE, file, bytes, diya_done_code(returned), true, advice);
    return returned;
}
