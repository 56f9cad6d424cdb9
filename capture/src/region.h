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

/* Of a thread that ends: what it has not ended itself. */
DIYA_HIDDEN void diya_regions_end(struct diya_thread *thread);

#endif
