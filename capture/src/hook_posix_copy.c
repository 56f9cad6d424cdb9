/* POSIX: calls that move bytes from one descriptor to another. Each is a read
 * of the source and a write of the target, with the same times. */
#include "core.h"
#include "descriptors.h"
#include "posix.h"

#include <fcntl.h>
#include <sys/sendfile.h>
#include <unistd.h>

/* An offset given by address has moved by what was done, the implicit position
 * likewise. */
static int64_t offset_of(int fd, struct diya_descriptor descriptor, const off64_t *given, int64_t done, bool is_write)
{
    if (given != NULL)
        return *given - (done > 0 ? done : 0);
    return diya_descriptor_advance(fd, descriptor, done, is_write);
}

void posix_pair(struct diya_call *call, enum diya_function reading, enum diya_function writing, int from,
                const off64_t *from_offset, int to, const off64_t *to_offset, size_t bytes, ssize_t returned)
{
    int64_t done = diya_done(call, returned);
    bool is_readable = done != -EFAULT;
    struct diya_descriptor source = diya_descriptor_of(from);
    struct diya_descriptor target = diya_descriptor_of(to);
    struct diya_event event = DIYA_EVENT(reading);
    event.file = source.file;
    event.requested = bytes;
    event.done = done;
    event.offset = is_readable ? offset_of(from, source, from_offset, done, false) : -1;
    diya_also(call, &event);
    event.function = (uint16_t)writing;
    event.file = target.file;
    event.offset = is_readable ? offset_of(to, target, to_offset, done, true) : -1;
    diya_end(call, &event);
}

DIYA_EXPORT ssize_t copy_file_range(int from, off64_t *from_offset, int to, off64_t *to_offset, size_t bytes,
                                    unsigned flags)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(copy_file_range)(from, from_offset, to, to_offset, bytes, flags);
    ssize_t returned = DIYA_REAL(copy_file_range)(from, from_offset, to, to_offset, bytes, flags);
    diya_returned(&call);
    posix_pair(&call, DIYA_F_COPY_FILE_RANGE_READ, DIYA_F_COPY_FILE_RANGE_WRITE, from, from_offset, to, to_offset,
               bytes, returned);
    return returned;
}

DIYA_EXPORT ssize_t sendfile(int to, int from, off_t *offset, size_t bytes)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(sendfile)(to, from, offset, bytes);
    ssize_t returned = DIYA_REAL(sendfile)(to, from, offset, bytes);
    diya_returned(&call);
    posix_pair(&call, DIYA_F_SENDFILE_READ, DIYA_F_SENDFILE_WRITE, from, offset, to, NULL, bytes, returned);
    return returned;
}
DIYA_EXPORT ssize_t sendfile64(int to, int from, off_t *offset, size_t bytes) __attribute__((alias("sendfile")));

DIYA_EXPORT ssize_t splice(int from, off64_t *from_offset, int to, off64_t *to_offset, size_t bytes, unsigned flags)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(splice)(from, from_offset, to, to_offset, bytes, flags);
    ssize_t returned = DIYA_REAL(splice)(from, from_offset, to, to_offset, bytes, flags);
    diya_returned(&call);
    posix_pair(&call, DIYA_F_SPLICE_READ, DIYA_F_SPLICE_WRITE, from, from_offset, to, to_offset, bytes, returned);
    return returned;
}

DIYA_EXPORT ssize_t tee(int from, int to, size_t bytes, unsigned flags)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(tee)(from, to, bytes, flags);
    ssize_t returned = DIYA_REAL(tee)(from, to, bytes, flags);
    diya_returned(&call);
    posix_pair(&call, DIYA_F_TEE_READ, DIYA_F_TEE_WRITE, from, NULL, to, NULL, bytes, returned);
    return returned;
}
