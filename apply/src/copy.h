/* Copies what the program hands to write. An address that cannot be read makes write fail with
 * EFAULT, so it may not end the program here. */
#ifndef APPLY_COPY_H
#define APPLY_COPY_H

#include "settings.h"

#include <stddef.h>

APPLY_HIDDEN bool apply_copy(void *to, const void *from, size_t bytes);

/* Whether `signal` has a handler that asks apply_copy_failed: with both faults of memory, no probe is needed. */
APPLY_HIDDEN void apply_copy_is_caught(int signal, bool has);
/* For that handler (signals.c): whether the fault is one of apply_copy, which then fails when
 * the handler returns. */
APPLY_HIDDEN bool apply_copy_failed(void *context);

#endif
