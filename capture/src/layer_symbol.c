/* Looks real functions up in the scope of the calling module. */
#include "layer_symbol.h"

#include "../include/diya_applied.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

struct scope {
    uintptr_t start, end; /* the module's mapped addresses; end is written last */
    void *handle;
};
static struct scope scopes[DIYA_LAYER_SCOPES];
static uint32_t scopes_taken;

static int64_t missing_function(void)
{
    return -1;
}

/* One loaded object, as dl_iterate_phdr shows it. */
struct object_search {
    uintptr_t address; /* look for the object that holds it, ... */
    uint32_t index;    /* ... or with address 0 for the one of this index */
    uint32_t seen;
    bool found;
    uintptr_t start, end;
    char path[1024];
};

static int visit_object(struct dl_phdr_info *object, size_t size, void *argument)
{
    (void)size;
    struct object_search *search = argument;
    uintptr_t start = UINTPTR_MAX, end = 0;
    for (int at = 0; at < object->dlpi_phnum; at++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[at];
        if (segment->p_type != PT_LOAD)
            continue;
        uintptr_t from = object->dlpi_addr + segment->p_vaddr;
        start = from < start ? from : start;
        end = from + segment->p_memsz > end ? from + segment->p_memsz : end;
    }
    bool is_it =
        search->address != 0 ? search->address >= start && search->address < end : search->seen == search->index;
    search->seen++;
    if (!is_it || strlen(object->dlpi_name) >= sizeof search->path)
        return is_it;
    search->found = true;
    search->start = start;
    search->end = end;
    strcpy(search->path, object->dlpi_name);
    return 1;
}

uintptr_t diya_forwarder_start, diya_forwarder_bytes;
_Thread_local const void *diya_forwarded_for __attribute__((tls_model("initial-exec")));

DIYA_EXPORT void diya_record_forwarder(const void *code)
{
    struct object_search search = {.address = (uintptr_t)code};
    dl_iterate_phdr(visit_object, &search);
    diya_forwarder_start = search.start;
    diya_forwarder_bytes = search.end - search.start;
}

DIYA_EXPORT const void *diya_record_for(const void *caller)
{
    const void *before = diya_forwarded_for;
    diya_forwarded_for = caller;
    return before;
}

/* The forwarder's hooks lead here: to call them would never end. */
static bool is_ours(const void *function)
{
    if ((uintptr_t)function - diya_forwarder_start < diya_forwarder_bytes)
        return true;
    Dl_info ours, theirs;
    return dladdr((const void *)&scopes, &ours) != 0 && dladdr(function, &theirs) != 0 &&
           ours.dli_fbase == theirs.dli_fbase;
}

static void *symbol_in(void *handle, const char *name)
{
    void *found = handle != NULL ? dlsym(handle, name) : NULL;
    return found != NULL && !is_ours(found) ? found : NULL;
}

/* Index of the caller's module among the scopes, or -1. */
static int scope_of(uintptr_t address)
{
    uint32_t taken = __atomic_load_n(&scopes_taken, __ATOMIC_ACQUIRE);
    taken = taken < DIYA_LAYER_SCOPES ? taken : DIYA_LAYER_SCOPES;
    for (uint32_t at = 0; at < taken; at++) {
        uintptr_t end = __atomic_load_n(&scopes[at].end, __ATOMIC_ACQUIRE);
        if (address < end && address >= scopes[at].start)
            return (int)at;
    }
    if (taken == DIYA_LAYER_SCOPES)
        return -1;
    struct object_search search = {.address = address};
    dl_iterate_phdr(visit_object, &search);
    if (!search.found)
        return -1;
    uint32_t at = __atomic_fetch_add(&scopes_taken, 1, __ATOMIC_ACQ_REL);
    if (at >= DIYA_LAYER_SCOPES)
        return -1;
    /* Never given back: a module that is unloaded while its functions are
     * cached here would leave pointers to nothing. */
    scopes[at].handle = dlopen(search.path[0] != 0 ? search.path : NULL, RTLD_LAZY | RTLD_NOLOAD);
    scopes[at].start = search.start;
    __atomic_store_n(&scopes[at].end, search.end, __ATOMIC_RELEASE);
    return (int)at;
}

/* The caller itself may be unknown to us (a tail call puts a Python
 * interpreter in its place): take the first loaded object that has it. */
static void *symbol_anywhere(const char *name)
{
    for (uint32_t index = 0;; index++) {
        struct object_search search = {.index = index};
        dl_iterate_phdr(visit_object, &search);
        if (!search.found && search.seen <= index)
            return NULL;
        if (!search.found || search.path[0] == 0)
            continue;
        void *handle = dlopen(search.path, RTLD_LAZY | RTLD_NOLOAD);
        void *found = symbol_in(handle, name);
        if (handle != NULL)
            dlclose(handle);
        if (found != NULL)
            return found;
    }
}

/* Whether a definition is the library's own, not that of another tool in
 * front of it: then one of the functions that every copy has lies beside it. */
static bool is_in_library(const void *function)
{
    static const char *const always[] = {"H5open", "nc_strerror", "ncmpi_strerror"};
    Dl_info library, other;
    if (dladdr(function, &library) == 0)
        return false;
    for (size_t at = 0; at < sizeof always / sizeof always[0]; at++) {
        void *found = dlsym(RTLD_NEXT, always[at]);
        if (found != NULL && !is_ours(found) && dladdr(found, &other) != 0 && other.dli_fbase == library.dli_fbase)
            return true;
    }
    return false;
}

/* Several copies of a library differ in their symbol versions (Debian's
 * serial and parallel HDF5 may meet in one process), of which dlsym knows
 * nothing. What the calling module depends on is right then. Of MPI there is
 * only one, and tools that wrap it shall see the calls. */
static bool has_copies(const char *name)
{
    return strncmp(name, "H5", 2) == 0 || strncmp(name, "nc", 2) == 0;
}

static void *find(struct diya_layer_cache *cache, const char *name, const void *caller, void *global_scope)
{
    int scope = scope_of((uintptr_t)caller);
    if (scope >= 0) {
        void *known = __atomic_load_n(&cache->found[1 + scope], __ATOMIC_RELAXED);
        if (known != NULL)
            return known == (void *)&missing_function ? NULL : known;
    }
    void *found = dlsym(global_scope, name);
    if (found != NULL && !has_copies(name)) {
        __atomic_store_n(&cache->found[0], found, __ATOMIC_RELAXED);
        return found;
    }
    void *own = scope >= 0 ? symbol_in(scopes[scope].handle, name) : NULL;
    if (own != NULL && (found == NULL || is_in_library(found)))
        found = own;
    if (found == NULL)
        found = symbol_anywhere(name);
    if (scope >= 0)
        __atomic_store_n(&cache->found[1 + scope], found != NULL ? found : (void *)&missing_function, __ATOMIC_RELAXED);
    return found;
}

void *diya_layer_find(struct diya_layer_cache *cache, const char *name, const void *caller)
{
    return find(cache, name, caller, RTLD_NEXT);
}

/* A program may hold the library's variable itself, by a copy relocation, and
 * comes before us in the search order. */
void *diya_layer_find_data(struct diya_layer_cache *cache, const char *name, const void *caller)
{
    return find(cache, name, caller, RTLD_DEFAULT);
}

void *diya_layer_real(struct diya_layer_cache *cache, const char *name, const void *caller)
{
    void *found = diya_layer_find(cache, name, caller);
    return found != NULL ? found : (void *)&missing_function;
}
