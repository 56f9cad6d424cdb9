/* Tiny calls: fputc takes 3 ns; to record it alone would take ten times as long.
 *
 * Calls of at most 512 bytes that follow each other on the same stream with
 * the same function are joined into one record. In this file, `run` is such a series
 * of calls, not an execution of a program. It is updated in place, so
 * that no call is lost if the process is killed. A slow call (one that flushes
 * the stream's buffer) has a record of its own.
 *
 * A call that the stream's buffer is sure to satisfy does no I/O. Only one in
 * 64 of these calls is timed.
 */
#ifndef DIYA_TINY_H
#define DIYA_TINY_H

#include "counters.h"
#include "state.h"

#define DIYA_TINY_BYTES 512u
#define DIYA_TINY_UNTIMED 63u

typedef struct diya_run diya_unaligned_run __attribute__((aligned(1)));

/* Number of times that a stream was closed or got another descriptor. A new stream may have the
 * address of a closed one. */
extern DIYA_HIDDEN uint32_t diya_streams_epoch;

/* Ends a timed call on a stream: like diya_end, but the call may join a run. `position` is that of
 * the stream, or NULL; later calls of the run that are not timed add their bytes to it. */
DIYA_HIDDEN void diya_end_tiny(struct diya_call *call, const struct diya_event *event, const void *stream,
                               int64_t *position);

/* Whether a call that does no I/O may join the run without being timed. */
static inline __attribute__((always_inline)) bool diya_tiny_joins(const void *stream, uint32_t function)
{
    if (__builtin_expect(diya_tls.generation != diya_generation_now(), 0))
        return false;
    const struct diya_tiny_run *run = &diya_tls.thread->run;
    return run->stream == stream && run->function == function && run->until_timed > 0 && run->depth == diya_tls.depth &&
           run->streams_epoch == diya_streams_epoch &&
           (run->return_address == NULL || run->return_address == __builtin_return_address(0));
}

/* Adds one call to the run, which a signal handler may have ended meanwhile. */
static inline __attribute__((always_inline)) void diya_tiny_add(const void *stream, uint64_t bytes)
{
    struct diya_tiny_run *run = &diya_tls.thread->run;
    uint64_t generation = diya_enter();
    if (__builtin_expect(run->stream == stream && run->until_timed > 0, 1)) {
        diya_unaligned_run *record = (diya_unaligned_run *)run->record;
        if (__builtin_expect(record != NULL, 1)) {
            record->bytes += bytes;
            record->calls += 1;
        } else {
            diya_count_tiny(run, bytes);
        }
        run->until_timed--;
        if (run->position != NULL)
            *run->position += (int64_t)bytes;
    }
    diya_leave(generation);
}

#endif
