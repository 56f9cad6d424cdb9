/* Where the state of the recorder begins. */
#include "state.h"

_Thread_local struct diya_tls diya_tls = {.generation = DIYA_GENERATION_NEW};

static const uint64_t no_generation = 2;
const uint64_t diya_ended_generation = DIYA_GENERATION_ENDED + 1; /* that of no thread */
const uint64_t *diya_generation = &no_generation;
struct diya_process *diya_process;

/* Calls lost while there was no segment to count them in. */
static uint64_t pending_dropped[DIYA_DROPPED_REASONS];

void diya_count_dropped(enum diya_dropped reason, uint64_t calls)
{
    struct diya_process *process = diya_process;
    if (process != NULL && __atomic_load_n(&process->generation, __ATOMIC_ACQUIRE) != 0 && process->header != NULL)
        __atomic_fetch_add(&process->header->dropped[reason], calls, __ATOMIC_RELAXED);
    else
        __atomic_fetch_add(&pending_dropped[reason], calls, __ATOMIC_RELAXED);
}

void diya_count_pending(struct diya_segment_header *header)
{
    for (int reason = 0; reason < (int)DIYA_DROPPED_REASONS; reason++)
        header->dropped[reason] = __atomic_exchange_n(&pending_dropped[reason], 0, __ATOMIC_RELAXED);
}

uint64_t diya_pause(void)
{
    uint64_t generation = diya_tls.generation;
    if (generation != DIYA_GENERATION_BUSY)
        diya_tls.generation = DIYA_GENERATION_PAUSED;
    return generation;
}

void diya_resume(uint64_t paused)
{
    diya_tls.generation = paused;
}
