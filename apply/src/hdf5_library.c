/* The functions of each loaded copy of HDF5, looked up when a module calls it first. */
#include "hdf5.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

enum { MODULES = 128 }; /* that call HDF5; h5py alone consists of 25 */

static struct hdf5_library *libraries[MODULES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The program may hold a variable of the library it is linked to itself (copy relocation):
 * then it is that of the global scope which counts. */
static hid value_of(const struct hdf5_library *h5, const char *name, const char *old_name, const void *caller)
{
    bool is_global = (void *)h5->H5open == dlsym(RTLD_DEFAULT, "H5open");
    const char *names[] = {name, old_name};
    for (int i = 0; i < 2; i++) {
        const void *variable = is_global ? dlsym(RTLD_DEFAULT, names[i]) : apply_layer_own(names[i], caller);
        if (variable != NULL)
            return h5->is_old ? *(const int32_t *)variable : *(const int64_t *)variable;
    }
    return -1;
}

static void look_up(struct hdf5_library *h5, const void *caller)
{
    unsigned major = 0, minor = 0, release = 0;
#define F(result, name, arguments) h5->name = (__typeof__(h5->name))apply_layer_own(#name, caller);
    HDF5_QUESTIONS(F)
#undef F
#define F(result, name, arguments) h5->name = (__typeof__(h5->name))apply_layer_next(#name, caller);
    HDF5_CALLS(F)
#undef F
    bool can_copy = h5->H5Pcopy != NULL && h5->H5Pclose != NULL && h5->H5Eget_current_stack != NULL &&
                    h5->H5Eset_current_stack != NULL;
    if (!can_copy || h5->H5open == NULL || h5->H5open() < 0 || h5->H5get_libversion == NULL ||
        h5->H5get_libversion(&major, &minor, &release) < 0)
        return;
    h5->is_old = major == 1 && minor < 10;
    h5->file_access = value_of(h5, "H5P_LST_FILE_ACCESS_ID_g", "H5P_LST_FILE_ACCESS_g", caller);
    h5->dataset_create = value_of(h5, "H5P_LST_DATASET_CREATE_ID_g", "H5P_LST_DATASET_CREATE_g", caller);
    h5->is_complete = h5->file_access > 0 && h5->dataset_create > 0;
}

/* For a module that finds no place the functions are looked up again each time. */
const struct hdf5_library *apply_hdf5(const void *caller)
{
    static _Thread_local struct hdf5_library nowhere;
    uintptr_t module = apply_layer_module(caller);
    pthread_mutex_lock(&lock);
    int at = 0;
    while (at < MODULES && libraries[at] != NULL && libraries[at]->module != module)
        at++;
    struct hdf5_library *h5 = at < MODULES ? libraries[at] : NULL;
    if (h5 == NULL) {
        h5 = at < MODULES ? calloc(1, sizeof *h5) : NULL;
        h5 = h5 == NULL ? &nowhere : h5;
        h5->module = module;
        look_up(h5, caller);
        if (at < MODULES && h5 != &nowhere)
            libraries[at] = h5;
    }
    pthread_mutex_unlock(&lock);
    return h5;
}

hid apply_hdf5_id(const struct hdf5_library *h5, hid id)
{
    return h5->is_old ? (int32_t)id : id;
}

static _Thread_local unsigned writing __attribute__((tls_model("initial-exec")));

bool apply_hdf5_writes_data(void)
{
    return writing != 0;
}

void apply_hdf5_write_begins(void)
{
    writing++;
}

void apply_hdf5_write_ends(void)
{
    writing--;
}
