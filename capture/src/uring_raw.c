/* Rings that a program drives by io_uring_setup and io_uring_enter.
 *
 * The program maps a ring where it likes, and unmaps it when it likes: here each
 * ring is mapped once more, read-only, until its descriptor is closed.
 */
#include "core.h"
#include "descriptors.h"
#include "flight.h"
#include "state.h"
#include "system.h"
#include "uring.h"
#include "uring_raw.h"

enum { RINGS = 64, SINGLE_MAP = 1, ENTRIES_128 = 1 << 10, COMPLETIONS_32 = 1 << 11, NO_ARRAY = 1 << 16 };
#define SUBMIT_RING_AT 0L
#define COMPLETE_RING_AT 0x8000000L
#define ENTRIES_AT 0x10000000L

struct parameters { /* struct io_uring_params */
    uint32_t entries, completions, flags, cpu, idle, features, wq_fd, reserved[3];
    struct {
        uint32_t head, tail, mask, entries, flags, dropped, array, reserved;
        uint64_t address;
    } submit;
    struct {
        uint32_t head, tail, mask, entries, overflow, completions, flags, reserved;
        uint64_t address;
    } complete;
};

struct ring {
    uint32_t state;                  /* enum ring_state */
    uint32_t submitting, completing; /* one thread at a time looks */
    uint32_t submit_seen, complete_seen, requested;
    const uint32_t *submit_head;
    struct uring_view view;
    void *maps[3];
    size_t map_bytes[3];
};
enum ring_state { RING_NONE = 0, RING_CHANGING = 1, RING_KNOWN = 2 };

static struct ring *rings; /* RINGS of them; empty in a forked child, which does not drive its parent's */
/* Rings that are mapped; a descriptor that is closed may be one of them. */
static uint32_t uring_rings;
static void uring_closed(int fd);

