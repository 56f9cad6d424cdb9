/* The libraries a process has loaded, to make sense of return addresses. */
#ifndef DIYA_MODULES_H
#define DIYA_MODULES_H

#include "state.h"

/* Writes the modules that came since the last time, if one of these addresses
 * is in none that is known. Takes no lock of the linker. Inside diya_enter. */
DIYA_HIDDEN void diya_modules_refresh(struct diya_thread *thread, const uint64_t *addresses, uint32_t count);

/* Whether this thread is inside dlclose, perhaps in a handler that interrupted it. */
DIYA_HIDDEN bool diya_is_unloading(void);

#endif
