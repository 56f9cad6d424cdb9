/* Where in the program a call was made. */
#ifndef DIYA_STACK_H
#define DIYA_STACK_H

#include "state.h"

DIYA_HIDDEN uint32_t diya_stack_of(struct diya_thread *thread, const void *return_address, uintptr_t frame);

#endif
