/* HDF5 without hdf5.h, versions 1.8 to 2.0.
 *
 * hid_t has 32 bits in 1.8 and 64 since 1.10; here it has 64, which travel in the same
 * registers, and is cut where the library is old. A process may hold several copies of the
 * library (Python wheels bring one each), so the functions are those of the calling module.
 */
#ifndef APPLY_HDF5_H
#define APPLY_HDF5_H

#include "account.h"
#include "layer.h"

#include <sys/types.h>

typedef int64_t hid;

/* Functions that are asked; those that a version lacks are NULL. */
#define HDF5_QUESTIONS(F)                                                                                              \
    F(int, H5open, (void))                                                                                             \
    F(int, H5get_libversion, (unsigned *, unsigned *, unsigned *))                                                     \
    F(hid, H5Pcopy, (hid))                                                                                             \
    F(int, H5Pclose, (hid))                                                                                            \
    F(hid, H5Eget_current_stack, (void))                                                                               \
    F(int, H5Eset_current_stack, (hid))                                                                                \
    F(int, H5Pget_alignment, (hid, uint64_t *, uint64_t *))                                                            \
    F(int, H5Pset_alignment, (hid, uint64_t, uint64_t))                                                                \
    F(int, H5Pget_meta_block_size, (hid, uint64_t *))                                                                  \
    F(int, H5Pset_meta_block_size, (hid, uint64_t))                                                                    \
    F(int, H5Pget_cache, (hid, int *, size_t *, size_t *, double *))                                                   \
    F(int, H5Pset_cache, (hid, int, size_t, size_t, double))                                                           \
    F(hid, H5Pget_driver, (hid))                                                                                       \
    F(hid, H5FD_mpio_init, (void))                                                                                     \
    F(int, H5Pget_coll_metadata_write, (hid, void *))                                                                  \
    F(int, H5Pset_coll_metadata_write, (hid, unsigned))                                                                \
    F(int, H5Pget_all_coll_metadata_ops, (hid, void *))                                                                \
    F(int, H5Pset_all_coll_metadata_ops, (hid, unsigned))                                                              \
    F(int, H5Pfill_value_defined, (hid, int *))                                                                        \
    F(int, H5Pget_fill_time, (hid, int *))                                                                             \
    F(int, H5Pset_fill_time, (hid, int))                                                                               \
    F(ssize_t, H5Fget_name, (hid, char *, size_t))                                                                     \
    F(hid, H5Iget_file_id, (hid))                                                                                      \
    F(int, H5Iget_ref, (hid))                                                                                          \
    F(int, H5Idec_ref, (hid))                                                                                          \
    F(int, H5Fget_vfd_handle, (hid, hid, void **))

/* Functions that hooks stand for: the next library's, so that the recorder sees the call. */
#define HDF5_CALLS(F)                                                                                                  \
    F(hid, H5Fcreate, (const char *, unsigned, hid, hid))                                                              \
    F(hid, H5Fcreate_async, (const char *, const char *, unsigned, const char *, unsigned, hid, hid, hid))             \
    F(hid, H5Fopen, (const char *, unsigned, hid))                                                                     \
    F(hid, H5Fopen_async, (const char *, const char *, unsigned, const char *, unsigned, hid, hid))                    \
    F(hid, H5Dcreate1, (hid, const char *, hid, hid, hid))                                                             \
    F(hid, H5Dcreate2, (hid, const char *, hid, hid, hid, hid, hid))                                                   \
    F(hid, H5Dcreate_anon, (hid, hid, hid, hid, hid))                                                                  \
    F(hid, H5Dcreate_async, (const char *, const char *, unsigned, hid, const char *, hid, hid, hid, hid, hid, hid))   \
    F(int, H5Dwrite, (hid, hid, hid, hid, hid, const void *))                                                          \
    F(int, H5Dset_extent, (hid, const uint64_t *))                                                                     \
    F(int, H5Fflush, (hid, int))                                                                                       \
    F(int, H5Fclose, (hid))                                                                                            \
    F(int, H5Ldelete, (hid, const char *, hid))                                                                        \
    F(int, H5Ldelete_by_idx, (hid, const char *, int, int, uint64_t, hid))                                             \
    F(int, H5Gunlink, (hid, const char *))

struct hdf5_library {
    uintptr_t module;                /* whose calls these functions are for */
    bool is_complete;                /* lists can be copied */
    bool is_old;                     /* hid_t has 32 bits */
    hid file_access, dataset_create; /* the default lists */
#define F(result, name, arguments) result(*name) arguments;
    HDF5_QUESTIONS(F)
    HDF5_CALLS(F)
#undef F
};

APPLY_HIDDEN const struct hdf5_library *apply_hdf5(const void *caller);
APPLY_HIDDEN hid apply_hdf5_id(const struct hdf5_library *h5, hid id);

/* A list that is passed on instead of the program's. */
struct hdf5_list {
    hid passed_on;
    bool is_copy;
    char path[APPLY_LAYER_PATH];
    const char *outcome[APPLY_SETTINGS]; /* APPLIED, a reason, or NULL: not asked for */
};
APPLY_HIDDEN extern const char apply_hdf5_done[];

APPLY_HIDDEN void apply_hdf5_file_list(const struct hdf5_library *h5, const char *path, hid given,
                                       struct hdf5_list *list);
APPLY_HIDDEN void apply_hdf5_dataset_list(const struct hdf5_library *h5, hid location, hid given,
                                          struct hdf5_list *list);
/* Is this thread in H5Dwrite of a program whose independent writes are gathered? */
APPLY_HIDDEN bool apply_hdf5_writes_data(void);
APPLY_HIDDEN void apply_hdf5_write_begins(void);
APPLY_HIDDEN void apply_hdf5_write_ends(void);
/* After the call: tells the account and closes the copy. */
APPLY_HIDDEN void apply_hdf5_end(const struct hdf5_library *h5, struct hdf5_list *list, hid result);

#endif
