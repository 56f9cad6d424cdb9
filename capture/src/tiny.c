/* Joins tiny calls (tiny.h) into runs. A run is a sequence of calls of one function on one stream;
 * it has one record in the trace instead of one for each call. Most calls of a run are not timed:
 * diya_tiny_add adds them. This file ends the calls that are timed. */
#include "tiny.h"
#include "counters.h"
#include "record.h"
#include "samples.h"
#include "settings.h"
#include "stack.h"
#include "state.h"
#include "witness.h"

#include <string.h>

/* Calls that have records of their own before a run begins. A run record (74 bytes) costs more
 * than it saves if only two calls follow each other. */
#define CALLS_BEFORE_RUN 2u

uint32_t diya_streams_epoch;

static bool continues(const struct diya_tiny_run *run, const struct diya_call *call, const struct diya_event *event,
                      const void *stream)
{
    return run->stream == stream && run->function == event->function && run->depth == call->depth &&
           run->streams_epoch == diya_streams_epoch &&
           (run->return_address == NULL || run->return_address == call->return_address);
}

static bool is_tiny(const struct diya_call *call, const struct diya_event *event)
{
    return event->done >= 0 && (uint64_t)event->done == event->requested && event->requested <= DIYA_TINY_BYTES &&
           call->end - call->start <= diya_slow_ticks && !event->has_aux;
}

static void join(struct diya_tiny_run *run, const struct diya_call *call, const struct diya_event *event)
{
    diya_unaligned_run *record = (diya_unaligned_run *)run->record;
    record->bytes += (uint64_t)event->done;
    record->last_ticks = call->end;
    record->busy_ticks += call->end - call->start;
    record->timed_calls += 1;
    record->calls += 1;
}

static bool begin_run(struct diya_thread *thread, const struct diya_call *call, const struct diya_event *event)
{
    struct diya_run record = {
        .function = event->function,
        .file = event->file,
        .depth = call->depth,
        .first_ticks = call->start,
        .last_ticks = call->end,
        .busy_ticks = call->end - call->start,
        .calls = 1,
        .timed_calls = 1,
        .bytes = (uint64_t)event->done,
        .offset = event->offset,
    };
    if (diya_settings.has_stacks)
        record.stack = diya_stack_of(thread, call->return_address, (uintptr_t)call);
    if (thread->recording != DIYA_RECORDING)
        return false;
    uint8_t *record_end = diya_record_other(thread, DIYA_RUN, &record, sizeof record, NULL, 0);
    if (record_end == NULL || thread->recording != DIYA_RECORDING)
        return false;
    thread->run.record = (struct diya_run *)(record_end - sizeof record);
    return true;
}

/* Stores what the next call must match to join the run. */
static void expect(struct diya_tiny_run *run, const struct diya_call *call, const struct diya_event *event,
                   const void *stream, int64_t *position, uint32_t repeats)
{
    run->stream = stream;
    run->function = event->function;
    run->depth = call->depth;
    run->return_address = diya_settings.has_stacks ? call->return_address : NULL;
    run->streams_epoch = diya_streams_epoch;
    run->position = position;
    run->repeats = repeats;
    run->counters = NULL;
    run->bytes = UINT64_MAX; /* the size of no call, so that the next one sets it */
    run->until_timed = 0;
}

/* In the profile mode (counters only, no records of calls), finds the counters to which untimed
 * calls are added. */
static void expect_counted(struct diya_thread *thread, const struct diya_event *event)
{
    enum diya_op op = (enum diya_op)diya_function_op[event->function];
    if (diya_settings.mode != DIYA_MODE_PROFILE || thread->run.position == NULL || event->done < 0 ||
        (op != DIYA_OP_READ && op != DIYA_OP_WRITE))
        return;
    enum diya_layer layer = (enum diya_layer)diya_function_layer[event->function];
    thread->run.counters = diya_counters_of(thread, event->file, layer);
    if (thread->run.counters != NULL)
        thread->run.until_timed = DIYA_TINY_UNTIMED;
}

