/* A segment that somebody removes while its process runs. */
#ifndef DIYA_REMOVED_H
#define DIYA_REMOVED_H

#include "state.h"

/* Notes which folder a new segment is in. */
DIYA_HIDDEN void diya_segment_placed(struct diya_process *process);
/* Adds the calls since the last clock point of a thread to those of its process. */
DIYA_HIDDEN void diya_calls_passed(struct diya_thread *thread);
/* If the segment is gone, a new one takes its place, with a header that says what was lost. */
DIYA_HIDDEN void diya_segment_look(struct diya_process *process);

#endif
