/* Writes records into the window of the calling thread, and takes new windows.
 *
 * The tag is stored last: a reader that finds the process killed in the middle
 * of a record sees a 0 and stops before it. Records of calls are those of call.c.
 */
#include "record.h"
#include "counters.h"
#include "segment.h"
#include "settings.h"
#include "state.h"

#include <string.h>

#define FIRST_WINDOW_BYTES (64u * 1024u)
#define LONGEST_OTHER_BYTES (32u * 1024u)
/* After a failure to get a window the next attempt comes this many calls
 * later, then twice as many: a failing attempt costs microseconds. */
#define FIRST_RETRY_CALLS 4096u
#define LAST_RETRY_CALLS (1u << 20)

/* A window decodes by itself, so the predictions start empty in each. */
static DIYA_RARELY void forget_slots(struct diya_thread *thread)
{
    memset(thread->slots, 0, sizeof thread->slots);
    thread->last_slot = DIYA_SLOTS;
    thread->last_start = thread->records.header->base_ticks;
    diya_run_ends(thread);
}

static void window_taken(struct diya_thread *thread, const struct diya_window *next)
{
    diya_window_close(&thread->records, false);
    thread->records = *next;
    thread->retry_in = thread->retry_after = 0;
    forget_slots(thread);
}

/* From now on calls are counted. The old window stays: names may still fit. */
static DIYA_RARELY void stop_recording(struct diya_thread *thread, enum diya_window_result result)
{
    thread->recording = DIYA_COUNTING;
    thread->dropped_reason = result == DIYA_WINDOW_CAP ? DIYA_DROPPED_CAP : DIYA_DROPPED_SPACE;
    if (thread->retry_after == 0)
        thread->retry_after = FIRST_RETRY_CALLS;
    else if (thread->retry_after < LAST_RETRY_CALLS)
        thread->retry_after *= 2;
    thread->retry_in = result == DIYA_WINDOW_CAP ? DIYA_NEVER_RETRY : thread->retry_after;
}

bool diya_record_window(struct diya_thread *thread)
{
    uint32_t bytes = thread->records.header == NULL ? FIRST_WINDOW_BYTES : diya_settings.window_bytes;
    diya_run_ends(thread);
    struct diya_window next;
    enum diya_window_result result = diya_window_take(thread, &next, DIYA_WINDOW_RECORDS, bytes);
    if (result == DIYA_WINDOW_SPACE)
        diya_counters_reserve(thread); /* before the last of the room goes into records */
    if (result == DIYA_WINDOW_SPACE && bytes > FIRST_WINDOW_BYTES)
        result = diya_window_take(thread, &next, DIYA_WINDOW_RECORDS, FIRST_WINDOW_BYTES);
    if (result != DIYA_WINDOW_TAKEN) {
        stop_recording(thread, result);
        return false;
    }
    window_taken(thread, &next);
    if (diya_settings.mode == DIYA_MODE_TRACE)
        thread->recording = DIYA_RECORDING;
    return true;
}

/* Counters need the names of their files: these may go a little beyond the cap. */
static DIYA_RARELY bool next_name_window(struct diya_thread *thread)
{
    if (thread->retry_in > 0 && thread->dropped_reason != DIYA_DROPPED_CAP)
        return false;
    struct diya_window next;
    if (diya_window_take(thread, &next, DIYA_WINDOW_NAMES, FIRST_WINDOW_BYTES) != DIYA_WINDOW_TAKEN)
        return false;
    uint32_t retry_in = thread->retry_in;
    window_taken(thread, &next);
    thread->retry_in = retry_in;
    return true;
}

static bool has_room(struct diya_thread *thread, size_t bytes)
{
    if (thread->records.header != NULL && thread->records.cursor + bytes < thread->records.end)
        return true;
    return thread->recording == DIYA_RECORDING ? diya_record_window(thread) || next_name_window(thread)
                                               : next_name_window(thread);
}

uint8_t *diya_record_other(struct diya_thread *thread, enum diya_record_tag tag, const void *head, size_t head_bytes,
                           const void *rest, size_t rest_bytes)
{
    size_t length = head_bytes + rest_bytes;
    if (length > LONGEST_OTHER_BYTES || !has_room(thread, length + 16))
        return NULL;
    uint8_t *start = thread->records.cursor;
    uint8_t *to = diya_varint_to(start + 1, length);
    memcpy(to, head, head_bytes);
    if (rest_bytes > 0)
        memcpy(to + head_bytes, rest, rest_bytes);
    diya_run_ends(thread);
    thread->records.cursor = to + length;
    __atomic_store_n(start, (uint8_t)tag, __ATOMIC_RELEASE);
    return to + length;
}

void diya_room_reserve(struct diya_thread *thread)
{
    diya_counters_reserve(thread);
    has_room(thread, 1);
    if (diya_settings.mode == DIYA_MODE_TRACE &&
        __atomic_exchange_n(&diya_process->has_spare, 1, __ATOMIC_RELAXED) == 0)
        diya_segment_spare();
}
