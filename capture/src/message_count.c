/* Counts of messages: in memory of the thread, and now and then in a record. */
#include "message_count.h"
#include "record.h"

/* A killed process loses as many at most. */
#define CALLS_BETWEEN_RECORDS 4096u

void diya_messages_dropped(uint64_t calls)
{
    __atomic_fetch_add(&diya_process->header->messages_dropped, calls, __ATOMIC_RELAXED);
}

static DIYA_RARELY void write(struct diya_thread *thread, struct diya_message_counts *counts)
{
    uint8_t record[64], *to = record;
    to = diya_varint_to(to, counts->function);
    to = diya_varint_to(to, counts->communicator);
    to = diya_varint_to(to, counts->calls);
    to = diya_varint_to(to, counts->ticks);
    to = diya_varint_to(to, counts->bytes);
    if (diya_record_other(thread, DIYA_MESSAGES, record, (size_t)(to - record), NULL, 0) == NULL)
        diya_messages_dropped(counts->calls);
    counts->function = 0;
}

void diya_message_counts_write(struct diya_thread *thread)
{
    for (uint32_t i = 0; i < DIYA_MESSAGE_COUNTS; i++)
        if (thread->message_counts[i].function != 0)
            write(thread, &thread->message_counts[i]);
}

void diya_message_count(struct diya_thread *thread, uint32_t function, uint32_t communicator, uint64_t ticks,
                        uint64_t bytes)
{
    struct diya_message_counts *counts =
        &thread->message_counts[(function * 5u + communicator * 11u) % DIYA_MESSAGE_COUNTS];
    if (__builtin_expect(counts->function != function || counts->communicator != communicator, 0)) {
        if (counts->function != 0)
            write(thread, counts);
        *counts = (struct diya_message_counts){.function = function, .communicator = communicator};
    }
    counts->calls++;
    counts->ticks += ticks;
    counts->bytes += bytes;
    if (__builtin_expect(counts->calls >= CALLS_BETWEEN_RECORDS, 0))
        write(thread, counts);
}
