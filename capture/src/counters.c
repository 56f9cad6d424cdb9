/* Counters per thread, file and layer: used in profile mode, and after a trace reaches
 * --max-trace.
 *
 * The definitions are Darshan's (darshan-posix.c and darshan-common.h of 3.4):
 * sequential is an offset beyond the last byte of the previous call of the
 * same direction, consecutive is exactly the next byte; a failed call moves
 * nothing; size bins end at 100 bytes, 1 KiB, 10 KiB ... inclusive.
 */
#include "counters.h"
#include "heatmap.h"
#include "segment.h"
#include "settings.h"
#include "state.h"
#include "system.h"

#include <string.h>

/* At most so many blocks for each thread (10 MiB); then one block per layer
 * holds all other files, under the number 0. */
#define MAX_BLOCKS 4096u
#define TABLE_PLACES 8192u
#define FIRST_WINDOW_BYTES (64u * 1024u)
#define LEAST_WINDOW_BYTES (16u * 1024u) /* five blocks */

/* --- the block of a file ------------------------------------------------------ */

/* The previous window stays mapped: its counters are still updated. */
static bool next_window(struct diya_thread *thread)
{
    uint32_t bytes = thread->counter_window.header == NULL ? FIRST_WINDOW_BYTES : diya_settings.window_bytes;
    struct diya_window next;
    if (diya_window_take(thread, &next, DIYA_WINDOW_COUNTERS, bytes) != DIYA_WINDOW_TAKEN &&
        diya_window_take(thread, &next, DIYA_WINDOW_COUNTERS, LEAST_WINDOW_BYTES) != DIYA_WINDOW_TAKEN)
        return false;
    thread->counter_window = next;
    return true;
}

static bool has_table(struct diya_thread *thread)
{
    if (thread->counter_table == NULL)
        thread->counter_table = sys_memory(TABLE_PLACES * sizeof *thread->counter_table);
    return thread->counter_table != NULL;
}

void diya_counters_reserve(struct diya_thread *thread)
{
    if (has_table(thread) && thread->counter_window.header == NULL)
        next_window(thread);
}

static struct diya_counters *new_block(struct diya_thread *thread, uint32_t file, enum diya_layer layer)
{
    struct diya_window *window = &thread->counter_window;
    bool is_full = window->header == NULL || window->cursor + sizeof(struct diya_counters) > window->end;
    if (is_full && !next_window(thread))
        return NULL;
    struct diya_counters *block = (struct diya_counters *)window->cursor;
    block->file = file;
    block->layer = layer;
    block->read.max_byte = block->write.max_byte = -1;
    window->cursor += sizeof *block;
    __atomic_store_n(&block->magic, DIYA_COUNTERS_MAGIC, __ATOMIC_RELEASE);
    thread->counter_blocks++;
    return block;
}

static struct diya_counters **find_place(struct diya_thread *thread, uint32_t file, enum diya_layer layer)
{
    uint32_t place = (file * 16u + layer) * 2654435761u % TABLE_PLACES;
    for (;; place = (place + 1) % TABLE_PLACES) {
        struct diya_counters *block = thread->counter_table[place];
        if (block == NULL || (block->file == file && block->layer == layer))
            return &thread->counter_table[place];
    }
}

struct diya_counters *diya_counters_of(struct diya_thread *thread, uint32_t file, enum diya_layer layer)
{
    struct diya_counters *last = thread->last_counters;
    if (last != NULL && last->file == file && last->layer == layer)
        return last;
    if (!has_table(thread))
        return NULL;
    struct diya_counters **place = find_place(thread, file, layer);
    if (*place == NULL && thread->counter_blocks >= MAX_BLOCKS)
        place = find_place(thread, 0, layer);
    if (*place == NULL)
        *place = new_block(thread, place == find_place(thread, file, layer) ? file : 0, layer);
    thread->last_counters = *place;
    return *place;
}

void diya_counters_end(struct diya_thread *thread)
{
    sys_unmap(thread->counter_table, TABLE_PLACES * sizeof *thread->counter_table);
    thread->counter_table = NULL;
}

/* --- parts of a call --------------------------------------------------------------- */

