/* HDF5 attributes. They are known by their file: programs write thousands. */
#include "hook_hdf5.h"

static void end_transfer(struct diya_hdf5_call *h5, bool is_good, diya_hid attribute, bool is_now)
{
    diya_returned(&h5->call);
    typedef uint64_t (*size_function)(diya_hid);
    size_function ask = DIYA_LAYER_ASK(size_function, "H5Aget_storage_size", h5->caller);
    diya_hdf5_end_sized(h5, is_good, is_good && is_now && ask != NULL ? ask(attribute) : 0);
}

DIYA_EXPORT diya_hid H5Acreate1(diya_hid location, const char *name, diya_hid type, diya_hid space,
                                diya_hid create_list)
{
    __typeof__(&H5Acreate1) real = DIYA_LAYER_REAL(H5Acreate1, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5A_CREATE, location, DIYA_CALLER))
        return real(location, name, type, space, create_list);
    diya_hid result = real(location, name, type, space, create_list);
    diya_hdf5_end_child(&h5, result, DIYA_HDF5_ATTRIBUTE);
    return result;
}

DIYA_EXPORT diya_hid H5Acreate2(diya_hid location, const char *name, diya_hid type, diya_hid space,
                                diya_hid create_list, diya_hid access_list)
{
    __typeof__(&H5Acreate2) real = DIYA_LAYER_REAL(H5Acreate2, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5A_CREATE, location, DIYA_CALLER))
        return real(location, name, type, space, create_list, access_list);
    diya_hid result = real(location, name, type, space, create_list, access_list);
    diya_hdf5_end_child(&h5, result, DIYA_HDF5_ATTRIBUTE);
    return result;
}

DIYA_EXPORT diya_hid H5Acreate_async(const char *app_file, const char *app_function, unsigned app_line,
                                     diya_hid location, const char *name, diya_hid type, diya_hid space,
                                     diya_hid create_list, diya_hid access_list, diya_hid event_set)
{
    __typeof__(&H5Acreate_async) real = DIYA_LAYER_REAL(H5Acreate_async, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5A_CREATE, location, DIYA_CALLER))
        return real(app_file, app_function, app_line, location, name, type, space, create_list, access_list, event_set);
    diya_hid result =
        real(app_file, app_function, app_line, location, name, type, space, create_list, access_list, event_set);
    diya_hdf5_end_child(&h5, result, DIYA_HDF5_ATTRIBUTE);
    return result;
}

DIYA_EXPORT diya_hid H5Acreate_by_name(diya_hid location, const char *object, const char *name, diya_hid type,
                                       diya_hid space, diya_hid create_list, diya_hid access_list, diya_hid link_list)
{
    __typeof__(&H5Acreate_by_name) real = DIYA_LAYER_REAL(H5Acreate_by_name, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5A_CREATE, location, DIYA_CALLER))
        return real(location, object, name, type, space, create_list, access_list, link_list);
    diya_hid result = real(location, object, name, type, space, create_list, access_list, link_list);
    diya_hdf5_end_child(&h5, result, DIYA_HDF5_ATTRIBUTE);
    return result;
}

DIYA_EXPORT diya_hid H5Acreate_by_name_async(const char *app_file, const char *app_function, unsigned app_line,
                                             diya_hid location, const char *object, const char *name, diya_hid type,
                                             diya_hid space, diya_hid create_list, diya_hid access_list,
                                             diya_hid link_list, diya_hid event_set)
{
    __typeof__(&H5Acreate_by_name_async) real = DIYA_LAYER_REAL(H5Acreate_by_name_async, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5A_CREATE, location, DIYA_CALLER))
        return real(app_file, app_function, app_line, location, object, name, type, space, create_list, access_list,
                    link_list, event_set);
    diya_hid result = real(app_file, app_function, app_line, location, object, name, type, space, create_list,
                           access_list, link_list, event_set);
    diya_hdf5_end_child(&h5, result, DIYA_HDF5_ATTRIBUTE);
    return result;
}

