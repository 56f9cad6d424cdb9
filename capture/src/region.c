/* Regions, steps, epochs and notes as programs call them; their records are in region_record.h.
 *
 * Regions are of the trace: a profile, and calls beyond --max-trace, have none.
 */
#include "region.h"
#include "core.h"
#include "files.h"
#include "record.h"
#include "region_record.h"
#include "state.h"
#include "system.h"

#include <string.h>
#include <sys/mman.h>

#define NAMES (1u << 16)
#define LONGEST_NAME 1023u

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
        diya_region_dropped();
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
        diya_region_begin(thread, &thread->open_regions[depth], DIYA_KIND_REGION, name_of(thread, name), DIYA_NO_NUMBER,
                          call.start, 0);
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
        diya_region_end(thread, &thread->open_regions[thread->region_depth], call.start);
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
        diya_region_end(thread, &open[at - 1], call.start);
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
    diya_region_turn(diya_tls.thread, &diya_tls.thread->step, DIYA_KIND_STEP, number, call.start);
    left(&call, generation);
}

DIYA_EXPORT void diya_annotate_epoch(int64_t number)
{
    struct diya_call call;
    uint64_t generation;
    if (!diya_begin(&call) || !is_entered(&call, &generation))
        return;
    diya_region_turn(diya_tls.thread, &diya_tls.thread->epoch, DIYA_KIND_EPOCH, number, call.start);
    left(&call, generation);
}

DIYA_EXPORT void diya_annotate_note(const char *text)
{
    struct diya_call call;
    uint64_t generation;
    if (text == NULL || !diya_begin(&call) || !is_entered(&call, &generation))
        return;
    struct diya_open_region note;
    diya_region_begin(diya_tls.thread, &note, DIYA_KIND_NOTE, name_of(diya_tls.thread, text), DIYA_NO_NUMBER,
                      call.start, call.start);
    left(&call, generation);
}
