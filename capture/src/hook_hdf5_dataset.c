/* HDF5 calls on datasets. */
#include "hook_hdf5.h"

/* An object opened by name may be a dataset, a group or a type. */
static void end_object(struct diya_hdf5_call *h5, diya_hid id, const char *name)
{
    diya_returned(&h5->call);
    typedef int (*type_function)(diya_hid);
    type_function ask = DIYA_LAYER_ASK(type_function, "H5Iget_type", h5->caller);
    int type = ask != NULL && diya_hdf5_id(id, h5->caller) >= 0 ? ask(id) : -1;
    if (type == 5) { /* H5I_DATASET */
        diya_hdf5_end_dataset(h5, id, name, true);
        return;
    }
    h5->function = DIYA_F_H5G_OPEN;
    diya_hdf5_end_child(h5, id, DIYA_HDF5_GROUP);
}

static void end_extent(struct diya_hdf5_call *h5, bool is_good, diya_hid dataset, bool is_now)
{
    diya_returned(&h5->call);
    if (is_good && is_now && h5->entry != 0 && (h5->object & DIYA_HDF5_VIRTUAL) == 0)
        diya_hdf5_write_extent(h5->entry, dataset, h5->caller);
    diya_hdf5_end_simple(h5, is_good);
}

static void end_transfer(struct diya_hdf5_call *h5, bool is_good, const diya_hid *dataset, const diya_hid *memory_type,
                         const diya_hid *memory_space, const diya_hid *file_space, diya_hid transfer_list, bool is_now)
{
    struct diya_hdf5_transfer transfer = {1, dataset, memory_type, memory_space, file_space, transfer_list, is_now};
    diya_hdf5_end_transfer(h5, is_good, &transfer);
}

/* The size of the chunk as stored: its entry was just read, so it is in memory. */
static void end_read_chunk(struct diya_hdf5_call *h5, bool is_good, diya_hid dataset, const uint64_t *offset)
{
    diya_returned(&h5->call);
    typedef int (*size_function)(diya_hid, const uint64_t *, uint64_t *);
    size_function ask = DIYA_LAYER_ASK(size_function, "H5Dget_chunk_storage_size", h5->caller);
    uint64_t bytes = 0;
    if (is_good && ask != NULL && ask(dataset, offset, &bytes) < 0)
        bytes = 0;
    diya_hdf5_end_sized(h5, is_good, bytes);
}

static diya_hid first_of(size_t count, const void *datasets, const void *caller)
{
    return count > 0 ? diya_hdf5_id_at(datasets, 0, caller) : -1;
}

DIYA_EXPORT diya_hid H5Dcreate1(diya_hid location, const char *name, diya_hid type, diya_hid space,
                                diya_hid create_list)
{
    __typeof__(&H5Dcreate1) real = DIYA_LAYER_REAL(H5Dcreate1, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5D_CREATE, location, DIYA_CALLER))
        return real(location, name, type, space, create_list);
    diya_hid result = real(location, name, type, space, create_list);
    diya_hdf5_end_dataset(&h5, result, name, true);
    return result;
}

DIYA_EXPORT diya_hid H5Dcreate2(diya_hid location, const char *name, diya_hid type, diya_hid space, diya_hid link_list,
                                diya_hid create_list, diya_hid access_list)
{
    __typeof__(&H5Dcreate2) real = DIYA_LAYER_REAL(H5Dcreate2, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5D_CREATE, location, DIYA_CALLER))
        return real(location, name, type, space, link_list, create_list, access_list);
    diya_hid result = real(location, name, type, space, link_list, create_list, access_list);
    diya_hdf5_end_dataset(&h5, result, name, true);
    return result;
}

DIYA_EXPORT diya_hid H5Dcreate_async(const char *app_file, const char *app_function, unsigned app_line,
                                     diya_hid location, const char *name, diya_hid type, diya_hid space,
                                     diya_hid link_list, diya_hid create_list, diya_hid access_list, diya_hid event_set)
{
    __typeof__(&H5Dcreate_async) real = DIYA_LAYER_REAL(H5Dcreate_async, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5D_CREATE, location, DIYA_CALLER))
        return real(app_file, app_function, app_line, location, name, type, space, link_list, create_list, access_list,
                    event_set);
    diya_hid result = real(app_file, app_function, app_line, location, name, type, space, link_list, create_list,
                           access_list, event_set);
    diya_hdf5_end_dataset(&h5, result, name, event_set == 0);
    return result;
}