DIYA_EXPORT diya_hid H5Aopen(diya_hid object, const char *name, diya_hid access_list)
{
    __typeof__(&H5Aopen) real = DIYA_LAYER_REAL(H5Aopen, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5A_OPEN, object, DIYA_CALLER))
        return real(object, name, access_list);
    diya_hid result = real(object, name, access_list);
    diya_hdf5_end_child(&h5, result, DIYA_HDF5_ATTRIBUTE);
    return result;
}

DIYA_EXPORT diya_hid H5Aopen_async(const char *app_file, const char *app_function, unsigned app_line, diya_hid object,
                                   const char *name, diya_hid access_list, diya_hid event_set)
{
    __typeof__(&H5Aopen_async) real = DIYA_LAYER_REAL(H5Aopen_async, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5A_OPEN, object, DIYA_CALLER))
        return real(app_file, app_function, app_line, object, name, access_list, event_set);
    diya_hid result = real(app_file, app_function, app_line, object, name, access_list, event_set);
    diya_hdf5_end_child(&h5, result, DIYA_HDF5_ATTRIBUTE);
    return result;
}

DIYA_EXPORT diya_hid H5Aopen_name(diya_hid location, const char *name)
{
    __typeof__(&H5Aopen_name) real = DIYA_LAYER_REAL(H5Aopen_name, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5A_OPEN, location, DIYA_CALLER))
        return real(location, name);
    diya_hid result = real(location, name);
    diya_hdf5_end_child(&h5, result, DIYA_HDF5_ATTRIBUTE);
    return result;
}

DIYA_EXPORT diya_hid H5Aopen_idx(diya_hid location, unsigned index)
{
    __typeof__(&H5Aopen_idx) real = DIYA_LAYER_REAL(H5Aopen_idx, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5A_OPEN, location, DIYA_CALLER))
        return real(location, index);
    diya_hid result = real(location, index);
    diya_hdf5_end_child(&h5, result, DIYA_HDF5_ATTRIBUTE);
    return result;
}

DIYA_EXPORT diya_hid H5Aopen_by_name(diya_hid location, const char *object, const char *name, diya_hid access_list,
                                     diya_hid link_list)
{
    __typeof__(&H5Aopen_by_name) real = DIYA_LAYER_REAL(H5Aopen_by_name, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5A_OPEN, location, DIYA_CALLER))
        return real(location, object, name, access_list, link_list);
    diya_hid result = real(location, object, name, access_list, link_list);
    diya_hdf5_end_child(&h5, result, DIYA_HDF5_ATTRIBUTE);
    return result;
}

DIYA_EXPORT diya_hid H5Aopen_by_name_async(const char *app_file, const char *app_function, unsigned app_line,
                                           diya_hid location, const char *object, const char *name,
                                           diya_hid access_list, diya_hid link_list, diya_hid event_set)
{
    __typeof__(&H5Aopen_by_name_async) real = DIYA_LAYER_REAL(H5Aopen_by_name_async, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5A_OPEN, location, DIYA_CALLER))
        return real(app_file, app_function, app_line, location, object, name, access_list, link_list, event_set);
    diya_hid result = real(app_file, app_function, app_line, location, object, name, access_list, link_list, event_set);
    diya_hdf5_end_child(&h5, result, DIYA_HDF5_ATTRIBUTE);
    return result;
}

DIYA_EXPORT diya_hid H5Aopen_by_idx(diya_hid location, const char *object, int index_type, int order, uint64_t index,
                                    diya_hid access_list, diya_hid link_list)
{
    __typeof__(&H5Aopen_by_idx) real = DIYA_LAYER_REAL(H5Aopen_by_idx, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5A_OPEN, location, DIYA_CALLER))
        return real(location, object, index_type, order, index, access_list, link_list);
    diya_hid result = real(location, object, index_type, order, index, access_list, link_list);
    diya_hdf5_end_child(&h5, result, DIYA_HDF5_ATTRIBUTE);
    return result;
}

