/* HDF5 calls on files and groups, and the generic ones that close anything. */
#include "hook_hdf5.h"

DIYA_EXPORT diya_hid H5Fcreate(const char *path, unsigned flags, diya_hid create_list, diya_hid access_list)
{
    __typeof__(&H5Fcreate) real = DIYA_LAYER_REAL(H5Fcreate, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin(&h5, DIYA_F_H5F_CREATE, DIYA_CALLER))
        return real(path, flags, create_list, access_list);
    diya_hid result = real(path, flags, create_list, access_list);
    diya_hdf5_end_file(&h5, result, path, flags, access_list, true);
    return result;
}

DIYA_EXPORT diya_hid H5Fcreate_async(const char *app_file, const char *app_function, unsigned app_line,
                                     const char *path, unsigned flags, diya_hid create_list, diya_hid access_list,
                                     diya_hid event_set)
{
    __typeof__(&H5Fcreate_async) real = DIYA_LAYER_REAL(H5Fcreate_async, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin(&h5, DIYA_F_H5F_CREATE, DIYA_CALLER))
        return real(app_file, app_function, app_line, path, flags, create_list, access_list, event_set);
    diya_hid result = real(app_file, app_function, app_line, path, flags, create_list, access_list, event_set);
    diya_hdf5_end_file(&h5, result, path, flags, access_list, event_set == 0);
    return result;
}

DIYA_EXPORT diya_hid H5Fopen(const char *path, unsigned flags, diya_hid access_list)
{
    __typeof__(&H5Fopen) real = DIYA_LAYER_REAL(H5Fopen, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin(&h5, DIYA_F_H5F_OPEN, DIYA_CALLER))
        return real(path, flags, access_list);
    diya_hid result = real(path, flags, access_list);
    diya_hdf5_end_file(&h5, result, path, flags, access_list, true);
    return result;
}

DIYA_EXPORT diya_hid H5Fopen_async(const char *app_file, const char *app_function, unsigned app_line, const char *path,
                                   unsigned flags, diya_hid access_list, diya_hid event_set)
{
    __typeof__(&H5Fopen_async) real = DIYA_LAYER_REAL(H5Fopen_async, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin(&h5, DIYA_F_H5F_OPEN, DIYA_CALLER))
        return real(app_file, app_function, app_line, path, flags, access_list, event_set);
    diya_hid result = real(app_file, app_function, app_line, path, flags, access_list, event_set);
    diya_hdf5_end_file(&h5, result, path, flags, access_list, event_set == 0);
    return result;
}

DIYA_EXPORT diya_hid H5Freopen(diya_hid file)
{
    __typeof__(&H5Freopen) real = DIYA_LAYER_REAL(H5Freopen, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5F_REOPEN, file, DIYA_CALLER))
        return real(file);
    diya_hid result = real(file);
    diya_hdf5_end_reopen(&h5, result);
    return result;
}

DIYA_EXPORT diya_hid H5Freopen_async(const char *app_file, const char *app_function, unsigned app_line, diya_hid file,
                                     diya_hid event_set)
{
    __typeof__(&H5Freopen_async) real = DIYA_LAYER_REAL(H5Freopen_async, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5F_REOPEN, file, DIYA_CALLER))
        return real(app_file, app_function, app_line, file, event_set);
    diya_hid result = real(app_file, app_function, app_line, file, event_set);
    diya_hdf5_end_reopen(&h5, result);
    return result;
}

DIYA_EXPORT int H5Fflush(diya_hid object, int scope)
{
    __typeof__(&H5Fflush) real = DIYA_LAYER_REAL(H5Fflush, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5F_FLUSH, object, DIYA_CALLER))
        return real(object, scope);
    int result = real(object, scope);
    diya_hdf5_end_simple(&h5, result >= 0);
    return result;
}

DIYA_EXPORT int H5Fflush_async(const char *app_file, const char *app_function, unsigned app_line, diya_hid object,
                               int scope, diya_hid event_set)
{
    __typeof__(&H5Fflush_async) real = DIYA_LAYER_REAL(H5Fflush_async, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5F_FLUSH, object, DIYA_CALLER))
        return real(app_file, app_function, app_line, object, scope, event_set);
    int result = real(app_file, app_function, app_line, object, scope, event_set);
    diya_hdf5_end_simple(&h5, result >= 0);
    return result;
}