static struct ring *all_rings(void)
{
    struct ring *known = __atomic_load_n(&rings, __ATOMIC_ACQUIRE);
    if (known != NULL)
        return known;
    struct ring *made = sys_memory(RINGS * sizeof *made);
    if (made == NULL)
        return NULL;
    sys_advise(made, RINGS * sizeof *made, MADV_WIPEONFORK);
    if (__atomic_compare_exchange_n(&rings, &known, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return made;
    sys_unmap(made, RINGS * sizeof *made);
    return known;
}

static struct ring *ring_of(int fd)
{
    struct ring *all = __atomic_load_n(&rings, __ATOMIC_ACQUIRE);
    for (int i = 0; all != NULL && i < RINGS; i++)
        if (__atomic_load_n(&all[i].state, __ATOMIC_ACQUIRE) == RING_KNOWN && all[i].view.fd == fd)
            return &all[i];
    return NULL;
}

static void *map_of(struct ring *ring, int which, int fd, long at, size_t bytes)
{
    ring->maps[which] = sys_map(bytes, PROT_READ, MAP_SHARED, fd, at);
    ring->map_bytes[which] = bytes;
    if (ring->maps[which] != NULL)
        sys_advise(ring->maps[which], bytes, MADV_DONTFORK);
    return ring->maps[which];
}

static void unmap(struct ring *ring)
{
    for (int i = 0; i < 3; i++) {
        if (ring->maps[i] != NULL)
            sys_unmap(ring->maps[i], ring->map_bytes[i]);
        ring->maps[i] = NULL;
    }
}

static bool map_ring(struct ring *ring, int fd, const struct parameters *p)
{
    struct uring_view *view = &ring->view;
    view->fd = fd;
    view->owner = (uintptr_t)ring;
    view->entry_bytes = p->flags & ENTRIES_128 ? 128 : 64;
    view->completion_bytes = p->flags & COMPLETIONS_32 ? 32 : 16;
    size_t submit_bytes = p->submit.array + p->entries * sizeof(uint32_t);
    size_t complete_bytes = p->complete.completions + (size_t)p->completions * view->completion_bytes;
    if (p->features & SINGLE_MAP && complete_bytes > submit_bytes)
        submit_bytes = complete_bytes;
    uint8_t *submit = map_of(ring, 0, fd, SUBMIT_RING_AT, submit_bytes);
    uint8_t *complete = p->features & SINGLE_MAP ? submit : map_of(ring, 1, fd, COMPLETE_RING_AT, complete_bytes);
    view->entries = map_of(ring, 2, fd, ENTRIES_AT, (size_t)p->entries * view->entry_bytes);
    if (submit == NULL || complete == NULL || view->entries == NULL)
        return false;
    ring->submit_head = (const uint32_t *)(submit + p->submit.head);
    view->submit_tail = (const uint32_t *)(submit + p->submit.tail);
    view->array = p->flags & NO_ARRAY ? NULL : (const uint32_t *)(submit + p->submit.array);
    view->submit_mask = p->entries - 1;
    view->complete_tail = (const uint32_t *)(complete + p->complete.tail);
    view->completions = complete + p->complete.completions;
    view->complete_mask = p->completions - 1;
    return true;
}

static bool is_power_of_2(uint32_t number)
{
    return number != 0 && (number & (number - 1)) == 0;
}

/* The kernel has filled in the parameters. */
void uring_made(struct diya_call *call, const void *parameters, int64_t outcome)
{
    const struct parameters *p = parameters;
    struct ring *all = outcome >= 0 ? all_rings() : NULL;
    for (int i = 0; all != NULL && i < RINGS; i++) {
        struct ring *ring = &all[i];
        uint32_t none = RING_NONE;
        if (!is_power_of_2(p->entries) || !is_power_of_2(p->completions))
            break;
        if (!__atomic_compare_exchange_n(&ring->state, &none, RING_CHANGING, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            continue;
        ring->submit_seen = ring->complete_seen = ring->requested = 0;
        bool is_mapped = map_ring(ring, (int)outcome, p);
        if (is_mapped) {
            __atomic_fetch_add(&uring_rings, 1, __ATOMIC_RELAXED);
            __atomic_store_n(&diya_descriptor_watcher, uring_closed, __ATOMIC_RELAXED);
        } else {
            unmap(ring);
        }
        __atomic_store_n(&ring->state, is_mapped ? RING_KNOWN : RING_NONE, __ATOMIC_RELEASE);
        break;
    }
    diya_cancel(call);
}

static bool begin_looking(uint32_t *mark)
{
    return __atomic_exchange_n(mark, 1, __ATOMIC_ACQUIRE) == 0;
}

static void end_looking(uint32_t *mark)
{
    __atomic_store_n(mark, 0, __ATOMIC_RELEASE);
}

/* All that the program has put in: what the kernel does not take now it takes later. */
uint32_t uring_entering(int fd)
{
    uint32_t file = DIYA_NO_FILE_YET;
    struct ring *ring = ring_of(fd);
    if (ring == NULL || !begin_looking(&ring->submitting))
        return 0;
    const struct uring_view *view = &ring->view;
    uint32_t tail = __atomic_load_n(view->submit_tail, __ATOMIC_ACQUIRE);
    uint64_t now_ns = diya_monotonic_ns();
    if (tail - ring->submit_seen > view->submit_mask + 1)
        ring->submit_seen = tail - view->submit_mask - 1; /* entries that passed unseen */
    for (; ring->submit_seen != tail; ring->submit_seen++) {
        uint32_t place = ring->submit_seen & view->submit_mask;
        uint32_t index = view->array != NULL ? view->array[place] : place;
        if (index <= view->submit_mask) {
            file = diya_common_file(file, uring_requested(view, index, now_ns));
            ring->requested++;
        }
    }
    end_looking(&ring->submitting);
    return diya_file_or_none(file);
}

static void look_for_completions(struct diya_call *call, struct ring *ring)
{
    if (!begin_looking(&ring->completing))
        return;
    ring->complete_seen = uring_completed(call, &ring->view, ring->complete_seen);
    end_looking(&ring->completing);
}

void uring_entered(struct diya_call *call, int fd, unsigned submitted, unsigned flags, uint32_t file, int64_t outcome)
{
    enum { GET_EVENTS = 1 };
    struct ring *ring = ring_of(fd);
    if (ring != NULL)
        look_for_completions(call, ring);
    bool is_wait = submitted == 0 && (flags & GET_EVENTS) != 0;
    uring_end(call, is_wait ? DIYA_F_IO_URING_WAIT : DIYA_F_IO_URING_ENTER, file, outcome);
}

void uring_registered(int fd, unsigned operation, const void *argument, unsigned count, int64_t outcome)
{
    enum { REGISTER_FILES = 2, UPDATE_FILES = 6 };
    struct update {
        uint32_t first, reserved;
        uint64_t fds;
    };
    if (outcome < 0)
        return;
    if (operation == REGISTER_FILES) {
        uring_files(fd, 0, argument, count);
    } else if (operation == UPDATE_FILES) {
        const struct update *update = argument;
        uring_files(fd, update->first, (const int *)(uintptr_t)update->fds, count);
    }
}

/* Before the descriptor is closed: what has completed since the last call, and how
 * many requests the kernel took in calls that were not seen. */
static void uring_closed(int fd)
{
    struct ring *ring = ring_of(fd);
    uint32_t known = RING_KNOWN;
    if (ring == NULL ||
        !__atomic_compare_exchange_n(&ring->state, &known, RING_CHANGING, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return;
    struct diya_call call = {.start = diya_ticks(), .depth = diya_tls.depth};
    call.end = call.start;
    look_for_completions(&call, ring);
    uint32_t taken = __atomic_load_n(ring->submit_head, __ATOMIC_ACQUIRE);
    if (taken != ring->requested)
        diya_count_dropped(DIYA_DROPPED_FLIGHTS, taken - ring->requested);
    diya_flights_forget(ring->view.owner);
    unmap(ring);
    __atomic_fetch_sub(&uring_rings, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&ring->state, RING_NONE, __ATOMIC_RELEASE);
}

/* A vfork child ends, and its parent goes on with the same memory. */
void uring_process_ends(void)
{
    struct ring *all = __atomic_load_n(&rings, __ATOMIC_ACQUIRE);
    struct diya_call call;
    if (all == NULL || uring_rings == 0 || diya_process == NULL || diya_process->pid != sys_pid() || !diya_begin(&call))
        return;
    for (int i = 0; i < RINGS; i++)
        if (__atomic_load_n(&all[i].state, __ATOMIC_ACQUIRE) == RING_KNOWN)
            uring_closed(all[i].view.fd);
    diya_cancel(&call);
}
