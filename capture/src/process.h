/* One process: from its first call to its end. */
#ifndef DIYA_PROCESS_H
#define DIYA_PROCESS_H

#include "core.h"

/* No call more, of this thread or of all: the clock must not be read. */
DIYA_HIDDEN void diya_recording_ended(bool of_all_threads);

#endif
