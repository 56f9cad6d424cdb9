/* Records of messages of MPI. */
#include "hook_message_call.h"
#include "core.h"
#include "header.h"
#include "message_count.h"
#include "record.h"
#include "samples.h"
#include "stack.h"
#include "state.h"
#include "removed.h"

_Thread_local uintptr_t diya_message_frame __attribute__((tls_model("initial-exec")));

/* A call that takes as long waits, or moves much. */
#define WAIT_TICKS (5 * diya_slow_ticks) /* about 10 us */

/* Counts are written at least so often: what a killed process loses. */
#define COUNT_TICKS (500000 * diya_slow_ticks) /* about a second */

static inline uint64_t zigzag(int64_t value)
{
    return ((uint64_t)value << 1) ^ (uint64_t)(value >> 63);
}

/* --- one call ------------------------------------------------------------------------- */

struct ended {
    const struct diya_message *message;
    const struct diya_message_facts *facts;
    uint32_t communicator, sequence;
    uint64_t end;
};

static DIYA_RARELY void record(struct diya_thread *thread, const struct diya_call *call, const struct ended *ended)
{
    const struct diya_message_facts *facts = ended->facts;
    uint8_t payload[128 + 5 * DIYA_MESSAGE_PEERS], *to = payload;
    uint32_t stack = 0;
    if (diya_settings.has_stacks) {
        if (ended->end >= thread->samples_due)
            diya_samples_take(thread, ended->end);
        stack = diya_stack_of(thread, ended->message->caller, (uintptr_t)ended->message);
    }
    to = diya_varint_to(to, facts->function);
    to = diya_varint_to(to, ended->communicator);
    *to++ = facts->role;
    to = diya_varint_to(to, zigzag(facts->peer));
    to = diya_varint_to(to, zigzag(facts->tag));
    to = diya_varint_to(to, ended->sequence);
    to = diya_varint_to(to, facts->bytes);
    to = diya_varint_to(to, call->depth);
    to = diya_varint_to(to, stack);
    to = diya_varint_to(to, ended->message->start);
    to = diya_varint_to(to, ended->end - ended->message->start);
    to = diya_varint_to(to, facts->peer_count);
    for (uint32_t i = 0; i < facts->peer_count; i++)
        to = diya_varint_to(to, (uint32_t)facts->peers[i]);
    if (diya_record_other(thread, DIYA_MESSAGE, payload, (size_t)(to - payload), NULL, 0) == NULL)
        diya_messages_dropped(1);
}

static DIYA_RARELY void slow_end(const struct ended *ended)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return;
    struct diya_thread *thread = diya_tls.thread;
    uint64_t generation = diya_enter();
    if (thread->recording == DIYA_RECORDING)
        record(thread, &call, ended);
    if (ended->end >= thread->message_counts_due) {
        diya_message_counts_write(thread);
        thread->message_counts_due = ended->end + COUNT_TICKS;
    }
    if (--thread->until_clock == 0) {
        diya_calls_passed(thread);
        diya_clock_refresh();
    }
    diya_leave(generation);
    diya_cancel(&call);
}

uint64_t diya_message_bytes(int error, int64_t number, uintptr_t type, const void *caller)
{
    int64_t size = error == 0 && number > 0 ? diya_mpi_type_size(type, caller) : 0;
    return size > 0 ? (uint64_t)size * (uint64_t)number : 0;
}

void diya_message_end(const struct diya_message *message, int error, const struct diya_message_facts *facts)
{
    bool is_timed = message->start != 0;
    struct ended ended = {.message = message, .facts = facts, .end = is_timed ? diya_ticks() : 0};
    int saved_errno = errno;
    diya_mpi_inside = 0;
    diya_message_frame = 0;
    /* The program may have forbidden the clock, or forked, meanwhile. */
    if (__builtin_expect(diya_tls.generation != diya_generation_now(), 0))
        return;
    ended.communicator = facts->number;
    ended.sequence = facts->sequence;
    /* Only of a call that succeeded are the handles known to be good. */
    if (error == 0 && facts->communicator != 0)
        ended.communicator = diya_communicator(facts->communicator, facts->is_window,
                                               facts->is_collective ? &ended.sequence : NULL, message->caller);
    uint64_t ticks = ended.end - message->start;
    struct diya_thread *thread = diya_tls.thread;
    uint64_t generation = diya_enter();
    diya_message_count(thread, facts->function, ended.communicator, ticks, facts->bytes);
    diya_leave(generation);
    if (__builtin_expect(ticks >= WAIT_TICKS, 0) || (is_timed && diya_settings.messages == DIYA_MESSAGES_ALL))
        slow_end(&ended);
    errno = saved_errno;
}
