/* Files in memory: what of them was touched, and when it had to be fetched. */
#ifndef DIYA_MAPPING_H
#define DIYA_MAPPING_H

#include "base.h"

/* Between diya_begin and diya_end of the hook. */
DIYA_HIDDEN void diya_mapping_began(const struct diya_call *call, const void *start, const struct diya_event *event);
/* Before the memory goes: afterwards nothing can be asked. */
DIYA_HIDDEN void diya_mapping_ends(const void *start);
DIYA_HIDDEN void diya_mapping_moved(const void *start, const void *new_start, size_t new_bytes);
/* The process ends with what is still mapped. */
DIYA_HIDDEN void diya_mappings_end(void);

#endif
