/* Finds functions of MPI and HDF5 by the module that calls: past our hooks, and past the recorder. */
#include "layer.h"

#include "../../capture/include/diya_applied.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef const void *(*record_for_function)(const void *);

static record_for_function record_for;

/* After the constructors that read the settings, and before other libraries' calls. */
__attribute__((constructor(102))) static void find_recorder(void)
{
    void (*introduce)(const void *) = (void (*)(const void *))dlsym(RTLD_DEFAULT, "diya_record_forwarder");
    record_for = (record_for_function)dlsym(RTLD_DEFAULT, "diya_record_for");
    if (introduce != NULL)
        introduce((const void *)&apply_layer_for);
}

const void *apply_layer_for(const void *caller)
{
    return record_for != NULL ? record_for(caller) : NULL;
}

static const void *module_of(const void *address)
{
    Dl_info info;
    return address != NULL && dladdr(address, &info) != 0 ? info.dli_fbase : NULL;
}

uintptr_t apply_layer_module(const void *caller)
{
    return (uintptr_t)module_of(caller);
}

static bool is_ours(const void *address)
{
    return module_of(address) == module_of((const void *)&apply_layer_for);
}

static bool is_recorders(const void *address)
{
    return record_for != NULL && module_of(address) == module_of((const void *)record_for);
}

/* What is neither ours nor the recorder's; the others lead back here. */
static void *beyond(void *found)
{
    return found != NULL && !is_ours(found) && !is_recorders(found) ? found : NULL;
}

/* In the module of the caller and what it depends on. The handle is never given back: what
 * is found may be kept. The program itself has no name here; its scope is the global one. */
static void *in_scope_of(const void *caller, const char *name)
{
    Dl_info info;
    if (dladdr(caller, &info) == 0 || info.dli_fname == NULL || strchr(info.dli_fname, '/') == NULL)
        return NULL;
    void *module = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    return module == NULL ? NULL : beyond(dlsym(module, name));
}

struct named_object {
    unsigned index, seen;
    bool is_found;
    char path[APPLY_LAYER_PATH];
};

static int note_object(struct dl_phdr_info *object, size_t bytes, void *context)
{
    (void)bytes;
    struct named_object *wanted = context;
    if (wanted->seen++ != wanted->index)
        return 0;
    wanted->is_found = true;
    snprintf(wanted->path, sizeof wanted->path, "%s", object->dlpi_name == NULL ? "" : object->dlpi_name);
    return 1;
}

/* One object at a time: dlopen within dl_iterate_phdr would take the linker's locks in the
 * wrong order. */
void *apply_layer_past(const char *name)
{
    for (unsigned index = 0;; index++) {
        struct named_object object = {.index = index};
        dl_iterate_phdr(note_object, &object);
        if (!object.is_found)
            return NULL;
        void *library = object.path[0] == '\0' ? NULL : dlopen(object.path, RTLD_LAZY | RTLD_NOLOAD);
        if (library == NULL)
            continue;
        void *found = beyond(dlsym(library, name));
        dlclose(library);
        if (found != NULL)
            return found;
    }
}

/* A program may hold a variable of a library itself (copy relocation). Then the library
 * uses that one, and it is found in the global scope only. */
void *apply_layer_own(const char *name, const void *caller)
{
    void *found = in_scope_of(caller, name);
    if (found == NULL)
        found = beyond(dlsym(RTLD_DEFAULT, name));
    return found == NULL ? apply_layer_past(name) : found;
}

/* The global scope has the recorder and other tools that want to see the call. If it has the
 * library itself, a module may still depend on another copy. */
void *apply_layer_next(const char *name, const void *caller)
{
    void *next = dlsym(RTLD_NEXT, name);
    if (next == NULL)
        return apply_layer_own(name, caller);
    bool is_hdf5 = strncmp(name, "H5", 2) == 0;
    bool is_library = is_hdf5 && module_of(next) == module_of(dlsym(RTLD_NEXT, "H5open"));
    void *copy = is_library ? in_scope_of(caller, name) : NULL;
    dlerror(); /* what our questions left is not for the program */
    return copy != NULL ? copy : next;
}

bool apply_layer_is_called_by(const void *caller, const char *symbol)
{
    void *found = in_scope_of(caller, symbol);
    return found != NULL && module_of(found) == module_of(caller);
}

static const char *without_file_system(const char *path)
{
    const char *colon = strchr(path, ':'), *slash = strchr(path, '/');
    size_t length = colon == NULL ? 0 : (size_t)(colon - path);
    bool is_prefix = length >= 2 && length <= 8 && (slash == NULL || colon < slash) &&
                     strspn(path, "abcdefghijklmnopqrstuvwxyz0123456789") == length;
    return is_prefix ? colon + 1 : path;
}

const char *apply_layer_path(char room[APPLY_LAYER_PATH], const char *path)
{
    path = without_file_system(path);
    size_t used = 0;
    if (path[0] != '/' && getcwd(room, APPLY_LAYER_PATH / 2) != NULL) {
        used = strlen(room);
        while (strncmp(path, "./", 2) == 0)
            path += 2;
        room[used++] = '/';
    }
    snprintf(room + used, APPLY_LAYER_PATH - used, "%s", path);
    return room;
}
