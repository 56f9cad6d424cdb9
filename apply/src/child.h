/* Whether this process is a child that shares the memory of the one that these tables belong to. */
#ifndef APPLY_CHILD_H
#define APPLY_CHILD_H

#include "settings.h"

/* The tables are this process's: at its start, and in a forked child. */
APPLY_HIDDEN void apply_watch_forked(void);
/* A child may share our memory, but has other descriptors: until it is gone, each of its calls
 * may be mistaken for ours. */
APPLY_HIDDEN void apply_watch_shared_memory_child(void);
/* This is such a child: what it does to its descriptors is nothing to ours. */
APPLY_HIDDEN bool apply_is_child_in_our_memory(void);

#endif
