/* Samples of the processor: once for each millisecond that a thread spends in its
 * own code the kernel notes where it is.
 *
 * What a library does between two calls (packing, reading numbers) shows in no
 * call. A thread is watched from its first recorded call on, with stacks only. The
 * kernel stops no system call for it and sends no signal (perf.h); the ring is
 * read every fifth of a second at most, when the thread makes a call, and at its end.
 */
#include "samples.h"
#include "modules.h"
#include "perf.h"
#include "record.h"
#include "state.h"
#include "system.h"

#include <linux/seccomp.h>
#include <sys/prctl.h>

/* No divisor of a second: a program that does the same thing every millisecond is
 * not always seen at the same place. */
#define PERIOD_NS 997000u
/* 5 seconds; threads after the first may get less. */
#define RING_PAGES 32u
/* Of a long run every second, fourth ... sample is kept, after so many each. */
#define KEPT_BEFORE_HALVING 8192u
#define MAX_HALVINGS 20u
#define SLOW_TICKS_BETWEEN_LOOKS 100000u /* of 2 us */
#define BATCH 64u

/* diya_sampler.state */
enum { FREE = 0, IN_USE = 1, BUSY = 2 };

static bool take_sampler(struct diya_sampler *sampler, uint32_t from)
{
    return __atomic_compare_exchange_n(&sampler->state, &from, BUSY, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

static void leave_sampler(struct diya_sampler *sampler, uint32_t state)
{
    __atomic_store_n(&sampler->state, state, __ATOMIC_RELEASE);
}

/* --- records ---------------------------------------------------------------------- */

struct batch {
    uint32_t own; /* the first piece of the recorder's work that is not over */
    struct diya_thread *writer;
    struct diya_sampler *sampler;
    uint64_t period, lost;
    uint32_t count;
    uint64_t mono_ns[BATCH], address[BATCH];
};

static void write_batch(struct batch *batch)
{
    uint8_t head[32], list[BATCH * 20];
    size_t used = diya_put_varint(head, batch->sampler->tid), bytes = 0;
    used += diya_put_varint(head + used, batch->period);
    used += diya_put_varint(head + used, batch->lost);
    uint64_t mono_ns = 0, address = 0;
    for (uint32_t i = 0; i < batch->count; i++) {
        int64_t step = (int64_t)(batch->address[i] - address);
        bytes += diya_put_varint(list + bytes, batch->mono_ns[i] - mono_ns);
        bytes += diya_put_varint(list + bytes, (uint64_t)step << 1 ^ (uint64_t)(step >> 63));
        mono_ns = batch->mono_ns[i];
        address = batch->address[i];
    }
    if (batch->count > 0)
        diya_modules_refresh(batch->writer, batch->address, batch->count);
    if (batch->count > 0 || batch->lost > 0)
        diya_record_other(batch->writer, DIYA_SAMPLES, head, used, list, bytes);
    batch->count = 0;
    batch->lost = 0;
}

/* An address in the recorder stands for its work. */
static uint64_t place_of(struct batch *batch, uint64_t address, uint64_t mono_ns)
{
    const struct diya_sampler *sampler = batch->sampler;
    while (batch->own < sampler->own_count && sampler->own[batch->own].to_ns < mono_ns)
        batch->own++;
    bool is_own = batch->own < sampler->own_count && sampler->own[batch->own].from_ns <= mono_ns;
    return is_own ? (uint64_t)(uintptr_t)&place_of : address;
}

static void take_record(void *context, const struct diya_perf_record *record)
{
    struct batch *batch = context;
    struct diya_sampler *sampler = batch->sampler;
    if (record->type == PERF_RECORD_LOST) {
        write_batch(batch);
        batch->lost = record->word[1];
        return;
    }
    if (record->type != PERF_RECORD_SAMPLE || (sampler->seen++ & ((1u << sampler->halvings) - 1)) != 0)
        return;
    batch->address[batch->count] = place_of(batch, record->word[0], record->word[1]);
    batch->mono_ns[batch->count] = record->word[1];
    if (++batch->count == BATCH)
        write_batch(batch);
    if (++sampler->kept == KEPT_BEFORE_HALVING && sampler->halvings < MAX_HALVINGS) {
        write_batch(batch);
        sampler->kept = 0;
        batch->period = (uint64_t)PERIOD_NS << ++sampler->halvings;
    }
}

/* The sampler is taken. */
static void drain(struct diya_thread *writer, struct diya_sampler *sampler)
{
    struct batch batch = {.writer = writer, .sampler = sampler, .period = (uint64_t)PERIOD_NS << sampler->halvings};
    diya_perf_drain(sampler->ring, take_record, &batch);
    write_batch(&batch);
    sampler->own_count = 0;
}

void diya_samples_own_work(uint64_t since)
{
    struct diya_thread *thread = diya_tls.thread;
    struct diya_sampler *sampler = thread != NULL ? thread->sampler : NULL;
    uint64_t ticks = diya_ticks() - since;
    if (sampler == NULL || ticks * 4 < diya_slow_ticks) /* half a microsecond: as good as never sampled */
        return;
    if (sampler->own_count == DIYA_OWN_WORK) {
        thread->samples_due = 0; /* the call that ends now takes them */
        return;
    }
    uint64_t now_ns = diya_monotonic_ns();
    sampler->own[sampler->own_count++] = (struct diya_own_work){now_ns - ticks * 2000 / diya_slow_ticks, now_ns};
}

/* --- begin and end -------------------------------------------------------------------- */

/* A period of 0 says that the system does not permit it. */
static void refused(struct diya_thread *thread)
{
    uint8_t head[16];
    size_t used = diya_put_varint(head, thread->tid);
    used += diya_put_varint(head + used, 0);
    used += diya_put_varint(head + used, 0);
    if (__atomic_exchange_n(&diya_process->has_no_samples, 1, __ATOMIC_RELAXED) == 0)
        diya_record_other(thread, DIYA_SAMPLES, head, used, NULL, 0);
}

/* A filter that the program was started with may kill for a call that it does not
 * know, where those of containers only refuse it. */
static bool is_filtered(void)
{
    return diya_syscall(SYS_prctl, PR_GET_SECCOMP, 0, 0, 0, 0, 0) != SECCOMP_MODE_DISABLED;
}

static struct diya_perf_ring *open_ring(void)
{
    struct perf_event_attr event = {
        .config = PERF_COUNT_SW_TASK_CLOCK,
        .sample_period = PERIOD_NS,
        .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TIME,
    };
    return is_filtered() ? NULL : diya_perf_open(&event, RING_PAGES);
}

static struct diya_sampler *begin(struct diya_thread *thread)
{
    struct diya_process *process = diya_process;
    if (process->is_restricted || __atomic_load_n(&process->has_no_samples, __ATOMIC_RELAXED) ||
        diya_tls.is_vfork_child)
        return NULL;
    for (uint32_t i = 0; i < DIYA_SAMPLERS; i++) {
        struct diya_sampler *sampler = &process->samplers[i];
        if (!take_sampler(sampler, FREE))
            continue;
        /* Not the state: other threads look at it meanwhile. */
        sampler->tid = thread->tid;
        sampler->seen = sampler->kept = sampler->halvings = sampler->own_count = 0;
        sampler->own = thread->own_work;
        sampler->ring = open_ring();
        if (sampler->ring != NULL)
            return sampler;
        refused(thread);
        leave_sampler(sampler, FREE);
        return NULL;
    }
    return NULL;
}

/* Takes the thread's sample buffer; NULL if it has none, or another one has taken it. */
static struct diya_sampler *own_sampler(struct diya_thread *thread)
{
    struct diya_sampler *sampler = thread->sampler;
    return sampler != NULL && take_sampler(sampler, IN_USE) ? sampler : NULL;
}

void diya_samples_take(struct diya_thread *thread, uint64_t now)
{
    thread->samples_due = now + SLOW_TICKS_BETWEEN_LOOKS * diya_slow_ticks;
    if (thread->sampler == NULL) {
        thread->sampler = begin(thread);
        if (thread->sampler == NULL)
            thread->samples_due = UINT64_MAX;
        else
            leave_sampler(thread->sampler, IN_USE);
        return;
    }
    struct diya_sampler *sampler = own_sampler(thread);
    if (sampler == NULL)
        return; /* another thread is at it: the process ends */
    drain(thread, sampler);
    leave_sampler(sampler, IN_USE);
}

void diya_samples_thread_ends(struct diya_thread *thread)
{
    struct diya_sampler *sampler = own_sampler(thread);
    if (sampler == NULL)
        return;
    drain(thread, sampler);
    diya_perf_close(sampler->ring);
    leave_sampler(sampler, FREE);
}

void diya_samples_end(struct diya_thread *thread)
{
    for (uint32_t i = 0; i < DIYA_SAMPLERS; i++) {
        struct diya_sampler *sampler = &diya_process->samplers[i];
        if (!take_sampler(sampler, IN_USE))
            continue;
        drain(thread, sampler);
        leave_sampler(sampler, IN_USE);
    }
}
