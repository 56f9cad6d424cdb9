/* Memory of what is gathered: given back by one descriptor, it is for the next. */
#ifndef APPLY_MEMORY_H
#define APPLY_MEMORY_H

#include "settings.h"

/* NULL: all that may be used is in use. */
APPLY_HIDDEN char *apply_take_memory(uint32_t room);
APPLY_HIDDEN void apply_leave_memory(char *memory, uint32_t room);
/* In a forked child: another thread of the parent may have held the lock. */
APPLY_HIDDEN void apply_memory_forked(void);

#endif