static bool try_join(struct diya_thread *thread, const struct diya_call *call, const struct diya_event *event,
                     const void *stream, int64_t *position)
{
    struct diya_tiny_run *run = &thread->run;
    if (!is_tiny(call, event) || !continues(run, call, event, stream))
        return false;
    if (run->record != NULL)
        join(run, call, event);
    else if (run->repeats < CALLS_BEFORE_RUN || !begin_run(thread, call, event))
        return false;
    expect(run, call, event, stream, position, CALLS_BEFORE_RUN);
    run->until_timed = DIYA_TINY_UNTIMED;
    return true;
}

/* Counts a timed call that starts at the offset where the last call of the run ended. Its time is
 * added to the counters now; its number and bytes are added together with those of the untimed
 * calls. */
static bool count_joined(struct diya_tiny_run *run, const struct diya_call *call, const struct diya_event *event)
{
    struct diya_counters *counters = run->counters;
    enum diya_op op = (enum diya_op)diya_function_op[event->function];
    struct diya_transfer_counters *transfers = diya_transfers_of(counters, op);
    int64_t next = transfers->last_byte + 1;
    if (!is_tiny(call, event) || diya_repeats_calls(counters->repeats) >= DIYA_TINY_UNTIMED ||
        event->offset != next + (int64_t)diya_repeats_bytes(counters->repeats))
        return false;
    uint64_t elapsed = call->end - call->start;
    diya_count_slowest(transfers, (uint64_t)event->done, elapsed);
    counters->ops[op].ticks += elapsed;
    counters->ops[op].last_ticks = call->end;
    diya_count_tiny(run, (uint64_t)event->done);
    return true;
}

/* Ends a timed call of a thread that counts calls and does not record them. There are no run
 * records then, but the calls that follow may be counted without being timed. */
static void count_timed(struct diya_thread *thread, struct diya_call *call, const struct diya_event *event,
                        const void *stream, int64_t *position)
{
    uint64_t generation = diya_enter();
    bool goes_on = thread->run.counters != NULL && continues(&thread->run, call, event, stream);
    bool joined = goes_on && count_joined(&thread->run, call, event);
    if (joined) {
        thread->run.until_timed = DIYA_TINY_UNTIMED;
        if ((call->end & DIYA_TIMED_CALLS) == 0)
            diya_time_own_work(call);
    }
    diya_leave(generation);
    if (joined) {
        diya_tls.depth = call->depth;
        errno = call->saved_errno;
        return;
    }
    diya_end(call, event);
    if (event->requested > DIYA_TINY_BYTES || diya_tls.generation != diya_generation_now())
        return;
    generation = diya_enter();
    if (goes_on && event->done >= 0 && thread->run.stream == stream) {
        thread->run.until_timed = DIYA_TINY_UNTIMED;
    } else {
        thread->run.record = NULL;
        expect(&thread->run, call, event, stream, position, 1);
        expect_counted(thread, event);
    }
    diya_leave(generation);
}

void diya_end_tiny(struct diya_call *call, const struct diya_event *event, const void *stream, int64_t *position)
{
    struct diya_thread *thread = diya_tls.thread;
    if (diya_tls.generation != diya_generation_now()) {
        diya_end(call, event);
        return;
    }
    if (thread->recording != DIYA_RECORDING) {
        count_timed(thread, call, event, stream, position);
        return;
    }
    uint64_t generation = diya_enter();
    struct diya_tiny_run before = thread->run;
    bool joined = try_join(thread, call, event, stream, position);
    if (joined && diya_settings.has_stacks && call->end >= thread->samples_due)
        diya_samples_take(thread, call->end); /* writes records, which ends the run */
    if (joined && (call->end & DIYA_TIMED_CALLS) == 0)
        diya_time_own_work(call);
    diya_leave(generation);
    if (joined) {
        diya_tls.depth = call->depth;
        errno = call->saved_errno;
        return;
    }
    diya_end(call, event);
    if (event->requested > DIYA_TINY_BYTES || diya_tls.generation != diya_generation_now())
        return;
    /* A slow call, such as one that flushes the stream, has a record of its own. If it continues
     * a run, the next call begins a new run record without waiting for a third call. */
    bool went_on = continues(&before, call, event, stream);
    uint32_t repeats = went_on ? (before.record != NULL ? CALLS_BEFORE_RUN : before.repeats + 1) : 1;
    generation = diya_enter();
    thread->run.record = NULL;
    expect(&thread->run, call, event, stream, position, repeats);
    diya_leave(generation);
}
