/* Regions, steps, epochs and notes: what the program says with diya.h. */
#ifndef DIYA_REGION_H
#define DIYA_REGION_H

#include "state.h"

/* As diya.h says; texts are copied. */
DIYA_EXPORT void diya_annotate_region_begin(const char *name);
DIYA_EXPORT void diya_annotate_region_end(void);
DIYA_EXPORT void diya_annotate_step(int64_t number);
DIYA_EXPORT void diya_annotate_epoch(int64_t number);
DIYA_EXPORT void diya_annotate_note(const char *text);

/* A region that is ended by its key, wherever it stands among the open ones of its thread; an end
 * without a begin does nothing. */
DIYA_HIDDEN void diya_keyed_region_begin(const char *name, uint64_t key);
DIYA_HIDDEN void diya_keyed_region_end(uint64_t key);

#endif
