/* Which files may have gathered writes. */
#ifndef APPLY_WATCH_H
#define APPLY_WATCH_H

#include "descriptors.h"

/* A descriptor that the program opened by a path (NULL: none is known), or got otherwise with
 * `flags` -1. `caller` opened it. */
APPLY_HIDDEN void apply_watch_opened(int fd, int flags, const char *path, const void *caller);
/* Others may do anything with open files that we do not see. */
APPLY_HIDDEN void apply_watch_nothing(const char *why);
/* False: reading it may wait for somebody. */
APPLY_HIDDEN bool apply_is_file(int fd);
/* Whether a watched descriptor may gather; then it does. */
APPLY_HIDDEN bool apply_may_gather(struct apply_descriptor *descriptor);
APPLY_HIDDEN void apply_gathered_little(struct apply_descriptor *descriptor);
/* One that gathered is closed. */
APPLY_HIDDEN void apply_gathering_over(void);

/* Absolute path of a descriptor's file; "" if there is none. */
enum { APPLY_PATH_ROOM = 4096 };
APPLY_HIDDEN const char *apply_path_of_fd(int fd, char *room);

#endif
