/* Mappings of files: one record when one begins, one when it ends.
 *
 * What was touched is asked of the kernel before the memory goes: the page tables
 * of this process (/proc/self/pagemap), the pages of the file that are in memory
 * (mincore) and the fault counters. That takes longer than mapping a small window, so of a
 * process that maps again and again it is asked for some mappings only. The state lies in
 * memory that a forked child finds empty; without a mapped file there is none.
 */
#include "mapping.h"
#include "faults.h"
#include "record.h"
#include "state.h"
#include "system.h"
#include "witness.h"

#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#define MAPPINGS 512u
#define NOT_KNOWN UINT64_MAX
#define MAX_PAGES ((uint64_t)1 << 22) /* 16 GiB are looked through, in some tens of milliseconds */
#define ASKED_FIRST 1024u             /* of later mappings one of so many is asked: */
#define ASKED_OF 16u
#define LEAST_FOR_FAULTS ((uint64_t)64 << 10)
#define HANDLE_KIND DIYA_HANDLE_OTHER

struct mapping {
    uint32_t is_used;
    const uint8_t *start;
    struct diya_mapping record;
};

struct mappings {
    uint32_t pid, last_number, drain_lock;
    struct {
        uint32_t tid;
        struct diya_perf_ring *ring;
    } rings[16];
    struct mapping all[MAPPINGS];
};
static struct mappings *mappings;

static struct mappings *own_mappings(void)
{
    struct mappings *state = __atomic_load_n(&mappings, __ATOMIC_ACQUIRE);
    if (state == NULL) {
        state = sys_memory(sizeof *state);
        if (state == NULL)
            return NULL;
        sys_advise(state, sizeof *state, MADV_WIPEONFORK);
        struct mappings *none = NULL;
        if (!__atomic_compare_exchange_n(&mappings, &none, state, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
            sys_unmap(state, sizeof *state);
            state = none;
        }
    }
    if (state->pid != diya_process->pid) { /* also where the kernel does not wipe */
        memset(state, 0, sizeof *state);
        state->pid = diya_process->pid;
    }
    return state;
}

static void put(enum diya_record_tag tag, const void *head, size_t head_bytes, const void *rest, size_t rest_bytes)
{
    uint64_t generation = diya_enter();
    diya_record_other(diya_tls.thread, tag, head, head_bytes, rest, rest_bytes);
    diya_leave(generation);
}

static bool is_asked(const struct diya_mapping *record)
{
    return record->number <= ASKED_FIRST || record->number % ASKED_OF == 0;
}

static void take_faults(struct diya_mapping *record)
{
    struct rusage usage;
    bool is_known = is_asked(record) && diya_syscall(SYS_getrusage, RUSAGE_SELF, (long)&usage, 0, 0, 0, 0) == 0;
    record->major_faults = is_known ? (uint64_t)usage.ru_majflt : NOT_KNOWN;
    record->minor_faults = is_known ? (uint64_t)usage.ru_minflt : NOT_KNOWN;
}

/* --- pages ------------------------------------------------------------------------- */

static uint64_t pages_of(const struct diya_mapping *record)
{
    return (record->bytes + record->page_bytes - 1) / record->page_bytes;
}

/* Bit 63 of a page's entry: it is in the page tables (Documentation/admin-guide/mm/pagemap.rst). */
static uint64_t touched_pages(const uint8_t *start, uint64_t pages, uint64_t page_bytes)
{
    uint64_t entries[256], touched = 0;
    int fd = sys_open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC, 0);
    if (fd < 0)
        return NOT_KNOWN;
    for (uint64_t at = 0; at < pages;) {
        uint64_t count = pages - at < 256 ? pages - at : 256;
        uint64_t place = ((uintptr_t)start / page_bytes + at) * sizeof entries[0];
        long got = diya_syscall(SYS_pread64, fd, (long)entries, (long)(count * sizeof entries[0]), (long)place, 0, 0);
        diya_own_read(got);
        if (got != (long)(count * sizeof entries[0])) {
            touched = NOT_KNOWN;
            break;
        }
        for (uint64_t i = 0; i < count; i++)
            touched += entries[i] >> 63;
        at += count;
    }
    sys_close(fd);
    return touched;
}

static uint64_t resident_pages(const uint8_t *start, uint64_t pages, uint64_t page_bytes)
{
    unsigned char in_memory[1024];
    uint64_t resident = 0;
    for (uint64_t at = 0; at < pages; at += sizeof in_memory) {
        uint64_t count = pages - at < sizeof in_memory ? pages - at : sizeof in_memory;
        if (diya_syscall(SYS_mincore, (long)(start + at * page_bytes), (long)(count * page_bytes), (long)in_memory, 0,
                         0, 0) != 0)
            return NOT_KNOWN;
        for (uint64_t i = 0; i < count; i++)
            resident += in_memory[i] & 1;
    }
    return resident;
}

/* --- faults ------------------------------------------------------------------------ */