DIYA_EXPORT diya_hid H5Dcreate_anon(diya_hid location, diya_hid type, diya_hid space, diya_hid create_list,
                                    diya_hid access_list)
{
    __typeof__(&H5Dcreate_anon) real = DIYA_LAYER_REAL(H5Dcreate_anon, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5D_CREATE, location, DIYA_CALLER))
        return real(location, type, space, create_list, access_list);
    diya_hid result = real(location, type, space, create_list, access_list);
    diya_hdf5_end_dataset(&h5, result, NULL, true);
    return result;
}

DIYA_EXPORT diya_hid H5Dopen1(diya_hid location, const char *name)
{
    __typeof__(&H5Dopen1) real = DIYA_LAYER_REAL(H5Dopen1, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5D_OPEN, location, DIYA_CALLER))
        return real(location, name);
    diya_hid result = real(location, name);
    diya_hdf5_end_dataset(&h5, result, name, true);
    return result;
}

DIYA_EXPORT diya_hid H5Dopen2(diya_hid location, const char *name, diya_hid access_list)
{
    __typeof__(&H5Dopen2) real = DIYA_LAYER_REAL(H5Dopen2, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5D_OPEN, location, DIYA_CALLER))
        return real(location, name, access_list);
    diya_hid result = real(location, name, access_list);
    diya_hdf5_end_dataset(&h5, result, name, true);
    return result;
}

DIYA_EXPORT diya_hid H5Dopen_async(const char *app_file, const char *app_function, unsigned app_line, diya_hid location,
                                   const char *name, diya_hid access_list, diya_hid event_set)
{
    __typeof__(&H5Dopen_async) real = DIYA_LAYER_REAL(H5Dopen_async, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5D_OPEN, location, DIYA_CALLER))
        return real(app_file, app_function, app_line, location, name, access_list, event_set);
    diya_hid result = real(app_file, app_function, app_line, location, name, access_list, event_set);
    diya_hdf5_end_dataset(&h5, result, name, event_set == 0);
    return result;
}

DIYA_EXPORT diya_hid H5Oopen(diya_hid location, const char *name, diya_hid access_list)
{
    __typeof__(&H5Oopen) real = DIYA_LAYER_REAL(H5Oopen, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5D_OPEN, location, DIYA_CALLER))
        return real(location, name, access_list);
    diya_hid result = real(location, name, access_list);
    end_object(&h5, result, name);
    return result;
}

DIYA_EXPORT int H5Dclose(diya_hid dataset)
{
    __typeof__(&H5Dclose) real = DIYA_LAYER_REAL(H5Dclose, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5D_CLOSE, dataset, DIYA_CALLER))
        return real(dataset);
    int result = real(dataset);
    diya_hdf5_end_close(&h5, result >= 0, dataset);
    return result;
}

DIYA_EXPORT int H5Dclose_async(const char *app_file, const char *app_function, unsigned app_line, diya_hid dataset,
                               diya_hid event_set)
{
    __typeof__(&H5Dclose_async) real = DIYA_LAYER_REAL(H5Dclose_async, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5D_CLOSE, dataset, DIYA_CALLER))
        return real(app_file, app_function, app_line, dataset, event_set);
    int result = real(app_file, app_function, app_line, dataset, event_set);
    diya_hdf5_end_close(&h5, result >= 0, dataset);
    return result;
}

DIYA_EXPORT int H5Dflush(diya_hid dataset)
{
    __typeof__(&H5Dflush) real = DIYA_LAYER_REAL(H5Dflush, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5D_FLUSH, dataset, DIYA_CALLER))
        return real(dataset);
    int result = real(dataset);
    diya_hdf5_end_simple(&h5, result >= 0);
    return result;
}

DIYA_EXPORT int H5Drefresh(diya_hid dataset)
{
    __typeof__(&H5Drefresh) real = DIYA_LAYER_REAL(H5Drefresh, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5D_REFRESH, dataset, DIYA_CALLER))
        return real(dataset);
    int result = real(dataset);
    diya_hdf5_end_simple(&h5, result >= 0);
    return result;
}

DIYA_EXPORT int H5Dextend(diya_hid dataset, const uint64_t *dimensions)
{
    __typeof__(&H5Dextend) real = DIYA_LAYER_REAL(H5Dextend, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5D_SET_EXTENT, dataset, DIYA_CALLER))
        return real(dataset, dimensions);
    int result = real(dataset, dimensions);
    end_extent(&h5, result >= 0, dataset, true);
    return result;
}

