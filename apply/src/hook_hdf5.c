/* HDF5 calls that create or open files and create datasets. */
#include "hdf5.h"

struct scope {
    const struct hdf5_library *h5;
    const void *recorded_for;
    struct hdf5_list list;
};

static void enter(struct scope *scope, const void *caller)
{
    scope->h5 = apply_hdf5(caller);
    scope->recorded_for = apply_layer_for(caller);
}

static hid leave(struct scope *scope, hid result)
{
    apply_hdf5_end(scope->h5, &scope->list, result);
    apply_layer_for(scope->recorded_for);
    return result;
}

#define HOOK(name, parameters, make_list, call)                                                                        \
    APPLY_EXPORT hid name parameters;                                                                                  \
    hid name parameters                                                                                                \
    {                                                                                                                  \
        struct scope scope;                                                                                            \
        enter(&scope, APPLY_CALLER);                                                                                   \
        const struct hdf5_library *h5 = scope.h5;                                                                      \
        if (h5->name == NULL)                                                                                          \
            return -1;                                                                                                 \
        make_list;                                                                                                     \
        hid list = scope.list.passed_on;                                                                               \
        return leave(&scope, h5->name call);                                                                           \
    }

#define FILE_LIST apply_hdf5_file_list(h5, path, access_list, &scope.list)
#define DATASET_LIST apply_hdf5_dataset_list(h5, location, create_list, &scope.list)

HOOK(H5Fcreate, (const char *path, unsigned flags, hid create_list, hid access_list), FILE_LIST,
     (path, flags, create_list, list))

HOOK(H5Fcreate_async,
     (const char *app_file, const char *app_function, unsigned app_line, const char *path, unsigned flags,
      hid create_list, hid access_list, hid event_set),
     FILE_LIST, (app_file, app_function, app_line, path, flags, create_list, list, event_set))

HOOK(H5Fopen, (const char *path, unsigned flags, hid access_list), FILE_LIST, (path, flags, list))

HOOK(H5Fopen_async,
     (const char *app_file, const char *app_function, unsigned app_line, const char *path, unsigned flags,
      hid access_list, hid event_set),
     FILE_LIST, (app_file, app_function, app_line, path, flags, list, event_set))

HOOK(H5Dcreate1, (hid location, const char *name, hid type, hid space, hid create_list), DATASET_LIST,
     (location, name, type, space, list))

HOOK(H5Dcreate2, (hid location, const char *name, hid type, hid space, hid link_list, hid create_list, hid access_list),
     DATASET_LIST, (location, name, type, space, link_list, list, access_list))

HOOK(H5Dcreate_anon, (hid location, hid type, hid space, hid create_list, hid access_list), DATASET_LIST,
     (location, type, space, list, access_list))

HOOK(H5Dcreate_async,
     (const char *app_file, const char *app_function, unsigned app_line, hid location, const char *name, hid type,
      hid space, hid link_list, hid create_list, hid access_list, hid event_set),
     DATASET_LIST,
     (app_file, app_function, app_line, location, name, type, space, link_list, list, access_list, event_set))
