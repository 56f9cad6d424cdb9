/* Programs that this process starts, and what speaks against a recording of them. */
#ifndef DIYA_STARTED_H
#define DIYA_STARTED_H

#include "base.h"

/* Whether `name` is looked for in the folders of PATH. */
enum diya_search { DIYA_AS_PATH = 0, DIYA_IN_PATH = 1 };

/* The new program of process `pid` (0: not known). Within a call. A program that
 * cannot be opened is none: nothing is written. */
DIYA_HIDDEN void diya_started(uint32_t pid, const char *name, enum diya_search search, char *const environment[]);

/* The process did not become that program after all. */
DIYA_HIDDEN void diya_not_started(uint32_t pid);

/* A forked child goes on as the same program. */
DIYA_HIDDEN void diya_started_child(uint32_t pid);

/* A process that this one started has ended: its status as of waitpid, or DIYA_NO_STATUS. */
#define DIYA_NO_STATUS (-1)
DIYA_HIDDEN void diya_child_ended(uint32_t pid, uint64_t ticks, int status);

/* Makes the call SYS_wait4 or SYS_waitid, and notes which process ended. */
DIYA_HIDDEN long diya_waiting(long number, long a, long b, long c, long d, long e);

/* The shell of system and popen, whose process id is not known: the number that stands
 * for it. */
DIYA_HIDDEN uint32_t diya_started_shell(uint64_t ticks);

#endif
