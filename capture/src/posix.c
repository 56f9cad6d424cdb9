/* Records of POSIX calls. */
#include "posix.h"
#include "content.h"
#include "descriptors.h"
#include "open_flags.h"
#include "paths.h"

#include <fcntl.h>

/* The flags of its descriptor that decide what a transfer costs. */
static inline void note_flags(struct diya_event *event, struct diya_descriptor descriptor)
{
    uint32_t flags = descriptor.flags & DIYA_FD_COSTLY;
    if (__builtin_expect(flags != 0, 0)) {
        event->has_aux = true;
        event->aux = diya_recorded_open_flags(flags);
    }
}

DIYA_OFTEN void posix_implicit(struct diya_call *call, enum diya_function function, int fd, const void *data,
                               uint64_t bytes, int64_t returned, bool is_write)
{
    struct diya_descriptor descriptor = diya_descriptor_quickly(fd);
    struct diya_event event = DIYA_EVENT(function);
    event.file = descriptor.file;
    event.requested = bytes;
    event.done = diya_done(call, returned);
    event.offset = diya_descriptor_advance(fd, descriptor, returned, is_write);
    note_flags(&event, descriptor);
    diya_content(event.file, data, returned);
    diya_end(call, &event);
}

DIYA_OFTEN void posix_explicit(struct diya_call *call, enum diya_function function, int fd, const void *data,
                               uint64_t bytes, int64_t offset, int64_t returned)
{
    struct diya_descriptor descriptor = diya_descriptor_quickly(fd);
    struct diya_event event = DIYA_EVENT(function);
    event.file = descriptor.file;
    event.requested = bytes;
    event.done = diya_done(call, returned);
    event.offset = offset;
    note_flags(&event, descriptor);
    diya_content(event.file, data, returned);
    diya_end(call, &event);
}

void posix_on_fd(struct diya_call *call, enum diya_function function, int fd, int64_t done)
{
    struct diya_event event = DIYA_EVENT(function);
    event.file = diya_descriptor_of(fd).file;
    event.done = done;
    diya_end(call, &event);
}

void posix_on_fd_aux(struct diya_call *call, enum diya_function function, int fd, int64_t done, uint64_t aux)
{
    struct diya_event event = DIYA_EVENT(function);
    event.file = diya_descriptor_of(fd).file;
    event.done = done;
    event.has_aux = true;
    event.aux = aux;
    diya_end(call, &event);
}

/* A path that the kernel could not read is not read here either. Without a
 * path some calls (utimensat) mean the descriptor itself. */
static uint32_t file_of(int dirfd, const char *path, enum diya_name_kind kind, int64_t done)
{
    if (done == -EFAULT)
        return 0;
    if (path == NULL)
        return dirfd >= 0 ? diya_file_of_fd(dirfd) : 0;
    return diya_file_at(dirfd, path, kind);
}

void posix_on_path(struct diya_call *call, enum diya_function function, int dirfd, const char *path,
                   enum diya_name_kind kind, int64_t done)
{
    struct diya_event event = DIYA_EVENT(function);
    event.file = file_of(dirfd, path, kind, done);
    event.done = done;
    diya_end(call, &event);
}

void posix_on_path_aux(struct diya_call *call, enum diya_function function, int dirfd, const char *path,
                       enum diya_name_kind kind, int64_t done, uint64_t aux)
{
    struct diya_event event = DIYA_EVENT(function);
    event.file = file_of(dirfd, path, kind, done);
    event.done = done;
    event.has_aux = true;
    event.aux = aux;
    diya_end(call, &event);
}

void posix_on_two_paths(struct diya_call *call, enum diya_function function, int dirfd, const char *path, int dirfd2,
                        const char *path2, int64_t done)
{
    struct diya_event event = DIYA_EVENT(function);
    event.file = file_of(dirfd, path, DIYA_NAME_FILE, done);
    event.file2 = file_of(dirfd2, path2, DIYA_NAME_FILE, done);
    event.done = done;
    diya_end(call, &event);
}

DIYA_OFTEN void posix_opened(struct diya_call *call, enum diya_function function, int dirfd, const char *path,
                             int flags, int fd)
{
    struct diya_event event = DIYA_EVENT(function);
    event.done = posix_outcome(call, fd);
    if ((flags & O_TMPFILE) == O_TMPFILE && fd >= 0) {
        diya_descriptor_closed(fd); /* the path is a directory; the file has no name */
        event.file = diya_file_of_fd(fd);
    } else if (path != NULL && event.done != -EFAULT) {
        event.file = diya_file_opened(dirfd, path, fd);
        diya_descriptor_opened(fd, event.file, flags);
    }
    event.has_aux = true;
    event.aux = diya_recorded_open_flags((unsigned)flags);
    diya_end(call, &event);
}

uint64_t posix_vector_bytes(const struct iovec *vector, int count, int64_t done)
{
    uint64_t bytes = 0;
    if (vector == NULL || done == -EFAULT || count < 0 || count > 1024 /* IOV_MAX */)
        return 0;
    for (int i = 0; i < count; i++)
        bytes += vector[i].iov_len;
    return bytes;
}
