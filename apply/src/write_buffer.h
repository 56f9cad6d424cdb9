/* write_buffer: small writes that follow each other become large ones. */
#ifndef APPLY_WRITE_BUFFER_H
#define APPLY_WRITE_BUFFER_H

#include "descriptors.h"

struct apply_write {
    const void *from;
    size_t bytes;
    int64_t offset;
    bool is_explicit; /* pwrite: at `offset` */
};

/* True: the write is gathered. False: the caller makes it, after apply_before_write. */
APPLY_HIDDEN bool apply_gather(struct apply_descriptor *descriptor, const struct apply_write *write);
/* Issues what precedes a write that is not gathered. Returns an error to tell instead of it, or 0. */
APPLY_HIDDEN int apply_before_write(struct apply_descriptor *descriptor);
/* It was made, and wrote so many bytes. */
APPLY_HIDDEN void apply_wrote(struct apply_descriptor *descriptor, const struct apply_write *write, ssize_t done);
/* What lseek would return, if that is known without it; -1: not known. */
APPLY_HIDDEN int64_t apply_known_seek(struct apply_descriptor *descriptor, int64_t offset, int whence);

#endif