DIYA_EXPORT int H5Fclose(diya_hid file)
{
    __typeof__(&H5Fclose) real = DIYA_LAYER_REAL(H5Fclose, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5F_CLOSE, file, DIYA_CALLER))
        return real(file);
    int result = real(file);
    diya_hdf5_end_close(&h5, result >= 0, file);
    return result;
}

DIYA_EXPORT int H5Fclose_async(const char *app_file, const char *app_function, unsigned app_line, diya_hid file,
                               diya_hid event_set)
{
    __typeof__(&H5Fclose_async) real = DIYA_LAYER_REAL(H5Fclose_async, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5F_CLOSE, file, DIYA_CALLER))
        return real(app_file, app_function, app_line, file, event_set);
    int result = real(app_file, app_function, app_line, file, event_set);
    diya_hdf5_end_close(&h5, result >= 0, file);
    return result;
}

DIYA_EXPORT diya_hid H5Gcreate1(diya_hid location, const char *name, size_t size_hint)
{
    __typeof__(&H5Gcreate1) real = DIYA_LAYER_REAL(H5Gcreate1, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5G_CREATE, location, DIYA_CALLER))
        return real(location, name, size_hint);
    diya_hid result = real(location, name, size_hint);
    diya_hdf5_end_child(&h5, result, DIYA_HDF5_GROUP);
    return result;
}

DIYA_EXPORT diya_hid H5Gcreate2(diya_hid location, const char *name, diya_hid link_list, diya_hid create_list,
                                diya_hid access_list)
{
    __typeof__(&H5Gcreate2) real = DIYA_LAYER_REAL(H5Gcreate2, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5G_CREATE, location, DIYA_CALLER))
        return real(location, name, link_list, create_list, access_list);
    diya_hid result = real(location, name, link_list, create_list, access_list);
    diya_hdf5_end_child(&h5, result, DIYA_HDF5_GROUP);
    return result;
}

DIYA_EXPORT diya_hid H5Gcreate_async(const char *app_file, const char *app_function, unsigned app_line,
                                     diya_hid location, const char *name, diya_hid link_list, diya_hid create_list,
                                     diya_hid access_list, diya_hid event_set)
{
    __typeof__(&H5Gcreate_async) real = DIYA_LAYER_REAL(H5Gcreate_async, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5G_CREATE, location, DIYA_CALLER))
        return real(app_file, app_function, app_line, location, name, link_list, create_list, access_list, event_set);
    diya_hid result =
        real(app_file, app_function, app_line, location, name, link_list, create_list, access_list, event_set);
    diya_hdf5_end_child(&h5, result, DIYA_HDF5_GROUP);
    return result;
}

DIYA_EXPORT diya_hid H5Gopen1(diya_hid location, const char *name)
{
    __typeof__(&H5Gopen1) real = DIYA_LAYER_REAL(H5Gopen1, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5G_OPEN, location, DIYA_CALLER))
        return real(location, name);
    diya_hid result = real(location, name);
    diya_hdf5_end_child(&h5, result, DIYA_HDF5_GROUP);
    return result;
}

DIYA_EXPORT diya_hid H5Gopen2(diya_hid location, const char *name, diya_hid access_list)
{
    __typeof__(&H5Gopen2) real = DIYA_LAYER_REAL(H5Gopen2, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5G_OPEN, location, DIYA_CALLER))
        return real(location, name, access_list);
    diya_hid result = real(location, name, access_list);
    diya_hdf5_end_child(&h5, result, DIYA_HDF5_GROUP);
    return result;
}

DIYA_EXPORT diya_hid H5Gopen_async(const char *app_file, const char *app_function, unsigned app_line, diya_hid location,
                                   const char *name, diya_hid access_list, diya_hid event_set)
{
    __typeof__(&H5Gopen_async) real = DIYA_LAYER_REAL(H5Gopen_async, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5G_OPEN, location, DIYA_CALLER))
        return real(app_file, app_function, app_line, location, name, access_list, event_set);
    diya_hid result = real(app_file, app_function, app_line, location, name, access_list, event_set);
    diya_hdf5_end_child(&h5, result, DIYA_HDF5_GROUP);
    return result;
}

