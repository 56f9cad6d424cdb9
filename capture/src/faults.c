/* Major page faults of a thread: when, and at which address. */
#include "faults.h"
#include "perf.h"

#define MAX_PAGES 64u

struct diya_perf_ring *diya_faults_open(void)
{
    struct perf_event_attr event = {
        .config = PERF_COUNT_SW_PAGE_FAULTS_MAJ,
        .sample_period = 1,
        .sample_type = PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR,
    };
    return diya_perf_open(&event, MAX_PAGES);
}

static void take_record(void *context, const struct diya_perf_record *record)
{
    void (*take)(uint64_t mono_ns, uint64_t address) = *(void (**)(uint64_t, uint64_t))context;
    if (record->type == PERF_RECORD_SAMPLE)
        take(record->word[0], record->word[1]);
}

void diya_faults_drain(struct diya_perf_ring *ring, void (*take)(uint64_t mono_ns, uint64_t address))
{
    diya_perf_drain(ring, take_record, &take);
}
