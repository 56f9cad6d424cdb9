/* The table of requests in flight. */
#include "flight.h"
#include "files.h"
#include "state.h"
#include "system.h"

#include <string.h>

enum { PLACES = 1 << 16, LONGEST_SEARCH = 256 };

_Thread_local uint32_t diya_inside_library;

/* Values of a place's key that are no keys. */
enum { FREE = 0, CHANGING = 1, FIRST_KEY = 2 };

struct flights {
    uint64_t in_flight;
    uint64_t keys[PLACES];
    struct diya_flight requests[PLACES];
};
static struct flights *flights;

static struct flights *table(void)
{
    struct flights *known = __atomic_load_n(&flights, __ATOMIC_ACQUIRE);
    if (known != NULL)
        return known;
    struct flights *made = sys_memory(sizeof *made);
    if (made == NULL)
        return NULL;
    sys_advise(made, sizeof *made, MADV_WIPEONFORK);
    if (__atomic_compare_exchange_n(&flights, &known, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return made;
    sys_unmap(made, sizeof *made); /* another thread was faster */
    return known;
}

static uint64_t key_of(uint64_t owner, uint64_t mark)
{
    const uint64_t words[2] = {owner, mark};
    uint64_t key = diya_hash(words, sizeof words, 0);
    return key < FIRST_KEY ? key + FIRST_KEY : key;
}

void diya_flight_begins(uint64_t mark, const struct diya_flight *flight)
{
    struct flights *all = table();
    uint64_t key = key_of(flight->owner, mark);
    for (uint64_t i = 0; all != NULL && i < LONGEST_SEARCH; i++) {
        uint64_t place = (key + i) % PLACES, none = FREE;
        if (__atomic_load_n(&all->keys[place], __ATOMIC_RELAXED) != FREE ||
            !__atomic_compare_exchange_n(&all->keys[place], &none, CHANGING, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            continue;
        all->requests[place] = *flight;
        __atomic_fetch_add(&all->in_flight, 1, __ATOMIC_RELAXED);
        __atomic_store_n(&all->keys[place], key, __ATOMIC_RELEASE);
        return;
    }
    diya_count_dropped(DIYA_DROPPED_FLIGHTS, 1);
}

static bool take(struct flights *all, uint64_t place, uint64_t key, struct diya_flight *flight)
{
    if (!__atomic_compare_exchange_n(&all->keys[place], &key, CHANGING, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return false;
    *flight = all->requests[place];
    __atomic_fetch_sub(&all->in_flight, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&all->keys[place], FREE, __ATOMIC_RELEASE);
    return true;
}

bool diya_flight_ends(uint64_t owner, uint64_t mark, struct diya_flight *flight)
{
    struct flights *all = __atomic_load_n(&flights, __ATOMIC_ACQUIRE);
    if (all == NULL || __atomic_load_n(&all->in_flight, __ATOMIC_RELAXED) == 0)
        return false;
    uint64_t key = key_of(owner, mark), oldest = UINT64_MAX, found = PLACES;
    for (uint64_t i = 0; i < LONGEST_SEARCH; i++) {
        uint64_t place = (key + i) % PLACES;
        if (__atomic_load_n(&all->keys[place], __ATOMIC_ACQUIRE) != key || all->requests[place].submitted_ns >= oldest)
            continue;
        oldest = all->requests[place].submitted_ns;
        found = place;
    }
    return found < PLACES && take(all, found, key, flight);
}

void diya_flights_forget(uint64_t owner)
{
    struct flights *all = __atomic_load_n(&flights, __ATOMIC_ACQUIRE);
    struct diya_flight flight;
    for (uint64_t place = 0; all != NULL && place < PLACES; place++) {
        if (__atomic_load_n(&all->in_flight, __ATOMIC_RELAXED) == 0)
            return;
        uint64_t key = __atomic_load_n(&all->keys[place], __ATOMIC_ACQUIRE);
        if (key >= FIRST_KEY && all->requests[place].owner == owner && take(all, place, key, &flight) &&
            flight.function != 0)
            diya_count_dropped(DIYA_DROPPED_FLIGHTS, 1);
    }
}

void diya_flight_landed(const struct diya_call *call, const struct diya_flight *flight, int64_t result, uint64_t now_ns)
{
    if (flight->function == 0)
        return;
    struct diya_call landing = *call;
    landing.start = landing.end;
    struct diya_event event = DIYA_EVENT(flight->function);
    event.file = flight->file;
    event.offset = flight->offset;
    event.requested = flight->has_size ? flight->requested : 0;
    event.done = result < 0 || flight->has_size ? result : 0;
    event.has_aux = true;
    event.aux = now_ns > flight->submitted_ns ? now_ns - flight->submitted_ns : 0;
    diya_also(&landing, &event);
}
