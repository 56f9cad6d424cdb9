/* HDF5 calls around gathered data (mpi_collect).
 *
 * HDF5 gives raw data no other promise than MPI-IO does: another rank sees it after
 * MPI_File_sync, or after the file was closed (H5Fset_mpi_atomicity asks for more, and sets the
 * atomic mode). Its headers and indexes are another matter: ranks read them after a barrier. So
 * only the independent writes within H5Dwrite are gathered.
 *
 * All ranks make the other calls of this file together. Before they change or end the file,
 * what is gathered is written.
 */
#include "descriptors.h"
#include "hdf5.h"
#include "mpi_file.h"

/* The calls by which HDF5 tells other ranks something look for what is to be written first
 * only while the count of descriptors says that there is something (passing.c). */
static void begin_data(void)
{
    apply_hdf5_write_begins();
    __atomic_add_fetch(&apply_dirty, 1, __ATOMIC_RELAXED);
}

static void end_data(void)
{
    apply_hdf5_write_ends();
    __atomic_sub_fetch(&apply_dirty, 1, __ATOMIC_RELAXED);
}

static struct mpi_file *file_with(uintptr_t handle)
{
    struct mpi_file *file = apply_mpi_file_find(handle);
    return file != NULL && file->is_hdf5 ? file : NULL;
}

/* The MPI file below an object; NULL: it has none that a setting concerns. The driver answers
 * with the address of its handle. */
static struct mpi_file *file_of(const struct hdf5_library *h5, hid object)
{
    void *handle = NULL;
    if (h5->H5Iget_file_id == NULL || h5->H5Idec_ref == NULL || h5->H5Fget_vfd_handle == NULL)
        return NULL;
    hid file = apply_hdf5_id(h5, h5->H5Iget_file_id(object));
    if (file < 0)
        return NULL;
    bool is_known = h5->H5Fget_vfd_handle(file, 0, &handle) >= 0 && handle != NULL;
    struct mpi_file *found = is_known ? file_with(*(const uintptr_t *)handle) : NULL;
    h5->H5Idec_ref(file);
    return found;
}

static int write_before(const struct hdf5_library *h5, hid object)
{
    struct mpi_scope scope;
    const struct mpi_library *mpi = apply_mpi_file_is_any() ? apply_mpi(NULL) : NULL;
    struct mpi_file *file = mpi != NULL ? file_of(h5, object) : NULL;
    if (file == NULL)
        return 0;
    int error = apply_mpi_enter(&scope, NULL) ? apply_mpi_write_together(mpi, file) : 0;
    apply_mpi_leave(&scope);
    return error;
}

/* What is removed leaves room for something else, which must not be overwritten by delayed
 * writes: nothing is gathered any more. */
static int stop_before(const struct hdf5_library *h5, hid object)
{
    const struct mpi_library *mpi = apply_mpi_file_is_any() ? apply_mpi(NULL) : NULL;
    struct mpi_file *file = mpi != NULL ? file_of(h5, object) : NULL;
    int error = write_before(h5, object);
    if (file == NULL)
        return error;
    pthread_mutex_lock(&file->lock);
    apply_mpi_stop(mpi, file, "the program removes objects of HDF5 from it");
    pthread_mutex_unlock(&file->lock);
    return error;
}

/* One rank may take a file's identifier of an object and give it back, which ends nothing. */
static int write_before_end(const struct hdf5_library *h5, hid file)
{
    bool is_last = h5->H5Iget_ref != NULL && apply_mpi_file_is_any() && h5->H5Iget_ref(file) == 1;
    return is_last ? write_before(h5, file) : 0;
}

#define HOOK(name, parameters, first, call)                                                                            \
    APPLY_EXPORT int name parameters;                                                                                  \
    int name parameters                                                                                                \
    {                                                                                                                  \
        const void *caller = APPLY_CALLER;                                                                             \
        const struct hdf5_library *h5 = apply_hdf5(caller);                                                            \
        const void *recorded_for = apply_layer_for(caller);                                                            \
        int error = first;                                                                                             \
        int result = h5->name != NULL ? h5->name call : -1;                                                            \
        apply_layer_for(recorded_for);                                                                                 \
        return error != 0 ? -1 : result;                                                                               \
    }

HOOK(H5Dset_extent, (hid dataset, const uint64_t *size), write_before(h5, dataset), (dataset, size))
HOOK(H5Fflush, (hid object, int scope), write_before(h5, object), (object, scope))
HOOK(H5Fclose, (hid file), write_before_end(h5, file), (file))
HOOK(H5Ldelete, (hid location, const char *name, hid list), stop_before(h5, location), (location, name, list))
HOOK(H5Ldelete_by_idx, (hid location, const char *name, int index, int order, uint64_t number, hid list),
     stop_before(h5, location), (location, name, index, order, number, list))
HOOK(H5Gunlink, (hid location, const char *name), stop_before(h5, location), (location, name))

APPLY_EXPORT int H5Dwrite(hid dataset, hid type, hid memory, hid space, hid list, const void *buffer);
int H5Dwrite(hid dataset, hid type, hid memory, hid space, hid list, const void *buffer)
{
    const void *caller = APPLY_CALLER;
    const struct hdf5_library *h5 = apply_hdf5(caller);
    const void *recorded_for = apply_layer_for(caller);
    bool is_seen = apply_mpi_file_is_any();
    if (is_seen)
        begin_data();
    int result = h5->H5Dwrite != NULL ? h5->H5Dwrite(dataset, type, memory, space, list, buffer) : -1;
    if (is_seen)
        end_data();
    apply_layer_for(recorded_for);
    return result;
}
