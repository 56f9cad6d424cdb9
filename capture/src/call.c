/* Encodes calls into the window of the calling thread, or counts them.
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
#include "header.h"
#include "record.h"
#include "removed.h"
#include "samples.h"
#include "settings.h"
#include "stack.h"
#include "state.h"
#include "witness.h"

static inline uint64_t zigzag(int64_t value)
{
    return ((uint64_t)value << 1) ^ (uint64_t)(value >> 63);
}

static inline uint32_t slot_number(const struct diya_event *event, uint32_t depth)
{
    return (event->file * 7u + event->function * 5u + depth) % DIYA_SLOTS;
}

static inline uint8_t *put_slot(struct diya_thread *thread, const struct diya_event *event, uint32_t depth, uint8_t *to,
                                uint8_t *tag, struct diya_slot **found)
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
    to = diya_varint_to(to, event->function);
    to = diya_varint_to(to, event->file);
    return diya_varint_to(to, depth);
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
        to = diya_varint_to(to, zigzag(offset - slot->offset));
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
        to = diya_varint_to(to, event->aux);
    if (event->file2 != 0)
        to = diya_varint_to(to, event->file2);
    return to;
}

static inline void record_call(struct diya_thread *thread, const struct diya_call *call, const struct diya_event *event,
                               uint32_t stack)
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
        to = diya_varint_to(to, event->requested);
        slot->size = event->requested;
    }
    if (event->done == (int64_t)event->requested)
        tag |= DIYA_ALL_DONE;
    else
        to = diya_varint_to(to, zigzag(event->done));
    slot->done = event->done;
    if (stack == slot->stack) {
        tag |= DIYA_SAME_STACK;
    } else {
        to = diya_varint_to(to, stack);
        slot->stack = stack;
    }
    to = put_extension(event, to, &tag);
    to = diya_varint_to(to, zigzag((int64_t)(call->start - thread->last_start)));
    to = diya_varint_to(to, call->end - call->start);
    thread->last_start = call->start;
    diya_run_ends(thread);
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
    if (thread->retry_in > 0 && thread->retry_in != DIYA_NEVER_RETRY)
        thread->retry_in--;
    return diya_settings.mode == DIYA_MODE_TRACE && thread->retry_in == 0 && diya_record_window(thread);
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
    if (__builtin_expect(thread->records.cursor >= thread->records.limit, 0) && !diya_record_window(thread)) {
        count_call(thread, call, event);
        return;
    }
    record_call(thread, call, event, stack);
}

/* What recording costs differs by a factor of ten with stacks, full caches and busy
 * machines, so it is measured where it happens. `end` is when the program's call came
 * back; reading the clock before that call costs what a reading costs here. */
DIYA_RARELY void diya_time_own_work(const struct diya_call *call)
{
    uint64_t recorded = diya_ticks(), again = diya_ticks();
    diya_own_work(recorded - call->end + (again - recorded));
}

static inline void one_call(struct diya_call *call, const struct diya_event *event)
{
    struct diya_thread *thread = diya_tls.thread;
    uint64_t generation = diya_enter();
    record_or_count(thread, call, event);
    if (__builtin_expect(--thread->until_clock == 0, 0)) {
        diya_calls_passed(thread);
        diya_clock_refresh();
    }
    if (__builtin_expect((call->end & DIYA_TIMED_CALLS) == 0, 0))
        diya_time_own_work(call);
    diya_leave(generation);
}

/* A fork or vfork in the middle of a call: what began in the parent does not
 * belong to the child. */
static bool is_still_recording(void)
{
    return __builtin_expect(diya_tls.generation == diya_generation_now(), 1) ||
           diya_tls.generation == DIYA_GENERATION_VFORK;
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