DIYA_EXPORT int H5Dset_extent(diya_hid dataset, const uint64_t *dimensions)
{
    __typeof__(&H5Dset_extent) real = DIYA_LAYER_REAL(H5Dset_extent, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5D_SET_EXTENT, dataset, DIYA_CALLER))
        return real(dataset, dimensions);
    int result = real(dataset, dimensions);
    end_extent(&h5, result >= 0, dataset, true);
    return result;
}

DIYA_EXPORT int H5Dset_extent_async(const char *app_file, const char *app_function, unsigned app_line, diya_hid dataset,
                                    const uint64_t *dimensions, diya_hid event_set)
{
    __typeof__(&H5Dset_extent_async) real = DIYA_LAYER_REAL(H5Dset_extent_async, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5D_SET_EXTENT, dataset, DIYA_CALLER))
        return real(app_file, app_function, app_line, dataset, dimensions, event_set);
    int result = real(app_file, app_function, app_line, dataset, dimensions, event_set);
    end_extent(&h5, result >= 0, dataset, event_set == 0);
    return result;
}

DIYA_EXPORT int H5Dread(diya_hid dataset, diya_hid memory_type, diya_hid memory_space, diya_hid file_space,
                        diya_hid transfer_list, void *buffer)
{
    __typeof__(&H5Dread) real = DIYA_LAYER_REAL(H5Dread, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5D_READ, dataset, DIYA_CALLER))
        return real(dataset, memory_type, memory_space, file_space, transfer_list, buffer);
    int result = real(dataset, memory_type, memory_space, file_space, transfer_list, buffer);
    end_transfer(&h5, result >= 0, &dataset, &memory_type, &memory_space, &file_space, transfer_list, true);
    return result;
}

DIYA_EXPORT int H5Dread_async(const char *app_file, const char *app_function, unsigned app_line, diya_hid dataset,
                              diya_hid memory_type, diya_hid memory_space, diya_hid file_space, diya_hid transfer_list,
                              void *buffer, diya_hid event_set)
{
    __typeof__(&H5Dread_async) real = DIYA_LAYER_REAL(H5Dread_async, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5D_READ, dataset, DIYA_CALLER))
        return real(app_file, app_function, app_line, dataset, memory_type, memory_space, file_space, transfer_list,
                    buffer, event_set);
    int result = real(app_file, app_function, app_line, dataset, memory_type, memory_space, file_space, transfer_list,
                      buffer, event_set);
    end_transfer(&h5, result >= 0, &dataset, &memory_type, &memory_space, &file_space, transfer_list, event_set == 0);
    return result;
}

DIYA_EXPORT int H5Dwrite(diya_hid dataset, diya_hid memory_type, diya_hid memory_space, diya_hid file_space,
                         diya_hid transfer_list, const void *buffer)
{
    __typeof__(&H5Dwrite) real = DIYA_LAYER_REAL(H5Dwrite, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5D_WRITE, dataset, DIYA_CALLER))
        return real(dataset, memory_type, memory_space, file_space, transfer_list, buffer);
    int result = real(dataset, memory_type, memory_space, file_space, transfer_list, buffer);
    end_transfer(&h5, result >= 0, &dataset, &memory_type, &memory_space, &file_space, transfer_list, true);
    return result;
}

DIYA_EXPORT int H5Dwrite_async(const char *app_file, const char *app_function, unsigned app_line, diya_hid dataset,
                               diya_hid memory_type, diya_hid memory_space, diya_hid file_space, diya_hid transfer_list,
                               const void *buffer, diya_hid event_set)
{
    __typeof__(&H5Dwrite_async) real = DIYA_LAYER_REAL(H5Dwrite_async, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5D_WRITE, dataset, DIYA_CALLER))
        return real(app_file, app_function, app_line, dataset, memory_type, memory_space, file_space, transfer_list,
                    buffer, event_set);
    int result = real(app_file, app_function, app_line, dataset, memory_type, memory_space, file_space, transfer_list,
                      buffer, event_set);
    end_transfer(&h5, result >= 0, &dataset, &memory_type, &memory_space, &file_space, transfer_list, event_set == 0);
    return result;
}

DIYA_EXPORT int H5Dread_multi(size_t count, void *datasets, void *memory_types, void *memory_spaces, void *file_spaces,
                              diya_hid transfer_list, void *buffers)
{
    __typeof__(&H5Dread_multi) real = DIYA_LAYER_REAL(H5Dread_multi, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5D_READ_MULTI, first_of(count, datasets, DIYA_CALLER), DIYA_CALLER))
        return real(count, datasets, memory_types, memory_spaces, file_spaces, transfer_list, buffers);
    int result = real(count, datasets, memory_types, memory_spaces, file_spaces, transfer_list, buffers);
    diya_hdf5_end_transfer(
        &h5, result >= 0,
        &(struct diya_hdf5_transfer){count, datasets, memory_types, memory_spaces, file_spaces, transfer_list, true});
    return result;
}

