/* What the POSIX hooks share: from the outcome of a call to its record. */
#ifndef DIYA_POSIX_H
#define DIYA_POSIX_H

#include "core.h"

#include <sys/uio.h>

/* read, write and the like at the implicit position. `data` is the program's
 * buffer, which is looked into where it begins; NULL: there is none. */
DIYA_HIDDEN void posix_implicit(struct diya_call *call, enum diya_function function, int fd, const void *data,
                                uint64_t bytes, int64_t returned, bool is_write);

/* pread, pwrite and the like at a given offset. */
DIYA_HIDDEN void posix_explicit(struct diya_call *call, enum diya_function function, int fd, const void *data,
                                uint64_t bytes, int64_t offset, int64_t returned);

/* Calls on a descriptor or a path that move no data. */
DIYA_HIDDEN void posix_on_fd(struct diya_call *call, enum diya_function function, int fd, int64_t done);
DIYA_HIDDEN void posix_on_fd_aux(struct diya_call *call, enum diya_function function, int fd, int64_t done,
                                 uint64_t aux);
DIYA_HIDDEN void posix_on_path(struct diya_call *call, enum diya_function function, int dirfd, const char *path,
                               enum diya_name_kind kind, int64_t done);
DIYA_HIDDEN void posix_on_path_aux(struct diya_call *call, enum diya_function function, int dirfd, const char *path,
                                   enum diya_name_kind kind, int64_t done, uint64_t aux);
DIYA_HIDDEN void posix_on_two_paths(struct diya_call *call, enum diya_function function, int dirfd, const char *path,
                                    int dirfd2, const char *path2, int64_t done);

/* A read of one descriptor and a write of another in one call. */
DIYA_HIDDEN void posix_pair(struct diya_call *call, enum diya_function reading, enum diya_function writing, int from,
                            const off64_t *from_offset, int to, const off64_t *to_offset, size_t bytes,
                            ssize_t returned);

/* A call that made a descriptor. */
DIYA_HIDDEN void posix_opened(struct diya_call *call, enum diya_function function, int dirfd, const char *path,
                              int flags, int fd);

/* Bytes that a vector asks for. 0 if the kernel could not read it either. */
DIYA_HIDDEN uint64_t posix_vector_bytes(const struct iovec *vector, int count, int64_t done);

/* Success (0) or -errno of a call whose result is not a number of bytes. */
static inline int64_t posix_outcome(const struct diya_call *call, int64_t returned)
{
    return returned == -1 ? -(int64_t)call->saved_errno : 0;
}

#endif
