/* Which files may have gathered writes. */
#ifndef APPLY_WATCH_H
#define APPLY_WATCH_H

#include "descriptors.h"

/* A descriptor that the program opened by a path (NULL: none is known), or got otherwise with
 * `flags` -1. `caller` opened it. */
APPLY_HIDDEN void apply_watch_opened(int fd, int flags, const char *path, const void *caller);
/* The program maps the file. */
APPLY_HIDDEN void apply_watch_mapped(int fd, int protection, int flags);
/* The process gets descriptors that it did not open. */
APPLY_HIDDEN void apply_watch_received(void);
/* Others may do anything with open files that we do not see. */
APPLY_HIDDEN void apply_watch_nothing(const char *why);
/* MPI starts: its shared memory is its own matter, since its calls are hooked. */
APPLY_HIDDEN void apply_watch_mpi(void);
/* False: reading it may wait for somebody. */
APPLY_HIDDEN bool apply_is_file(int fd);
APPLY_HIDDEN void apply_watch_forked(void);
/* A child may share our memory, but has other descriptors: until it is gone, each of its calls
 * may be mistaken for ours. */
APPLY_HIDDEN void apply_watch_shared_memory_child(void);

/* Absolute path of a descriptor's file; "" if there is none. */
enum { APPLY_PATH_ROOM = 4096 };
APPLY_HIDDEN const char *apply_path_of_fd(int fd, char *room);

#endif
