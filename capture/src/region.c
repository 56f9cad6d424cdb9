/* Records regions, steps, epochs and notes.
 *
 * A record is written when a region begins, so that it is there after a kill, and gets its
 * end in place. Where the thread took another window meanwhile, a second record is written.
 * Regions are of the trace: a profile, and calls beyond --max-trace, have none.
 */
#include "region.h"
#include "files.h"
#include "record.h"
#include "settings.h"
#include "state.h"
#include "system.h"

#include <string.h>
#include <sys/mman.h>

#define NAMES (1u << 16)
#define LONGEST_NAME 1023u
#define NO_NUMBER (-1)

/* --- names ----------------------------------------------------------------------- */

static struct names {
    uint32_t pid;
    uint32_t used;
    uint64_t keys[NAMES]; /* hash of the text; 0: free */
} *names;

static struct names *own_names(void)
{
    struct names *state = __atomic_load_n(&names, __ATOMIC_ACQUIRE);
    if (state == NULL) {
        state = sys_memory(sizeof *state);
        if (state == NULL)
            return NULL;
        sys_advise(state, sizeof *state, MADV_WIPEONFORK);
        struct names *none = NULL;
        if (!__atomic_compare_exchange_n(&names, &none, state, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
            sys_unmap(state, sizeof *state);
            state = none;
        }
    }
    if (state->pid != diya_process->pid) { /* also where the kernel does not wipe */
        if (state->pid != 0)
            memset(state, 0, sizeof *state);
        state->pid = diya_process->pid;
    }
    return state;
}

/* Number of a name, from 1; 0: no room. */
static DIYA_RARELY uint32_t find_name(struct diya_thread *thread, const char *text, size_t length)
{
    struct names *state = own_names();
    if (state == NULL)
        return 0;
    uint64_t key = diya_hash(text, length, 0) | 1;
    for (uint32_t at = (uint32_t)(key >> 32) % NAMES;; at = (at + 1) % NAMES) {
        uint64_t found = __atomic_load_n(&state->keys[at], __ATOMIC_ACQUIRE);
        if (found == key)
            return at + 1;
        if (found != 0)
            continue;
        if (__atomic_fetch_add(&state->used, 1, __ATOMIC_RELAXED) >= NAMES / 2)
            return 0;
        if (!__atomic_compare_exchange_n(&state->keys[at], &found, key, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
            if (found == key)
                return at + 1;
            continue;
        }
        uint8_t head[8];
        size_t head_bytes = diya_put_varint(head, at + 1);
        diya_record_other(thread, DIYA_REGION_NAME, head, head_bytes, text, length);
        return at + 1;
    }
}

static DIYA_RARELY uint32_t look_up(struct diya_thread *thread, struct diya_known_name *known, const char *text)
{
    size_t length = strnlen(text, LONGEST_NAME);
    uint32_t name = find_name(thread, text, length);
    if (length < sizeof known->text) {
        memcpy(known->text, text, length + 1);
        known->place = text;
        known->name = name;
    }
    return name;
}

static inline uint32_t name_of(struct diya_thread *thread, const char *text)
{
    struct diya_known_name *known = &thread->known_names[((uintptr_t)text >> 3) % DIYA_KNOWN_NAMES];
    /* The program may have put another text into the same place. */
    if (__builtin_expect(known->place == text && known->name != 0 && strcmp(known->text, text) == 0, 1))
        return known->name;
    return look_up(thread, known, text);
}

/* --- records --------------------------------------------------------------------- */

/* In a trace: a profile has no regions on purpose. */
static DIYA_RARELY void count_dropped(void)
{
    if (diya_settings.mode == DIYA_MODE_TRACE)
        __atomic_fetch_add(&diya_process->header->regions_dropped, 1, __ATOMIC_RELAXED);
}

/* diya_record_other for a record of known length: a region should cost less than a call. */
static inline uint8_t *put(struct diya_thread *thread, const struct diya_region *region)
{
    _Static_assert(sizeof *region < 0x80, "a length of one byte");
    uint8_t *start = thread->records.cursor;
    if (__builtin_expect(thread->records.header == NULL || start + sizeof *region + 16 >= thread->records.end, 0)) {
        uint8_t *after = diya_record_other(thread, DIYA_REGION, region, sizeof *region, NULL, 0);
        if (after == NULL)
            count_dropped();
        return after == NULL ? NULL : after - sizeof *region;
    }
    start[1] = sizeof *region;
    memcpy(start + 2, region, sizeof *region);
    diya_run_ends(thread);
    thread->records.cursor = start + 2 + sizeof *region;
    __atomic_store_n(start, (uint8_t)DIYA_REGION, __ATOMIC_RELEASE);
    return start + 2;
}

static inline void begin(struct diya_thread *thread, struct diya_open_region *open, enum diya_region_kind kind,
                         uint32_t name, int64_t number, uint64_t start, uint64_t end)
{
    open->region = (struct diya_region){start, end, number, name, kind};
    open->record = put(thread, &open->region);
}

static inline void end(struct diya_thread *thread, struct diya_open_region *open, uint64_t ticks)
{
    open->region.end_ticks = ticks;
    const struct diya_window *window = &thread->records;
    if (window->header != NULL && open->record > (uint8_t *)window->header && open->record < window->cursor)
        memcpy(open->record + offsetof(struct diya_region, end_ticks), &ticks, sizeof ticks);
    else
        put(thread, &open->region);
    open->record = NULL;
    open->region.start_ticks = 0;
}

static void take_turns(struct diya_thread *thread, struct diya_open_region *open, enum diya_region_kind kind,
                       int64_t number, uint64_t ticks)
{
    if (open->region.start_ticks != 0)
        end(thread, open, ticks);
    if (number >= 0)
        begin(thread, open, kind, 0, number, ticks, 0);
}

void diya_regions_end(struct diya_thread *thread)
{
    bool is_open =
        thread->region_depth > 0 || thread->step.region.start_ticks != 0 || thread->epoch.region.start_ticks != 0;
    if (!is_open)
        return;
    uint64_t now = diya_ticks();
    for (uint32_t i = thread->region_depth < DIYA_OPEN_REGIONS ? thread->region_depth : DIYA_OPEN_REGIONS; i > 0; i--)
        end(thread, &thread->open_regions[i - 1], now);
    thread->region_depth = 0;
    take_turns(thread, &thread->step, DIYA_KIND_STEP, NO_NUMBER, now);
    take_turns(thread, &thread->epoch, DIYA_KIND_EPOCH, NO_NUMBER, now);
}

/* --- what programs call ------------------------------------------------------------ */

static inline void left(struct diya_call *call, uint64_t generation)
{
    diya_leave(generation);
    diya_cancel(call);
}

static inline bool is_entered(struct diya_call *call, uint64_t *generation)
{
    /* A profile never records: it counts. */
    if (diya_tls.thread->recording != DIYA_RECORDING) {
        diya_cancel(call);
        count_dropped();
        return false;
    }
    *generation = diya_enter();
    return true;
}

void diya_keyed_region_begin(const char *name, uint64_t key)
{
    struct diya_call call;
    uint64_t generation;
    if (name == NULL || !diya_begin(&call) || !is_entered(&call, &generation))
        return;
    struct diya_thread *thread = diya_tls.thread;
    uint32_t depth = thread->region_depth++;
    if (depth < DIYA_OPEN_REGIONS) {
        thread->open_regions[depth].key = key;
        begin(thread, &thread->open_regions[depth], DIYA_KIND_REGION, name_of(thread, name), NO_NUMBER, call.start, 0);
    }
    left(&call, generation);
}

DIYA_EXPORT void diya_annotate_region_begin(const char *name)
{
    diya_keyed_region_begin(name, 0);
}

DIYA_EXPORT void diya_annotate_region_end(void)
{
    struct diya_call call;
    uint64_t generation;
    if (!diya_begin(&call) || !is_entered(&call, &generation))
        return;
    struct diya_thread *thread = diya_tls.thread;
    if (thread->region_depth > 0 && --thread->region_depth < DIYA_OPEN_REGIONS)
        end(thread, &thread->open_regions[thread->region_depth], call.start);
    left(&call, generation);
}

void diya_keyed_region_end(uint64_t key)
{
    struct diya_call call;
    uint64_t generation;
    if (!diya_begin(&call) || !is_entered(&call, &generation))
        return;
    struct diya_thread *thread = diya_tls.thread;
    uint32_t kept = thread->region_depth < DIYA_OPEN_REGIONS ? thread->region_depth : DIYA_OPEN_REGIONS;
    struct diya_open_region *open = thread->open_regions;
    uint32_t at = kept;
    while (at > 0 && open[at - 1].key != key)
        at--;
    if (at > 0) {
        end(thread, &open[at - 1], call.start);
        memmove(&open[at - 1], &open[at], (kept - at) * sizeof *open);
        thread->region_depth = kept - 1; /* deeper ones have no place here; their ends find none */
    }
    left(&call, generation);
}

DIYA_EXPORT void diya_annotate_step(int64_t number)
{
    struct diya_call call;
    uint64_t generation;
    if (!diya_begin(&call) || !is_entered(&call, &generation))
        return;
    take_turns(diya_tls.thread, &diya_tls.thread->step, DIYA_KIND_STEP, number, call.start);
    left(&call, generation);
}

DIYA_EXPORT void diya_annotate_epoch(int64_t number)
{
    struct diya_call call;
    uint64_t generation;
    if (!diya_begin(&call) || !is_entered(&call, &generation))
        return;
    take_turns(diya_tls.thread, &diya_tls.thread->epoch, DIYA_KIND_EPOCH, number, call.start);
    left(&call, generation);
}

DIYA_EXPORT void diya_annotate_note(const char *text)
{
    struct diya_call call;
    uint64_t generation;
    if (text == NULL || !diya_begin(&call) || !is_entered(&call, &generation))
        return;
    struct diya_open_region note;
    begin(diya_tls.thread, &note, DIYA_KIND_NOTE, name_of(diya_tls.thread, text), NO_NUMBER, call.start, call.start);
    left(&call, generation);
}
