/* Regions, steps, epochs and notes: what the program says with diya.h. */
#ifndef DIYA_REGION_H
#define DIYA_REGION_H

#include "state.h"

/* Of a thread that ends: what it has not ended itself. */
DIYA_HIDDEN void diya_regions_end(struct diya_thread *thread);

#endif
