/* The functions behind the hooks.
 *
 * RTLD_NEXT finds what the global scope holds. A library that was opened with
 * RTLD_LOCAL (the extension modules of Python) calls our hook all the same,
 * since preloaded libraries come first in every scope; but the function behind
 * it is in no global scope. Then every loaded library is asked.
 */
#include "base.h"
#include "system.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

#define NAMES_BYTES (256u * 1024u)

struct loaded_names {
    char *at, *end;
};

static int note_name(struct dl_phdr_info *object, size_t bytes, void *context)
{
    (void)bytes;
    struct loaded_names *names = context;
    size_t length = object->dlpi_name == NULL ? 0 : strlen(object->dlpi_name);
    if (length > 0 && names->at + length + 2 < names->end) {
        memcpy(names->at, object->dlpi_name, length + 1);
        names->at += length + 1;
    }
    return 0;
}

static bool is_own(const void *address)
{
    Dl_info own, other;
    return dladdr((const void *)is_own, &own) != 0 && dladdr(address, &other) != 0 && own.dli_fbase == other.dli_fbase;
}

/* The names are gathered first: dlopen within dl_iterate_phdr would take the
 * linker's locks in the wrong order. */
static void *find_in_local_scopes(const char *name)
{
    char *memory = sys_memory(NAMES_BYTES);
    if (memory == NULL)
        return NULL;
    struct loaded_names names = {.at = memory, .end = memory + NAMES_BYTES};
    dl_iterate_phdr(note_name, &names);
    void *found = NULL;
    for (char *path = memory; path < names.at && found == NULL; path += strlen(path) + 1) {
        void *library = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
        if (library == NULL)
            continue;
        void *candidate = dlsym(library, name);
        if (candidate != NULL && !is_own(candidate))
            found = candidate;
        dlclose(library);
    }
    sys_unmap(memory, NAMES_BYTES);
    return found;
}

static void *find(const char *name)
{
    int saved_errno = errno;
    /* The linker may open and read files, which is not the program's doing. */
    uint64_t paused = diya_pause();
    void *found = dlsym(RTLD_NEXT, name);
    if (found == NULL)
        found = find_in_local_scopes(name);
    diya_resume(paused);
    errno = saved_errno;
    return found;
}

void *diya_symbol(const char *name)
{
    return find(name);
}

static long missing(void)
{
    errno = ENOSYS;
    return -1;
}

void *diya_resolve(void **cache, const char *name)
{
    void *found = find(name);
    if (found == NULL)
        return (void *)missing; /* not kept: the library may be loaded later */
    __atomic_store_n(cache, found, __ATOMIC_RELAXED);
    return found;
}
