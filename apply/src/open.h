/* What is done when the program opens a file. */
#ifndef APPLY_OPEN_H
#define APPLY_OPEN_H

#include "settings.h"

/* Before: what is gathered can be seen through the new descriptor. Returns the flags to open with. */
APPLY_HIDDEN int apply_before_open(int dirfd, const char *path, int flags);
/* After. `caller` opened it; NULL: a stream did, whose writes are not seen. */
APPLY_HIDDEN void apply_opened(int fd, int dirfd, const char *path, int flags, const void *caller);
/* A path as it is recorded: absolute, without "." , ".." and double slashes, by the text alone. */
APPLY_HIDDEN const char *apply_absolute_path(int dirfd, const char *path, char *room);

#endif
