/* What a thread leaves open when it ends, and regions that found no room. */
#include "region_record.h"
#include "settings.h"

/* In a trace: a profile has no regions on purpose. */
void diya_region_dropped(void)
{
    if (diya_settings.mode == DIYA_MODE_TRACE)
        __atomic_fetch_add(&diya_process->header->regions_dropped, 1, __ATOMIC_RELAXED);
}

void diya_regions_end(struct diya_thread *thread)
{
    bool is_open =
        thread->region_depth > 0 || thread->step.region.start_ticks != 0 || thread->epoch.region.start_ticks != 0;
    if (!is_open)
        return;
    uint64_t now = diya_ticks();
    for (uint32_t i = thread->region_depth < DIYA_OPEN_REGIONS ? thread->region_depth : DIYA_OPEN_REGIONS; i > 0; i--)
        diya_region_end(thread, &thread->open_regions[i - 1], now);
    thread->region_depth = 0;
    diya_region_turn(thread, &thread->step, DIYA_KIND_STEP, DIYA_NO_NUMBER, now);
    diya_region_turn(thread, &thread->epoch, DIYA_KIND_EPOCH, DIYA_NO_NUMBER, now);
}
