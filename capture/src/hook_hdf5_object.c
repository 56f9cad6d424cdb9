/* Which file and dataset an hid_t stands for. */
#include "core.h"
#include "hook_hdf5.h"

/* H5Dflush came with 1.10, as did the 64-bit hid_t. */
diya_hid diya_hdf5_id(diya_hid id, const void *caller)
{
    return DIYA_LAYER_ASK(void *, "H5Dflush", caller) != NULL ? id : (int32_t)id;
}

diya_hid diya_hdf5_id_at(const void *ids, size_t at, const void *caller)
{
    bool is_wide = diya_hdf5_id(INT64_C(1) << 32, caller) != 0;
    return is_wide ? ((const diya_hid *)ids)[at] : ((const int32_t *)ids)[at];
}

static uint64_t key_of(diya_hid id, const void *caller)
{
    return diya_layer_key(DIYA_LAYER_ASK(void *, "H5open", caller), (uint64_t)diya_hdf5_id(id, caller));
}

bool diya_hdf5_find(struct diya_hdf5_call *h5, diya_hid id)
{
    uint64_t key = key_of(id, h5->caller);
    h5->object = diya_handle_find(DIYA_HANDLE_HDF5_KIND, key);
    h5->entry = diya_handle_find(DIYA_HANDLE_HDF5, key);
    h5->file = diya_handle_find(DIYA_HANDLE_HDF5_FILE, key);
    return h5->object != 0;
}

void diya_hdf5_bind(const struct diya_hdf5_call *h5, diya_hid id)
{
    uint64_t key = key_of(id, h5->caller);
    diya_handle_bind(DIYA_HANDLE_HDF5_KIND, key, h5->object);
    if (h5->entry != 0)
        diya_handle_bind(DIYA_HANDLE_HDF5, key, h5->entry);
    if (h5->file != 0)
        diya_handle_bind(DIYA_HANDLE_HDF5_FILE, key, h5->file);
}

void diya_hdf5_unbind(diya_hid id, const void *caller)
{
    uint64_t key = key_of(id, caller);
    diya_handle_unbind(DIYA_HANDLE_HDF5_KIND, key);
    diya_handle_unbind(DIYA_HANDLE_HDF5, key);
    diya_handle_unbind(DIYA_HANDLE_HDF5_FILE, key);
}

void diya_hdf5_forget(diya_hid id, const void *caller)
{
    struct diya_call call;
    int saved_errno = errno;
    if (diya_begin(&call)) {
        diya_hdf5_unbind(id, caller);
        diya_cancel(&call);
    }
    errno = saved_errno;
}
