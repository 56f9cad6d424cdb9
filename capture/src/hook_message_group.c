/* Communicators, and windows of one-sided messages: numbers of this process for its records,
 * and a key that is the same on all ranks of one.
 *
 * The key is a hash of the ranks in MPI_COMM_WORLD and of how many communicators with these
 * ranks were made before. All ranks of a communicator take part in making each that has the
 * same ranks, in one order, so all count alike. */
#include "hook_message_group.h"
#include "core.h"
#include "hook_mpi.h"
#include "files.h"
#include "record.h"
#include "state.h"

#define COMMUNICATORS 4096u
#define LONGEST_SEARCH 16u
#define FREED 1u

static struct communicator {
    uint64_t handle; /* 0: free */
    uint32_t number, sequence, size;
    uint32_t is_window;
} communicators[COMMUNICATORS];

static uint32_t last_number;

#define KEY_OF_WORLD 1u

static inline struct communicator *place_of(uint64_t handle, bool is_window, bool make)
{
    uint32_t first = (uint32_t)((handle * 0x9e3779b97f4a7c15u) >> 40);
    struct communicator *free_place = NULL;
    for (uint32_t i = 0; i < LONGEST_SEARCH; i++) {
        struct communicator *place = &communicators[(first + i) % COMMUNICATORS];
        uint64_t present = __atomic_load_n(&place->handle, __ATOMIC_ACQUIRE);
        if (present == handle && place->is_window == is_window)
            return place;
        if (present <= FREED && free_place == NULL)
            free_place = place;
        if (present == 0)
            break;
    }
    if (!make || free_place == NULL)
        return NULL;
    uint64_t present = __atomic_load_n(&free_place->handle, __ATOMIC_RELAXED);
    /* Two threads may make one at the same time: the second one's has no number. */
    if (present > FREED ||
        !__atomic_compare_exchange_n(&free_place->handle, &present, FREED, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
        return NULL;
    return free_place;
}

/* --- who is in it ----------------------------------------------------------------------- */

#define RANKS_AT_ONCE 256

typedef int (*ask_function)(uintptr_t, void *);
typedef int (*translate_function)(uintptr_t, int, const int *, uintptr_t, int *);
typedef int (*free_function)(uintptr_t *);

static int answer(ask_function ask, uintptr_t of)
{
    int answered = 0;
    return ask != NULL && ask(of, &answered) == 0 ? answered : 0;
}

/* 0: not known. */
static uintptr_t group_of(uintptr_t handle, bool is_window, const void *caller)
{
    uintptr_t group = 0;
    ask_function ask = is_window ? DIYA_LAYER_ASK(ask_function, "PMPI_Win_get_group", caller)
                                 : DIYA_LAYER_ASK(ask_function, "PMPI_Comm_group", caller);
    return ask != NULL && ask(handle, &group) == 0 ? group : 0;
}

static void release(uintptr_t group, const void *caller)
{
    free_function ask = DIYA_LAYER_ASK(free_function, "PMPI_Group_free", caller);
    if (ask != NULL && group != 0)
        ask(&group);
}

/* Hash of the ranks in MPI_COMM_WORLD; 0: not known. */
static uint64_t hash_of_ranks(uintptr_t group, int size, const void *caller)
{
    translate_function translate = DIYA_LAYER_ASK(translate_function, "PMPI_Group_translate_ranks", caller);
    if (translate == NULL || !diya_mpi_has_world(caller))
        return 0;
    uint64_t hash = 14695981039346656037u;
    uintptr_t world = group_of(diya_mpi_comm_world(caller), false, caller);
    bool is_known = world != 0;
    for (int from = 0; is_known && from < size; from += RANKS_AT_ONCE) {
        int number = size - from < RANKS_AT_ONCE ? size - from : RANKS_AT_ONCE;
        int ranks[RANKS_AT_ONCE], in_world[RANKS_AT_ONCE];
        for (int i = 0; i < number; i++)
            ranks[i] = from + i;
        is_known = translate(group, number, ranks, world, in_world) == 0;
        for (int i = 0; is_known && i < number; i++)
            hash = (hash ^ (uint32_t)in_world[i]) * 1099511628211u;
    }
    release(world, caller);
    return is_known ? hash | 1 : 0;
}

/* So many with these ranks were there before. */
static uint32_t ordinal(uint64_t hash)
{
    uint32_t before = diya_handle_find(DIYA_HANDLE_COMMUNICATORS, hash >> 8);
    diya_handle_bind(DIYA_HANDLE_COMMUNICATORS, hash >> 8, before + 1);
    return before;
}

static uint64_t key_of(uintptr_t group, int size, const void *caller)
{
    uint64_t hash = hash_of_ranks(group, size, caller);
    return hash == 0 ? 0 : (hash ^ ordinal(hash)) * 0x9e3779b97f4a7c15u | 2;
}

/* --- making them known ------------------------------------------------------------------- */

static void write_record(struct communicator *place, uintptr_t handle, bool is_window, const void *caller)
{
    uintptr_t group = group_of(handle, is_window, caller);
    int size = 0, rank = 0;
    uint64_t key = 0;
    if (group != 0) {
        size = answer(DIYA_LAYER_ASK(ask_function, "PMPI_Group_size", caller), group);
        rank = answer(DIYA_LAYER_ASK(ask_function, "PMPI_Group_rank", caller), group);
        bool is_world =
            !is_window && diya_mpi_handle(handle, caller) == diya_mpi_handle(diya_mpi_comm_world(caller), caller);
        key = is_world ? KEY_OF_WORLD : key_of(group, size, caller);
        release(group, caller);
    }
    ask_function ask_inter = DIYA_LAYER_ASK(ask_function, "PMPI_Comm_test_inter", caller);
    bool is_inter = !is_window && answer(ask_inter, handle) != 0;
    place->number = __atomic_add_fetch(&last_number, 1, __ATOMIC_RELAXED);
    place->sequence = 0;
    place->size = (uint32_t)size;
    place->is_window = is_window;
    uint8_t head[32], *to = head;
    to = diya_varint_to(to, place->number);
    to = diya_varint_to(to, (uint32_t)size);
    to = diya_varint_to(to, (uint32_t)(rank < 0 ? 0 : rank));
    *to++ = is_inter ? DIYA_COMMUNICATOR_INTER : DIYA_COMMUNICATOR_GROUP;
    uint64_t generation = diya_enter();
    diya_record_other(diya_tls.thread, DIYA_COMMUNICATOR, head, (size_t)(to - head), &key, sizeof key);
    diya_leave(generation);
}

static DIYA_RARELY struct communicator *make(uintptr_t handle, bool is_window, const void *caller)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return NULL;
    struct communicator *place = place_of(diya_mpi_handle(handle, caller), is_window, true);
    if (place != NULL && place->handle == FREED) {
        write_record(place, handle, is_window, caller);
        __atomic_store_n(&place->handle, diya_mpi_handle(handle, caller), __ATOMIC_RELEASE);
    }
    diya_cancel(&call);
    return place;
}

static inline struct communicator *find_or_make(uintptr_t handle, bool is_window, const void *caller)
{
    struct communicator *found = place_of(diya_mpi_handle(handle, caller), is_window, false);
    return __builtin_expect(found != NULL, 1) ? found : make(handle, is_window, caller);
}

uint32_t diya_communicator(uintptr_t handle, bool is_window, uint32_t *sequence, const void *caller)
{
    struct communicator *found = find_or_make(handle, is_window, caller);
    if (found == NULL)
        return 0;
    if (sequence != NULL)
        *sequence = __atomic_add_fetch(&found->sequence, 1, __ATOMIC_RELAXED);
    return found->number;
}

uint32_t diya_communicator_size(uintptr_t handle, const void *caller)
{
    struct communicator *found = find_or_make(handle, false, caller);
    return found == NULL ? 0 : found->size;
}

void diya_communicator_made(uintptr_t handle, bool is_window, const void *caller)
{
    if (!is_window && diya_mpi_is_null_comm(handle, caller))
        return;
    diya_communicator_forget(handle, is_window, caller); /* one with this handle may have gone unseen */
    make(handle, is_window, caller);
}

void diya_communicator_forget(uintptr_t handle, bool is_window, const void *caller)
{
    struct communicator *found = place_of(diya_mpi_handle(handle, caller), is_window, false);
    if (found != NULL)
        __atomic_store_n(&found->handle, FREED, __ATOMIC_RELEASE);
}