DIYA_EXPORT diya_hid H5Aopen_by_idx_async(const char *app_file, const char *app_function, unsigned app_line,
                                          diya_hid location, const char *object, int index_type, int order,
                                          uint64_t index, diya_hid access_list, diya_hid link_list, diya_hid event_set)
{
    __typeof__(&H5Aopen_by_idx_async) real = DIYA_LAYER_REAL(H5Aopen_by_idx_async, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5A_OPEN, location, DIYA_CALLER))
        return real(app_file, app_function, app_line, location, object, index_type, order, index, access_list,
                    link_list, event_set);
    diya_hid result = real(app_file, app_function, app_line, location, object, index_type, order, index, access_list,
                           link_list, event_set);
    diya_hdf5_end_child(&h5, result, DIYA_HDF5_ATTRIBUTE);
    return result;
}

DIYA_EXPORT int H5Aread(diya_hid attribute, diya_hid type, void *buffer)
{
    __typeof__(&H5Aread) real = DIYA_LAYER_REAL(H5Aread, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5A_READ, attribute, DIYA_CALLER))
        return real(attribute, type, buffer);
    int result = real(attribute, type, buffer);
    end_transfer(&h5, result >= 0, attribute, true);
    return result;
}

DIYA_EXPORT int H5Aread_async(const char *app_file, const char *app_function, unsigned app_line, diya_hid attribute,
                              diya_hid type, void *buffer, diya_hid event_set)
{
    __typeof__(&H5Aread_async) real = DIYA_LAYER_REAL(H5Aread_async, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5A_READ, attribute, DIYA_CALLER))
        return real(app_file, app_function, app_line, attribute, type, buffer, event_set);
    int result = real(app_file, app_function, app_line, attribute, type, buffer, event_set);
    end_transfer(&h5, result >= 0, attribute, event_set == 0);
    return result;
}

DIYA_EXPORT int H5Awrite(diya_hid attribute, diya_hid type, const void *buffer)
{
    __typeof__(&H5Awrite) real = DIYA_LAYER_REAL(H5Awrite, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5A_WRITE, attribute, DIYA_CALLER))
        return real(attribute, type, buffer);
    int result = real(attribute, type, buffer);
    end_transfer(&h5, result >= 0, attribute, true);
    return result;
}

DIYA_EXPORT int H5Awrite_async(const char *app_file, const char *app_function, unsigned app_line, diya_hid attribute,
                               diya_hid type, const void *buffer, diya_hid event_set)
{
    __typeof__(&H5Awrite_async) real = DIYA_LAYER_REAL(H5Awrite_async, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5A_WRITE, attribute, DIYA_CALLER))
        return real(app_file, app_function, app_line, attribute, type, buffer, event_set);
    int result = real(app_file, app_function, app_line, attribute, type, buffer, event_set);
    end_transfer(&h5, result >= 0, attribute, event_set == 0);
    return result;
}

DIYA_EXPORT int H5Aclose(diya_hid attribute)
{
    __typeof__(&H5Aclose) real = DIYA_LAYER_REAL(H5Aclose, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5A_CLOSE, attribute, DIYA_CALLER))
        return real(attribute);
    int result = real(attribute);
    diya_hdf5_end_close(&h5, result >= 0, attribute);
    return result;
}

DIYA_EXPORT int H5Aclose_async(const char *app_file, const char *app_function, unsigned app_line, diya_hid attribute,
                               diya_hid event_set)
{
    __typeof__(&H5Aclose_async) real = DIYA_LAYER_REAL(H5Aclose_async, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5A_CLOSE, attribute, DIYA_CALLER))
        return real(app_file, app_function, app_line, attribute, event_set);
    int result = real(app_file, app_function, app_line, attribute, event_set);
    diya_hdf5_end_close(&h5, result >= 0, attribute);
    return result;
}