static unsigned size_bin(uint64_t bytes)
{
    static const uint64_t largest[] = DIYA_SIZE_BIN_LARGEST;
    _Static_assert(sizeof largest == (DIYA_SIZE_BINS - 1) * sizeof *largest, "the last bin has none");
    unsigned bin = 0;
    while (bin < DIYA_SIZE_BINS - 1 && bytes > largest[bin])
        bin++;
    return bin;
}

/* The most frequent values of a table of 16: a new value takes the place of the
 * rarest one when that was seen once only. */
void diya_count_other_size(struct diya_counters *counters, uint64_t size, uint64_t calls)
{
    unsigned rarest = 0;
    for (unsigned i = 0; i < DIYA_COMMON; i++) {
        if (counters->common_size[i].calls == 0 || counters->common_size[i].size == size) {
            counters->common_size[i].size = size;
            counters->common_size[i].calls += calls;
            return;
        }
        if (counters->common_size[i].calls < counters->common_size[rarest].calls)
            rarest = i;
    }
    if (counters->common_size[rarest].calls == 1) {
        counters->common_size[rarest].size = size;
        counters->common_size[rarest].calls = calls;
    }
}

static inline void count_stride(struct diya_counters *counters, int64_t stride)
{
    if (counters->common_stride[0].stride == stride && counters->common_stride[0].calls > 0) {
        counters->common_stride[0].calls++;
        return;
    }
    unsigned rarest = 0;
    for (unsigned i = 0; i < DIYA_COMMON; i++) {
        if (counters->common_stride[i].calls == 0 || counters->common_stride[i].stride == stride) {
            counters->common_stride[i].stride = stride;
            counters->common_stride[i].calls++;
            return;
        }
        if (counters->common_stride[i].calls < counters->common_stride[rarest].calls)
            rarest = i;
    }
    if (counters->common_stride[rarest].calls == 1)
        counters->common_stride[rarest].stride = stride;
}

/* Block sizes are powers of two but for rare file systems; a division takes as
 * long as all the rest. */
static bool is_multiple(uint64_t offset, uint32_t alignment)
{
    bool is_power = (alignment & (alignment - 1)) == 0;
    return (is_power ? offset & (alignment - 1) : offset % alignment) == 0;
}

static int64_t stride_from(int64_t offset, int64_t last_byte)
{
    return offset > last_byte && last_byte != 0 ? offset - last_byte - 1 : 0;
}

/* A call belongs to one kind only, as in Darshan: split, non-blocking,
 * collective, or none of these. */
static void count_collective(struct diya_transfer_counters *transfers, const struct diya_event *event)
{
    uint8_t traits = diya_function_traits[event->function];
    if (traits & DIYA_IS_SPLIT)
        transfers->split++;
    else if (traits & DIYA_IS_NONBLOCKING)
        transfers->nonblocking++;
    else if (event->collective == DIYA_COLLECTIVE_YES || traits & DIYA_IS_COLLECTIVE)
        transfers->collective++;
}

static void count_transfer(struct diya_counters *counters, const struct diya_event *event, enum diya_op op,
                           uint64_t elapsed)
{
    struct diya_transfer_counters *transfers = diya_transfers_of(counters, op);
    uint64_t done = (uint64_t)event->done;
    transfers->bytes += done;
    transfers->sizes[size_bin(done)] += 1;
    diya_count_slowest(transfers, done, elapsed);
    if (counters->last_op != op) {
        counters->rw_switches += counters->last_op == DIYA_OP_READ || counters->last_op == DIYA_OP_WRITE;
        counters->last_op = op;
    }
    diya_count_size(counters, done);
    if (counters->layer > DIYA_LAYER_STDIO) /* none of these layers' calls is collective */
        count_collective(transfers, event);
    if (event->offset < 0)
        return;
    bool is_consecutive = event->offset == transfers->last_byte + 1;
    transfers->consecutive += is_consecutive;
    transfers->sequential += event->offset > transfers->last_byte;
    bool has_strides = counters->layer != DIYA_LAYER_STDIO; /* as in Darshan, nor alignment */
    if (has_strides && !is_consecutive)                     /* its stride is 0, which is none */
        count_stride(counters, stride_from(event->offset, transfers->last_byte));
    transfers->last_byte = event->offset + event->done - 1;
    if (transfers->last_byte > transfers->max_byte)
        transfers->max_byte = transfers->last_byte;
    uint32_t alignment = event->file == 0 || !has_strides ? 0 : diya_process->file_facts[event->file].alignment_bytes;
    counters->unaligned_file += alignment != 0 && !is_multiple((uint64_t)event->offset, alignment);
}

