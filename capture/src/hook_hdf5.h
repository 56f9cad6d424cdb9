/* HDF5 without hdf5.h.
 *
 * hid_t has 64 bits since 1.10 and 32 before; hooks take and give 64, which
 * travel in the same registers, and cut to 32 where the library is old.
 * A process may hold several copies of the library (Python wheels bring one
 * each), so objects are known by library and number.
 *
 * Questions to the library: an API call empties HDF5's error stack, which the
 * program may still want to read after a failure, and one that fails prints.
 * So a hook asks only after the real call succeeded, and only what cannot
 * fail. Nothing is asked that reads from the file or is collective:
 * H5Fget_access_plist duplicates the communicator of a parallel file, so the
 * list that the program gave is read instead.
 */
#ifndef DIYA_HOOK_HDF5_H
#define DIYA_HOOK_HDF5_H

#include "layer_symbol.h"

typedef int64_t diya_hid;

/* What a number stands for, with flags. */
enum diya_hdf5_object {
    DIYA_HDF5_FILE = 1,
    DIYA_HDF5_DATASET = 2,
    DIYA_HDF5_ATTRIBUTE = 3,
    DIYA_HDF5_GROUP = 4,
    DIYA_HDF5_TYPE = 0xff,
    DIYA_HDF5_PARALLEL = 0x100, /* the file was opened with the mpio driver */
    DIYA_HDF5_VIRTUAL = 0x200,  /* the dataset is put together from others */
};

struct diya_hdf5_call {
    struct diya_call call;
    const void *caller;
    uint16_t function;
    uint32_t object; /* enum diya_hdf5_object, 0: not known */
    uint32_t entry;  /* number of the dataset or file among the recorder's files */
    uint32_t file;   /* number of the HDF5 file */
};

/* --- objects (hook_hdf5_object.c) ------------------------------------------ */

DIYA_HIDDEN diya_hid diya_hdf5_id(diya_hid id, const void *caller);
DIYA_HIDDEN diya_hid diya_hdf5_id_at(const void *ids, size_t at, const void *caller);
DIYA_HIDDEN bool diya_hdf5_find(struct diya_hdf5_call *h5, diya_hid id);
DIYA_HIDDEN void diya_hdf5_bind(const struct diya_hdf5_call *h5, diya_hid id);
DIYA_HIDDEN void diya_hdf5_unbind(diya_hid id, const void *caller);

/* For calls that are not recorded. */
DIYA_HIDDEN void diya_hdf5_forget(diya_hid id, const void *caller);

/* --- properties as attributes (hook_hdf5_properties.c) ---------------------- */

/* Both return the flags of enum diya_hdf5_object that they found out. */
DIYA_HIDDEN uint32_t diya_hdf5_describe_file(uint32_t file, diya_hid id, diya_hid access_list, const void *caller);
DIYA_HIDDEN uint32_t diya_hdf5_describe_dataset(uint32_t entry, diya_hid id, const void *caller);
DIYA_HIDDEN void diya_hdf5_write_extent(uint32_t entry, diya_hid id, const void *caller);

/* --- one call (hook_hdf5_call.c) ---------------------------------------------
 * `is_now`: the call is over; one given to an event set may still be under
 * way, and a question about its object would wait for it. */

DIYA_HIDDEN bool diya_hdf5_begin(struct diya_hdf5_call *h5, uint16_t function, const void *caller);
DIYA_HIDDEN bool diya_hdf5_begin_object(struct diya_hdf5_call *h5, uint16_t function, diya_hid id, const void *caller);

DIYA_HIDDEN void diya_hdf5_end(struct diya_hdf5_call *h5, bool is_good, const struct diya_event *event);
DIYA_HIDDEN void diya_hdf5_end_simple(struct diya_hdf5_call *h5, bool is_good);
DIYA_HIDDEN void diya_hdf5_end_sized(struct diya_hdf5_call *h5, bool is_good, uint64_t bytes);
DIYA_HIDDEN void diya_hdf5_end_located(struct diya_hdf5_call *h5, bool is_good);
DIYA_HIDDEN void diya_hdf5_end_file(struct diya_hdf5_call *h5, diya_hid id, const char *path, unsigned flags,
                                    diya_hid access_list, bool is_now);
DIYA_HIDDEN void diya_hdf5_end_reopen(struct diya_hdf5_call *h5, diya_hid id);
DIYA_HIDDEN void diya_hdf5_end_dataset(struct diya_hdf5_call *h5, diya_hid id, const char *name, bool is_now);
DIYA_HIDDEN void diya_hdf5_end_child(struct diya_hdf5_call *h5, diya_hid id, enum diya_hdf5_object object);
DIYA_HIDDEN void diya_hdf5_end_close(struct diya_hdf5_call *h5, bool is_good, diya_hid id);

/* The arguments of a read or write; lists of one for the plain calls. */
struct diya_hdf5_transfer {
    size_t count;
    const void *datasets, *memory_types, *memory_spaces, *file_spaces; /* arrays of hid_t as the program has them */
    diya_hid transfer_list;
    bool is_now;
};
DIYA_HIDDEN void diya_hdf5_end_transfer(struct diya_hdf5_call *h5, bool is_good,
                                        const struct diya_hdf5_transfer *transfer);

#endif
