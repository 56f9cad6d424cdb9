/* Encodes records into the window of the calling thread.
 *
 * The layout is drawn in diya_trace.h. Example: the second of two writes of 64
 * bytes, one after the other, 300 ticks later, 250 ticks long:
 *
 *     7f  d8 04  fa 01
 *     |   |      duration 250
 *     |   start 300 after the start of the call before, zigzag
 *     same slot, consecutive, same size, all done, same stack
 *
 * The tag is stored last: a reader that finds the process killed in the middle
 * of a record sees a 0 and stops before it.
 */
#include "counters.h"
#include "samples.h"

#include <string.h>

#define FIRST_WINDOW_BYTES (64u * 1024u)
#define CALLS_PER_CLOCK_POINT 4096u
#define LONGEST_OTHER_BYTES (32u * 1024u)
/* After a failure to get a window the next attempt comes this many calls
 * later, then twice as many: a failing attempt costs microseconds. */
#define FIRST_RETRY_CALLS 4096u
#define LAST_RETRY_CALLS (1u << 20)
#define NEVER_RETRY UINT32_MAX

static inline uint8_t *put_varint(uint8_t *to, uint64_t value)
{
    while (value >= 0x80) {
        *to++ = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    *to++ = (uint8_t)value;
    return to;
}

static inline uint64_t zigzag(int64_t value)
{
    return ((uint64_t)value << 1) ^ (uint64_t)(value >> 63);
}

size_t diya_put_varint(uint8_t *to, uint64_t value)
{
    return (size_t)(put_varint(to, value) - to);
}

/* The next tiny call does not follow the last one of the run any more. */
static inline void end_run(struct diya_thread *thread)
{
    thread->run.stream = NULL;
    thread->run.record = NULL;
}

/* A window decodes by itself, so the predictions start empty in each. */
static DIYA_RARELY void forget_slots(struct diya_thread *thread)
{
    memset(thread->slots, 0, sizeof thread->slots);
    thread->last_slot = DIYA_SLOTS;
    thread->last_start = thread->records.header->base_ticks;
    end_run(thread);
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
    thread->retry_in = result == DIYA_WINDOW_CAP ? NEVER_RETRY : thread->retry_after;
}

static DIYA_RARELY bool next_window(struct diya_thread *thread)
{
    uint32_t bytes = thread->records.header == NULL ? FIRST_WINDOW_BYTES : diya_settings.window_bytes;
    end_run(thread);
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
    return thread->recording == DIYA_RECORDING ? next_window(thread) || next_name_window(thread)
                                               : next_name_window(thread);
}

uint8_t *diya_record_other(struct diya_thread *thread, enum diya_record_tag tag, const void *head, size_t head_bytes,
                           const void *rest, size_t rest_bytes)
{
    size_t length = head_bytes + rest_bytes;
    if (length > LONGEST_OTHER_BYTES || !has_room(thread, length + 16))
        return NULL;
    uint8_t *start = thread->records.cursor;
    uint8_t *to = put_varint(start + 1, length);
    memcpy(to, head, head_bytes);
    if (rest_bytes > 0)
        memcpy(to + head_bytes, rest, rest_bytes);
    end_run(thread);
    thread->records.cursor = to + length;
    __atomic_store_n(start, (uint8_t)tag, __ATOMIC_RELEASE);
    return to + length;
}

void diya_room_reserve(struct diya_thread *thread)
{
    diya_counters_reserve(thread);
    has_room(thread, 1);
    if (diya_settings.mode == DIYA_MODE_TRACE && __atomic_exchange_n(&diya_process->has_spare, 1, __ATOMIC_RELAXED) == 0)
        diya_segment_spare();
}

/* --- call records ------------------------------------------------------------ */

static inline uint32_t slot_number(const struct diya_event *event, uint32_t depth)
{
    return (event->file * 7u + event->function * 5u + depth) % DIYA_SLOTS;
}

static inline uint8_t *put_slot(struct diya_thread *thread, const struct diya_event *event, uint32_t depth,
                                uint8_t *to, uint8_t *tag, struct diya_slot **found)
{
    uint32_t number = slot_number(event, depth);
    struct diya_slot *slot = &thread->slots[number];
    *found = slot;
    bool is_same = slot->function == event->function && slot->file == event->file && slot->depth == depth;
    if (is_same && number == thread->last_slot) {
        *tag |= DIYA_SAME_SLOT;
        return to;
    }
    thread->last_slot = number;
    if (is_same) {
        *to++ = (uint8_t)number;
        return to;
    }
    *slot = (struct diya_slot){.function = event->function, .file = event->file, .depth = depth};
    *to++ = (uint8_t)(number | DIYA_SLOT_NEW);
    to = put_varint(to, event->function);
    to = put_varint(to, event->file);
    return put_varint(to, depth);
}

static inline uint8_t *put_offset(struct diya_slot *slot, int64_t offset, uint8_t *to, uint8_t *tag)
{
    if (offset < 0)
        return to;
    /* Predictions are used only where no reading of the layout could differ:
     * after a first offset, and a step after two. */
    if (slot->offsets > 0 && slot->done >= 0 && offset == slot->offset + slot->done) {
        *tag |= DIYA_OFFSET_CONSECUTIVE;
    } else if (slot->offsets > 1 && offset == slot->offset + slot->step) {
        *tag |= DIYA_OFFSET_SAME_STEP;
    } else {
        *tag |= DIYA_OFFSET_EXPLICIT;
        to = put_varint(to, zigzag(offset - slot->offset));
    }
    slot->step = offset - slot->offset;
    slot->offset = offset;
    slot->offsets += slot->offsets < 2;
    return to;
}

static inline uint8_t *put_extension(const struct diya_event *event, uint8_t *to, uint8_t *tag)
{
    if (!event->has_aux && event->file2 == 0 && event->collective == DIYA_COLLECTIVE_UNKNOWN)
        return to;
    *tag |= DIYA_EXTENDED;
    uint8_t *extension = to++;
    *extension = (uint8_t)((event->has_aux ? DIYA_EXT_AUX : 0) | (event->file2 != 0 ? DIYA_EXT_FILE2 : 0) |
                           (event->collective == DIYA_COLLECTIVE_YES ? DIYA_EXT_COLLECTIVE : 0) |
                           (event->collective == DIYA_COLLECTIVE_NO ? DIYA_EXT_INDEPENDENT : 0));
    if (event->has_aux)
        to = put_varint(to, event->aux);
    if (event->file2 != 0)
        to = put_varint(to, event->file2);
    return to;
}

static inline void record_call(struct diya_thread *thread, const struct diya_call *call,
                               const struct diya_event *event, uint32_t stack)
{
    uint8_t *start = thread->records.cursor;
    uint8_t *to = start + 1;
    uint8_t tag = DIYA_CALL;
    struct diya_slot *slot;
    to = put_slot(thread, event, call->depth, to, &tag, &slot);
    to = put_offset(slot, event->offset, to, &tag);
    if (event->requested == slot->size) {
        tag |= DIYA_SAME_SIZE;
    } else {
        to = put_varint(to, event->requested);
        slot->size = event->requested;
    }
    if (event->done == (int64_t)event->requested)
        tag |= DIYA_ALL_DONE;
    else
        to = put_varint(to, zigzag(event->done));
    slot->done = event->done;
    if (stack == slot->stack) {
        tag |= DIYA_SAME_STACK;
    } else {
        to = put_varint(to, stack);
        slot->stack = stack;
    }
    to = put_extension(event, to, &tag);
    to = put_varint(to, zigzag((int64_t)(call->start - thread->last_start)));
    to = put_varint(to, call->end - call->start);
    thread->last_start = call->start;
    end_run(thread);
    thread->records.cursor = to;
    __atomic_store_n(start, tag, __ATOMIC_RELEASE);
}

/* --- one finished call ----------------------------------------------------------- */

static DIYA_RARELY void count_call(struct diya_thread *thread, const struct diya_call *call,
                                   const struct diya_event *event)
{
    if (diya_settings.mode == DIYA_MODE_TRACE)
        diya_count_dropped(thread->dropped_reason, 1);
    diya_count(thread, call, event);
}

/* Whether a thread that counts because space ran out may record again. */
static DIYA_RARELY bool records_again(struct diya_thread *thread)
{
    if (thread->retry_in > 0 && thread->retry_in != NEVER_RETRY)
        thread->retry_in--;
    return diya_settings.mode == DIYA_MODE_TRACE && thread->retry_in == 0 && next_window(thread);
}

static uint32_t stack_and_samples(struct diya_thread *thread, const struct diya_call *call)
{
    if (call->end >= thread->samples_due)
        diya_samples_take(thread, call->end);
    return diya_stack_of(thread, call->return_address, (uintptr_t)call);
}

static void record_or_count(struct diya_thread *thread, const struct diya_call *call, const struct diya_event *event)
{
    if (diya_settings.mode == DIYA_MODE_PROFILE) {
        diya_count(thread, call, event);
        return;
    }
    if (__builtin_expect(thread->recording == DIYA_COUNTING, 0) && !records_again(thread)) {
        count_call(thread, call, event);
        return;
    }
    uint32_t stack = 0;
    if (__builtin_expect(diya_settings.has_stacks, 0))
        stack = stack_and_samples(thread, call);
    if (__builtin_expect(thread->records.cursor >= thread->records.limit, 0) && !next_window(thread)) {
        count_call(thread, call, event);
        return;
    }
    record_call(thread, call, event, stack);
}

static inline void one_call(struct diya_call *call, const struct diya_event *event)
{
    struct diya_thread *thread = diya_tls.thread;
    uint64_t generation = diya_enter();
    record_or_count(thread, call, event);
    if (__builtin_expect(--thread->until_clock == 0, 0)) {
        thread->until_clock = CALLS_PER_CLOCK_POINT;
        diya_clock_refresh();
    }
    diya_leave(generation);
}

/* A fork or vfork in the middle of a call: what began in the parent does not
 * belong to the child. */
static bool is_still_recording(void)
{
    return __builtin_expect(diya_tls.generation == diya_generation_now(), 1) || diya_tls.generation == DIYA_GENERATION_VFORK;
}

DIYA_OFTEN void diya_end(struct diya_call *call, const struct diya_event *event)
{
    if (call->end == 0)
        diya_returned(call);
    diya_tls.depth = call->depth;
    if (is_still_recording())
        one_call(call, event);
    errno = call->saved_errno;
}

void diya_also(struct diya_call *call, const struct diya_event *event)
{
    if (is_still_recording())
        one_call(call, event);
}

void diya_cancel(struct diya_call *call)
{
    diya_tls.depth = call->depth;
    if (call->end != 0)
        errno = call->saved_errno;
}

/* --- a thread's state ----------------------------------------------------------- */

void diya_thread_reset(struct diya_thread *thread)
{
    memset(thread, 0, offsetof(struct diya_thread, cwd));
    thread->last_slot = DIYA_SLOTS;
    thread->until_clock = CALLS_PER_CLOCK_POINT;
    thread->recording = diya_settings.mode == DIYA_MODE_TRACE ? DIYA_RECORDING : DIYA_COUNTING;
}

void diya_thread_close(struct diya_thread *thread)
{
    diya_samples_thread_ends(thread);
    diya_heat_flush(thread);
    diya_window_close(&thread->records, true);
    diya_window_close(&thread->counter_window, true);
    if (thread->counter_table != NULL)
        diya_counters_end(thread);
}