DIYA_EXPORT int H5Dread_multi_async(const char *app_file, const char *app_function, unsigned app_line, size_t count,
                                    void *datasets, void *memory_types, void *memory_spaces, void *file_spaces,
                                    diya_hid transfer_list, void *buffers, diya_hid event_set)
{
    __typeof__(&H5Dread_multi_async) real = DIYA_LAYER_REAL(H5Dread_multi_async, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5D_READ_MULTI, first_of(count, datasets, DIYA_CALLER), DIYA_CALLER))
        return real(app_file, app_function, app_line, count, datasets, memory_types, memory_spaces, file_spaces,
                    transfer_list, buffers, event_set);
    int result = real(app_file, app_function, app_line, count, datasets, memory_types, memory_spaces, file_spaces,
                      transfer_list, buffers, event_set);
    diya_hdf5_end_transfer(&h5, result >= 0,
                           &(struct diya_hdf5_transfer){count, datasets, memory_types, memory_spaces, file_spaces,
                                                        transfer_list, event_set == 0});
    return result;
}

DIYA_EXPORT int H5Dwrite_multi(size_t count, void *datasets, void *memory_types, void *memory_spaces, void *file_spaces,
                               diya_hid transfer_list, void *buffers)
{
    __typeof__(&H5Dwrite_multi) real = DIYA_LAYER_REAL(H5Dwrite_multi, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5D_WRITE_MULTI, first_of(count, datasets, DIYA_CALLER), DIYA_CALLER))
        return real(count, datasets, memory_types, memory_spaces, file_spaces, transfer_list, buffers);
    int result = real(count, datasets, memory_types, memory_spaces, file_spaces, transfer_list, buffers);
    diya_hdf5_end_transfer(
        &h5, result >= 0,
        &(struct diya_hdf5_transfer){count, datasets, memory_types, memory_spaces, file_spaces, transfer_list, true});
    return result;
}

DIYA_EXPORT int H5Dwrite_multi_async(const char *app_file, const char *app_function, unsigned app_line, size_t count,
                                     void *datasets, void *memory_types, void *memory_spaces, void *file_spaces,
                                     diya_hid transfer_list, void *buffers, diya_hid event_set)
{
    __typeof__(&H5Dwrite_multi_async) real = DIYA_LAYER_REAL(H5Dwrite_multi_async, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5D_WRITE_MULTI, first_of(count, datasets, DIYA_CALLER), DIYA_CALLER))
        return real(app_file, app_function, app_line, count, datasets, memory_types, memory_spaces, file_spaces,
                    transfer_list, buffers, event_set);
    int result = real(app_file, app_function, app_line, count, datasets, memory_types, memory_spaces, file_spaces,
                      transfer_list, buffers, event_set);
    diya_hdf5_end_transfer(&h5, result >= 0,
                           &(struct diya_hdf5_transfer){count, datasets, memory_types, memory_spaces, file_spaces,
                                                        transfer_list, event_set == 0});
    return result;
}

DIYA_EXPORT int H5Dwrite_chunk(diya_hid dataset, diya_hid transfer_list, uint32_t filters, const uint64_t *offset,
                               size_t size, const void *buffer)
{
    __typeof__(&H5Dwrite_chunk) real = DIYA_LAYER_REAL(H5Dwrite_chunk, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5D_WRITE_CHUNK, dataset, DIYA_CALLER))
        return real(dataset, transfer_list, filters, offset, size, buffer);
    int result = real(dataset, transfer_list, filters, offset, size, buffer);
    diya_hdf5_end_sized(&h5, result >= 0, size);
    return result;
}

DIYA_EXPORT int H5Dread_chunk(diya_hid dataset, diya_hid transfer_list, const uint64_t *offset, uint32_t *filters,
                              void *buffer)
{
    __typeof__(&H5Dread_chunk) real = DIYA_LAYER_REAL(H5Dread_chunk, DIYA_CALLER);
    struct diya_hdf5_call h5;
    if (!diya_hdf5_begin_object(&h5, DIYA_F_H5D_READ_CHUNK, dataset, DIYA_CALLER))
        return real(dataset, transfer_list, offset, filters, buffer);
    int result = real(dataset, transfer_list, offset, filters, buffer);
    end_read_chunk(&h5, result >= 0, dataset, offset);
    return result;
}