static bool watch_faults(struct mappings *state)
{
    uint32_t tid = diya_tls.thread->tid;
    for (size_t i = 0; i < sizeof state->rings / sizeof state->rings[0]; i++) {
        uint32_t none = 0;
        if (state->rings[i].tid == tid)
            return state->rings[i].ring != NULL;
        if (__atomic_compare_exchange_n(&state->rings[i].tid, &none, tid, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
            struct diya_perf_ring *ring = diya_faults_open();
            __atomic_store_n(&state->rings[i].ring, ring, __ATOMIC_RELEASE);
            return ring != NULL;
        }
    }
    return false;
}

/* One record for each run of faults of one mapping. */
static struct {
    uint32_t number, count;
    struct diya_fault faults[64];
} batch;

static void write_batch(void)
{
    uint8_t head[8];
    if (batch.count > 0)
        put(DIYA_FAULTS, head, diya_put_varint(head, batch.number), batch.faults, batch.count * sizeof batch.faults[0]);
    batch.count = 0;
}

static void take_fault(uint64_t mono_ns, uint64_t address)
{
    for (uint32_t i = 0; i < MAPPINGS; i++) {
        struct mapping *mapping = &mappings->all[i];
        uint64_t offset = address - (uintptr_t)mapping->start;
        if (!mapping->is_used || mapping->record.number == 0 || offset >= mapping->record.bytes)
            continue;
        if (batch.number != mapping->record.number || batch.count == sizeof batch.faults / sizeof batch.faults[0])
            write_batch();
        batch.number = mapping->record.number;
        batch.faults[batch.count++] = (struct diya_fault){mono_ns, offset};
        return;
    }
}

static void drain(struct mappings *state)
{
    if (__atomic_exchange_n(&state->drain_lock, 1, __ATOMIC_ACQUIRE) != 0)
        return; /* another thread is at it */
    for (size_t i = 0; i < sizeof state->rings / sizeof state->rings[0]; i++) {
        struct diya_perf_ring *ring = __atomic_load_n(&state->rings[i].ring, __ATOMIC_ACQUIRE);
        if (ring != NULL)
            diya_faults_drain(ring, take_fault);
    }
    write_batch();
    __atomic_store_n(&state->drain_lock, 0, __ATOMIC_RELEASE);
}

/* --- begin and end ------------------------------------------------------------------ */

void diya_mapping_began(const struct diya_call *call, const void *start, const struct diya_event *event)
{
    struct mappings *state = own_mappings();
    for (uint32_t i = 0; state != NULL && i < MAPPINGS; i++) {
        struct mapping *mapping = &state->all[i];
        uint32_t is_used = 0;
        if (!__atomic_compare_exchange_n(&mapping->is_used, &is_used, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            continue;
        mapping->start = start;
        mapping->record = (struct diya_mapping){
            .number = __atomic_add_fetch(&state->last_number, 1, __ATOMIC_RELAXED),
            .file = event->file,
            .bytes = event->requested,
            .offset = event->offset,
            .protection = (uint32_t)(event->aux >> 32),
            .flags = (uint32_t)event->aux,
            .first_ticks = call->end,
            .page_bytes = getauxval(AT_PAGESZ),
            .touched_pages = NOT_KNOWN,
            .resident_pages = NOT_KNOWN,
        };
        take_faults(&mapping->record);
        bool is_watched = event->requested >= LEAST_FOR_FAULTS && !diya_process->is_restricted;
        mapping->record.has_faults = is_watched && watch_faults(state);
        struct diya_mapping record = mapping->record;
        record.major_faults = record.minor_faults = NOT_KNOWN;
        put(DIYA_MAPPING, &record, sizeof record, NULL, 0);
        diya_handle_bind(HANDLE_KIND, (uintptr_t)start, i + 1);
        return;
    }
}

static void ends(struct mappings *state, struct mapping *mapping, bool is_unmapped)
{
    struct diya_mapping record = mapping->record;
    uint64_t pages = pages_of(&record);
    if (is_asked(&record) && pages <= MAX_PAGES && !diya_process->is_restricted) {
        record.touched_pages = touched_pages(mapping->start, pages, record.page_bytes);
        record.resident_pages = resident_pages(mapping->start, pages, record.page_bytes);
    }
    drain(state);
    struct diya_mapping now = {.number = record.number};
    take_faults(&now);
    bool is_known = now.major_faults != NOT_KNOWN && record.major_faults != NOT_KNOWN;
    record.major_faults = is_known ? now.major_faults - record.major_faults : NOT_KNOWN;
    record.minor_faults = is_known ? now.minor_faults - record.minor_faults : NOT_KNOWN;
    record.last_ticks = is_unmapped ? diya_ticks() : 0;
    put(DIYA_MAPPING, &record, sizeof record, NULL, 0);
}

void diya_mapping_ends(const void *start)
{
    struct mappings *state = own_mappings();
    uint32_t place = diya_handle_unbind(HANDLE_KIND, (uintptr_t)start);
    if (state == NULL || place == 0 || place > MAPPINGS || !state->all[place - 1].is_used)
        return;
    struct mapping *mapping = &state->all[place - 1];
    ends(state, mapping, true);
    mapping->record.number = 0;
    __atomic_store_n(&mapping->is_used, 0, __ATOMIC_RELEASE);
}

void diya_mapping_moved(const void *start, const void *new_start, size_t new_bytes)
{
    struct mappings *state = own_mappings();
    uint32_t place = diya_handle_unbind(HANDLE_KIND, (uintptr_t)start);
    if (state == NULL || place == 0 || place > MAPPINGS)
        return;
    state->all[place - 1].start = new_start;
    state->all[place - 1].record.bytes = new_bytes;
    diya_handle_bind(HANDLE_KIND, (uintptr_t)new_start, place);
}

void diya_mappings_end(void)
{
    struct mappings *state = __atomic_load_n(&mappings, __ATOMIC_ACQUIRE);
    if (state == NULL || state->pid != diya_process->pid)
        return;
    for (uint32_t i = 0; i < MAPPINGS; i++)
        if (state->all[i].is_used && state->all[i].record.number != 0)
            ends(state, &state->all[i], false);
}
