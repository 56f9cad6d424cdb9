/* Where a thread's processor time goes between its calls. */
#ifndef DIYA_SAMPLES_H
#define DIYA_SAMPLES_H

#include "state.h"

/* Inside diya_enter, when thread->samples_due has passed: what came since the
 * last time becomes records. The first time it begins. */
DIYA_HIDDEN void diya_samples_take(struct diya_thread *thread, uint64_t now);
/* Between a begin and its end: since these ticks the recorder asks a library, such as HDF5, which
 * is no work of the program. */
DIYA_HIDDEN void diya_samples_own_work(uint64_t since);
/* The calling thread ends. */
DIYA_HIDDEN void diya_samples_thread_ends(struct diya_thread *thread);
/* The process ends: what all of its threads still have. */
DIYA_HIDDEN void diya_samples_end(struct diya_thread *thread);

#endif
