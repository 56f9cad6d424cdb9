/* A thread of the program begins and ends. */
#ifndef DIYA_THREAD_H
#define DIYA_THREAD_H

#include "state.h"

DIYA_HIDDEN void diya_thread_reset(struct diya_thread *thread);
DIYA_HIDDEN void diya_thread_close(struct diya_thread *thread);

#endif
