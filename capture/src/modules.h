/* The libraries a process has loaded, to make sense of return addresses. */
#ifndef DIYA_MODULES_H
#define DIYA_MODULES_H

#include "internal.h"

/* Writes the modules that came since the last time. Inside diya_enter. */
DIYA_HIDDEN void diya_modules_refresh(struct diya_thread *thread);

#endif
