/* Communicators of messages, and windows of one-sided ones. */
#ifndef DIYA_HOOK_MESSAGE_GROUP_H
#define DIYA_HOOK_MESSAGE_GROUP_H

#include "base.h"

/* The number under which its record stands, made at the first use; 0: none. With
 * `sequence`, also the number of this collective call. */
DIYA_HIDDEN uint32_t diya_communicator(uintptr_t handle, bool is_window, uint32_t *sequence, const void *caller);
/* One that a call has made, in the order in which all its ranks make them. */
DIYA_HIDDEN void diya_communicator_made(uintptr_t handle, bool is_window, const void *caller);
DIYA_HIDDEN void diya_communicator_forget(uintptr_t handle, bool is_window, const void *caller);
DIYA_HIDDEN uint32_t diya_communicator_size(uintptr_t handle, const void *caller);

#endif
