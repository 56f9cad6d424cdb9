/* One process: from its first call to its end. */
#ifndef DIYA_PROCESS_H
#define DIYA_PROCESS_H

#include "base.h"

/* No call more, of this thread or of all: the clock must not be read. */
DIYA_HIDDEN void diya_recording_ended(bool of_all_threads);

/* Of diya_begin (core.h): a thread that may not record at once, and frames that a jump left. */
DIYA_HIDDEN DIYA_RARELY bool diya_begin_slow(uintptr_t frame);
DIYA_HIDDEN DIYA_RARELY void diya_unwound(uintptr_t frame);

#endif