/* --- tiny calls -------------------------------------------------------------------- */

enum { UNSIZED_AT = 40, SIZE_AT = 48 };
#define UNSIZED_AND_SIZE (~(uint64_t)0 << UNSIZED_AT)

static void count_unsized(struct diya_counters *counters)
{
    uint64_t calls = (uint8_t)(counters->repeats >> UNSIZED_AT);
    if (calls > 0)
        diya_count_other_size(counters, counters->repeats >> SIZE_AT, calls);
}

void diya_repeats_resize(struct diya_tiny_run *run, uint64_t bytes)
{
    struct diya_counters *counters = run->counters;
    count_unsized(counters);
    counters->repeats = (counters->repeats & ~UNSIZED_AND_SIZE) | bytes << SIZE_AT;
    uint64_t is_in_second_bin = size_bin(bytes) > 0; /* tiny calls are in the first two */
    run->bytes = bytes;
    run->one_repeat = bytes | (uint64_t)1 << 24 | is_in_second_bin << 32 | (uint64_t)1 << UNSIZED_AT;
}

/* Tiny calls that were not timed count at the time of this call. */
static void count_repeats(struct diya_thread *thread, struct diya_counters *counters, uint64_t when)
{
    uint64_t bytes = diya_repeats_bytes(counters->repeats), calls = diya_repeats_calls(counters->repeats);
    uint64_t in_second_bin = (uint8_t)(counters->repeats >> 32);
    struct diya_transfer_counters *transfers = diya_transfers_of(counters, (enum diya_op)counters->last_op);
    count_unsized(counters);
    counters->repeats &= ~(uint64_t)0 << SIZE_AT; /* so that the series can continue */
    counters->ops[counters->last_op].calls += calls;
    transfers->bytes += bytes;
    transfers->sizes[0] += calls - in_second_bin;
    transfers->sizes[1] += in_second_bin;
    transfers->sequential += calls;
    transfers->consecutive += calls;
    transfers->last_byte += (int64_t)bytes;
    if (transfers->last_byte > transfers->max_byte)
        transfers->max_byte = transfers->last_byte;
    diya_heat(thread, (enum diya_layer)counters->layer, counters->last_op == DIYA_OP_WRITE, bytes, when, when);
}

/* --- one call ---------------------------------------------------------------------- */

void diya_count(struct diya_thread *thread, const struct diya_call *call, const struct diya_event *event)
{
    enum diya_op op = (enum diya_op)diya_function_op[event->function];
    enum diya_layer layer = (enum diya_layer)diya_function_layer[event->function];
    struct diya_counters *counters = thread->last_counters;
    if (counters == NULL || counters->file != event->file || counters->layer != layer)
        counters = diya_counters_of(thread, event->file, layer);
    if (__builtin_expect(counters == NULL, 0)) {
        diya_count_dropped(DIYA_DROPPED_UNCOUNTED, 1);
        return;
    }
    if (diya_repeats_calls(counters->repeats) != 0)
        count_repeats(thread, counters, call->start);
    uint64_t elapsed = call->end - call->start;
    struct diya_op_counters *calls = &counters->ops[op];
    calls->calls++;
    calls->ticks += elapsed;
    if (calls->first_ticks == 0)
        calls->first_ticks = call->start;
    calls->last_ticks = call->end;
    if (event->done < 0) {
        calls->failed++;
        return;
    }
    if (op == DIYA_OP_OPEN) {
        counters->open_flags |= event->aux;
        counters->collective_opens += (diya_function_traits[event->function] & DIYA_IS_COLLECTIVE) != 0 &&
                                      event->collective != DIYA_COLLECTIVE_NO;
    } else if (op == DIYA_OP_READ || op == DIYA_OP_WRITE) {
        count_transfer(counters, event, op, elapsed);
        if (diya_settings.mode == DIYA_MODE_PROFILE)
            diya_heat(thread, layer, op == DIYA_OP_WRITE, (uint64_t)event->done, call->start, call->end);
    } else {
        thread->run.until_timed = 0; /* the next tiny call need not be where the last one ended: a seek */
    }
}
