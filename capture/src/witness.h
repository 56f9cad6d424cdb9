/* What the kernel counts for this process. */
#ifndef DIYA_WITNESS_H
#define DIYA_WITNESS_H

#include "state.h"

DIYA_HIDDEN void diya_witness_take(struct diya_witness *witness);
DIYA_HIDDEN void diya_witness_refresh(struct diya_process *process);
/* System calls of the recorder, which are not the program's. */
DIYA_HIDDEN void diya_own_read(long bytes);
DIYA_HIDDEN void diya_own_write(long bytes);

#endif
