/* Handles of other layers (FILE *, MPI_File, hid_t) and what they stand for.
 *
 * An open-addressing table with a bounded search: no lock, no memory of its
 * own, so that it works in signal handlers and among threads. A handle that
 * finds no place within the bound is simply not known.
 */
#include "state.h"

#define FREE_AGAIN 1u
#define LONGEST_SEARCH 64u

static uint64_t handle_key(unsigned kind, uint64_t handle)
{
    uint64_t mixed = (handle + ((uint64_t)kind << 56)) * 0x9e3779b97f4a7c15u;
    mixed ^= mixed >> 29;
    mixed *= 0xbf58476d1ce4e5b9u; /* both steps can be undone: keys are unique */
    mixed ^= mixed >> 32;
    return mixed <= FREE_AGAIN ? mixed + 2 : mixed;
}

static struct diya_handle_entry *find_entry(uint64_t key)
{
    struct diya_process *process = diya_process;
    for (uint32_t i = 0; i < LONGEST_SEARCH; i++) {
        struct diya_handle_entry *entry = &process->handles[(key + i) & process->handle_mask];
        uint64_t present = __atomic_load_n(&entry->key, __ATOMIC_ACQUIRE);
        if (present == key)
            return entry;
        if (present == 0)
            return NULL;
    }
    return NULL;
}

bool diya_handle_bind(unsigned kind, uint64_t handle, uint32_t value)
{
    struct diya_process *process = diya_process;
    uint64_t key = handle_key(kind, handle);
    struct diya_handle_entry *entry = find_entry(key);
    if (entry != NULL) {
        __atomic_store_n(&entry->value, value, __ATOMIC_RELEASE);
        return true;
    }
    for (uint32_t i = 0; i < LONGEST_SEARCH; i++) {
        entry = &process->handles[(key + i) & process->handle_mask];
        uint64_t present = __atomic_load_n(&entry->key, __ATOMIC_RELAXED);
        if (present > FREE_AGAIN)
            continue;
        /* A reader between the two stores finds the value 0: not bound yet. */
        if (__atomic_compare_exchange_n(&entry->key, &present, key, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
            __atomic_store_n(&entry->value, value, __ATOMIC_RELEASE);
            return true;
        }
    }
    return false;
}

uint32_t diya_handle_find(unsigned kind, uint64_t handle)
{
    struct diya_handle_entry *entry = find_entry(handle_key(kind, handle));
    return entry == NULL ? 0 : (uint32_t)__atomic_load_n(&entry->value, __ATOMIC_ACQUIRE);
}

uint32_t diya_handle_unbind(unsigned kind, uint64_t handle)
{
    struct diya_handle_entry *entry = find_entry(handle_key(kind, handle));
    if (entry == NULL)
        return 0;
    uint32_t value = (uint32_t)__atomic_exchange_n(&entry->value, 0, __ATOMIC_ACQ_REL);
    __atomic_store_n(&entry->key, FREE_AGAIN, __ATOMIC_RELEASE);
    return value;
}