DIYA_EXPORT int H5Lexists(diya_hid location, const char *name, diya_hid access_list)
{
    __typeof__(&H5Lexists) real = DIYA_LAYER_REAL(H5Lexists, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5L_EXISTS, location, DIYA_CALLER))
        return real(location, name, access_list);
    int result = real(location, name, access_list);
    diya_hdf5_end_located(&h5, result >= 0);
    return result;
}

DIYA_EXPORT int H5Ldelete(diya_hid location, const char *name, diya_hid access_list)
{
    __typeof__(&H5Ldelete) real = DIYA_LAYER_REAL(H5Ldelete, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5L_DELETE, location, DIYA_CALLER))
        return real(location, name, access_list);
    int result = real(location, name, access_list);
    diya_hdf5_end_located(&h5, result >= 0);
    return result;
}

DIYA_EXPORT int H5Ocopy(diya_hid source, const char *source_name, diya_hid target, const char *target_name,
                        diya_hid copy_list, diya_hid link_list)
{
    __typeof__(&H5Ocopy) real = DIYA_LAYER_REAL(H5Ocopy, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5O_COPY, source, DIYA_CALLER))
        return real(source, source_name, target, target_name, copy_list, link_list);
    int result = real(source, source_name, target, target_name, copy_list, link_list);
    diya_hdf5_end_located(&h5, result >= 0);
    return result;
}

DIYA_EXPORT int H5ESwait(diya_hid event_set, uint64_t timeout, size_t *under_way, void *failed)
{
    __typeof__(&H5ESwait) real = DIYA_LAYER_REAL(H5ESwait, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin(&h5, DIYA_F_H5ES_WAIT, DIYA_CALLER))
        return real(event_set, timeout, under_way, failed);
    int result = real(event_set, timeout, under_way, failed);
    diya_hdf5_end_simple(&h5, result >= 0);
    return result;
}

/* --- closing what the number alone says -------------------------------------- */

/* A group needs no record to be closed, only to be forgotten. */
DIYA_EXPORT int H5Gclose(diya_hid group)
{
    int result = DIYA_LAYER_REAL(H5Gclose, DIYA_CALLER)(group);
    if (result >= 0)
        diya_hdf5_forget(group, DIYA_CALLER);
    return result;
}

/* Ends the record of a call that closed `id` if it was a file or dataset. */
static void end_generic_close(struct diya_hdf5_call *h5, bool is_closed, diya_hid id)
{
    switch (h5->object & DIYA_HDF5_TYPE) {
    case DIYA_HDF5_FILE:
        h5->function = DIYA_F_H5I_DEC_REF_FILE;
        break;
    case DIYA_HDF5_DATASET:
        h5->function = DIYA_F_H5I_DEC_REF_DATASET;
        break;
    default:
        if (is_closed && h5->object != 0)
            diya_hdf5_unbind(id, h5->caller);
        is_closed = false;
    }
    if (is_closed) {
        diya_hdf5_end_close(h5, true, id);
        return;
    }
    if (h5->call.end == 0)
        diya_returned(&h5->call);
    diya_cancel(&h5->call);
}

/* How h5py closes everything: the number of references that are left. */
DIYA_EXPORT int H5Idec_ref(diya_hid id)
{
    __typeof__(&H5Idec_ref) real = DIYA_LAYER_REAL(H5Idec_ref, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5I_DEC_REF_FILE, id, DIYA_CALLER))
        return real(id);
    int left = real(id);
    diya_returned(&h5.call);
    end_generic_close(&h5, left == 0, id);
    return left;
}

DIYA_EXPORT int H5Oclose(diya_hid id)
{
    __typeof__(&H5Oclose) real = DIYA_LAYER_REAL(H5Oclose, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5I_DEC_REF_DATASET, id, DIYA_CALLER))
        return real(id);
    int result = real(id);
    diya_returned(&h5.call);
    end_generic_close(&h5, result >= 0, id);
    return result;
}
