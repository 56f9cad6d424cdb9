/* State of a thread. */
#include "thread.h"
#include "counters.h"
#include "descriptors.h"
#include "heatmap.h"
#include "message_count.h"
#include "region_record.h"
#include "removed.h"
#include "samples.h"
#include "segment.h"
#include "settings.h"
#include "state.h"

#include <string.h>

void diya_thread_reset(struct diya_thread *thread)
{
    memset(thread, 0, offsetof(struct diya_thread, cwd));
    thread->last_slot = DIYA_SLOTS;
    thread->until_clock = DIYA_CALLS_PER_CLOCK_POINT;
    thread->recording = diya_settings.mode == DIYA_MODE_TRACE ? DIYA_RECORDING : DIYA_COUNTING;
}

void diya_thread_close(struct diya_thread *thread)
{
    diya_calls_passed(thread);
    diya_samples_thread_ends(thread);
    diya_regions_end(thread);
    diya_message_counts_write(thread);
    diya_descriptors_thread_ends(thread);
    diya_heat_flush(thread);
    diya_window_close(&thread->records, true);
    diya_window_close(&thread->counter_window, true);
    if (thread->counter_table != NULL)
        diya_counters_end(thread);
}
