/* The environment of a new program, where it cannot load the recorder.
 *
 * After chroot, in a container or as another user the library that LD_PRELOAD names may
 * be out of reach. The dynamic linker would then print an error in the program's name:
 * such a program gets its environment without the library. */
#ifndef DIYA_CHILD_ENVIRONMENT_H
#define DIYA_CHILD_ENVIRONMENT_H

#include "base.h"

/* How many pointers a changed copy takes, 0: it is handed on as it is. */
DIYA_HIDDEN size_t diya_handed_room(char *const environment[]);
DIYA_HIDDEN char *const *diya_child_environment(char *const environment[], char **vector, size_t room);

/* For functions that start a program with the environment of this process: puts another
 * in its place, and returns that to put back, or NULL. Not among threads, of which one
 * may be about to change it. */
DIYA_HIDDEN char **diya_lend_environment(char *const *handed);

/* Whether a program that starts now finds the library, and the folder of the segments. */
DIYA_HIDDEN bool diya_within_reach(char *const environment[]);

/* On the stack: another thread's or a vfork parent's memory must not be touched. */
#define HANDED_ON(environment)                                                                                         \
    size_t handed_room = diya_handed_room(environment);                                                                \
    char *handed_vector[handed_room + 1];                                                                              \
    char *const *handed = diya_child_environment(environment, handed_vector, handed_room)

#endif
