/* What the kernel counts for this process. */
#ifndef DIYA_WITNESS_H
#define DIYA_WITNESS_H

#include "state.h"

DIYA_HIDDEN void diya_witness_take(struct diya_witness *witness);
DIYA_HIDDEN void diya_witness_refresh(struct diya_process *process);
/* System calls of the recorder, which are not the program's. */
DIYA_HIDDEN void diya_own_read(long bytes);
DIYA_HIDDEN void diya_own_write(long bytes);

/* The work of the recorder for a call is timed where these bits of the time of the call
 * are 0, whatever the program repeats. The lowest bits are of no use: some clocks count
 * in steps. */
#define DIYA_TIMED_CALLS ((DIYA_CALLS_OF_OWN_WORK - 1u) << 4)
DIYA_HIDDEN DIYA_RARELY void diya_time_own_work(const struct diya_call *call);
DIYA_HIDDEN void diya_own_work(uint64_t ticks);
/* Work for a timed call that came before the call. */
DIYA_HIDDEN void diya_own_work_before(uint64_t ticks);

#endif
