/* Counts of messages of MPI, by function and communicator. Inside diya_enter. */
#ifndef DIYA_MESSAGE_COUNT_H
#define DIYA_MESSAGE_COUNT_H

#include "state.h"

/* There was no room for them. */
DIYA_HIDDEN DIYA_RARELY void diya_messages_dropped(uint64_t calls);
/* Those of a thread that are in no record yet. */
DIYA_HIDDEN DIYA_RARELY void diya_message_counts_write(struct diya_thread *thread);
DIYA_HIDDEN void diya_message_count(struct diya_thread *thread, uint32_t function, uint32_t communicator,
                                    uint64_t ticks, uint64_t bytes);

#endif
