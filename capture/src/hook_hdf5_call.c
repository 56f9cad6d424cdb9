/* One HDF5 call: which object, how many bytes. */
#include "core.h"
#include "hook_hdf5.h"
#include "samples.h"

#include <string.h>

#define NAME_BYTES 1024

bool diya_hdf5_begin(struct diya_hdf5_call *h5, uint16_t function, const void *caller)
{
    if (!diya_begin(&h5->call))
        return false;
    h5->call.return_address = caller;
    h5->caller = caller;
    h5->function = function;
    h5->object = 0;
    h5->entry = 0;
    h5->file = 0;
    return true;
}

bool diya_hdf5_begin_object(struct diya_hdf5_call *h5, uint16_t function, diya_hid id, const void *caller)
{
    if (!diya_hdf5_begin(h5, function, caller))
        return false;
    diya_hdf5_find(h5, id);
    h5->call.start = diya_ticks();
    return true;
}

static void returned(struct diya_hdf5_call *h5)
{
    if (h5->call.end == 0)
        diya_returned(&h5->call);
}

void diya_hdf5_end(struct diya_hdf5_call *h5, bool is_good, const struct diya_event *event)
{
    struct diya_event complete = *event;
    complete.file = h5->entry != 0 ? h5->entry : h5->file;
    if (!is_good)
        complete.done = -EIO; /* HDF5 keeps the reason in a stack that is the program's to read */
    diya_samples_own_work(h5->call.end);
    diya_end(&h5->call, &complete);
}

void diya_hdf5_end_simple(struct diya_hdf5_call *h5, bool is_good)
{
    diya_hdf5_end_sized(h5, is_good, 0);
}

void diya_hdf5_end_sized(struct diya_hdf5_call *h5, bool is_good, uint64_t bytes)
{
    returned(h5);
    struct diya_event event = DIYA_EVENT(h5->function);
    event.requested = bytes;
    event.done = (int64_t)bytes;
    diya_hdf5_end(h5, is_good, &event);
}

/* Of something at a location: known by the file of the location. */
void diya_hdf5_end_located(struct diya_hdf5_call *h5, bool is_good)
{
    returned(h5);
    h5->entry = 0;
    diya_hdf5_end_simple(h5, is_good);
}

/* --- files ------------------------------------------------------------------- */

void diya_hdf5_end_file(struct diya_hdf5_call *h5, diya_hid id, const char *path, unsigned flags, diya_hid access_list,
                        bool is_now)
{
    returned(h5);
    bool is_good = diya_hdf5_id(id, h5->caller) >= 0;
    h5->file = path != NULL ? diya_file_of_path(path) : 0;
    h5->object = DIYA_HDF5_FILE;
    if (is_good) {
        diya_hid list = diya_hdf5_id(access_list, h5->caller);
        if (is_now || list != 0)
            h5->object |= diya_hdf5_describe_file(h5->file, id, list, h5->caller);
        diya_hdf5_bind(h5, id);
    }
    struct diya_event event = DIYA_EVENT(h5->function);
    event.has_aux = true;
    event.aux = flags;
    diya_hdf5_end(h5, is_good, &event);
}

void diya_hdf5_end_reopen(struct diya_hdf5_call *h5, diya_hid id)
{
    returned(h5);
    bool is_good = diya_hdf5_id(id, h5->caller) >= 0;
    h5->entry = 0;
    h5->object = DIYA_HDF5_FILE | (h5->object & ~(uint32_t)DIYA_HDF5_TYPE);
    if (is_good)
        diya_hdf5_bind(h5, id);
    diya_hdf5_end_simple(h5, is_good);
}

/* --- objects in files ----------------------------------------------------------- */

/* Path of the file that holds an object: another than that of its parent when
 * an external link was followed. */
static bool file_path(diya_hid id, char path[NAME_BYTES], const void *caller)
{
    typedef ssize_t (*name_function)(diya_hid, char *, size_t);
    name_function ask = DIYA_LAYER_ASK(name_function, "H5Fget_name", caller);
    ssize_t length = ask != NULL ? ask(id, path, NAME_BYTES) : -1;
    return length > 0 && length < NAME_BYTES;
}

static void find_file(struct diya_hdf5_call *h5, diya_hid id)
{
    char path[NAME_BYTES];
    if (file_path(id, path, h5->caller)) {
        uint32_t found = diya_file_of_path(path);
        h5->file = found != 0 ? found : h5->file;
    }
}

/* Full name of a dataset that was opened by name: HDF5 has it in memory then.
 * Of objects opened by reference it would search the file for a name. */
static uint32_t name_dataset(struct diya_hdf5_call *h5, diya_hid id, const char *given)
{
    char name[NAME_BYTES];
    typedef ssize_t (*name_function)(diya_hid, char *, size_t);
    name_function ask = DIYA_LAYER_ASK(name_function, "H5Iget_name", h5->caller);
    ssize_t length = given != NULL && ask != NULL ? ask(id, name, sizeof name) : 0;
    if (length > 0 && length < (ssize_t)sizeof name)
        return diya_file_named(name, (size_t)length, h5->file, DIYA_NAME_DATASET);
    given = given != NULL ? given : "(no name)";
    return diya_file_named(given, strlen(given), h5->file, DIYA_NAME_DATASET);
}

static void adopt_dataset(struct diya_hdf5_call *h5, diya_hid id, const char *name)
{
    find_file(h5, id);
    h5->entry = name_dataset(h5, id, name);
    h5->object = DIYA_HDF5_DATASET | (h5->object & DIYA_HDF5_PARALLEL);
    h5->object |= diya_hdf5_describe_dataset(h5->entry, id, h5->caller);
    diya_hdf5_bind(h5, id);
}

/* Name by what the program gave, where HDF5 cannot be asked yet. */
static uint32_t name_in_location(const struct diya_hdf5_call *h5, const char *given)
{
    char name[NAME_BYTES] = "/";
    size_t length = given != NULL ? strlen(given) : 0;
    bool is_relative_to_file = (h5->object & DIYA_HDF5_TYPE) == DIYA_HDF5_FILE && length > 0 && given[0] != '/';
    if (length == 0)
        return 0;
    if (!is_relative_to_file || length + 2 > sizeof name)
        return diya_file_named(given, length, h5->file, DIYA_NAME_DATASET);
    memcpy(name + 1, given, length);
    return diya_file_named(name, length + 1, h5->file, DIYA_NAME_DATASET);
}

/* On entry h5 describes the location given, on return the dataset. */
void diya_hdf5_end_dataset(struct diya_hdf5_call *h5, diya_hid id, const char *name, bool is_now)
{
    returned(h5);
    bool is_good = diya_hdf5_id(id, h5->caller) >= 0;
    h5->entry = 0;
    if (is_good && is_now) {
        adopt_dataset(h5, id, name);
    } else if (is_good) {
        h5->entry = name_in_location(h5, name);
        h5->object = DIYA_HDF5_DATASET | (h5->object & DIYA_HDF5_PARALLEL);
        diya_hdf5_bind(h5, id);
    }
    diya_hdf5_end_simple(h5, is_good);
}

/* An attribute or group: known by its file. */
void diya_hdf5_end_child(struct diya_hdf5_call *h5, diya_hid id, enum diya_hdf5_object object)
{
    returned(h5);
    bool is_good = diya_hdf5_id(id, h5->caller) >= 0;
    if (is_good) {
        if (h5->file == 0)
            find_file(h5, id);
        h5->entry = 0;
        h5->object = (uint32_t)object | (h5->object & DIYA_HDF5_PARALLEL);
        diya_hdf5_bind(h5, id);
    }
    h5->entry = 0;
    diya_hdf5_end_simple(h5, is_good);
}

void diya_hdf5_end_close(struct diya_hdf5_call *h5, bool is_good, diya_hid id)
{
    returned(h5);
    if (is_good)
        diya_hdf5_unbind(id, h5->caller);
    diya_hdf5_end_simple(h5, is_good);
}

/* --- transfers -------------------------------------------------------------------- */

/* Elements of the whole dataset; -1: not known. */
static int64_t extent_elements(const struct diya_hdf5_call *h5, diya_hid dataset)
{
    typedef diya_hid (*space_function)(diya_hid);
    typedef int64_t (*count_function)(diya_hid);
    typedef int (*close_function)(diya_hid);
    space_function ask_space = DIYA_LAYER_ASK(space_function, "H5Dget_space", h5->caller);
    count_function ask_count = DIYA_LAYER_ASK(count_function, "H5Sget_simple_extent_npoints", h5->caller);
    close_function close_space = DIYA_LAYER_ASK(close_function, "H5Sclose", h5->caller);
    /* The extent of a virtual dataset is looked up in its sources. */
    if ((h5->object & DIYA_HDF5_VIRTUAL) != 0 || ask_space == NULL || ask_count == NULL || close_space == NULL)
        return -1;
    diya_hid space = diya_hdf5_id(ask_space(dataset), h5->caller);
    if (space < 0)
        return -1;
    int64_t count = ask_count(space);
    close_space(space);
    return count;
}

/* H5S_ALL, H5S_BLOCK and H5S_PLIST are 0, 1 and 2: no dataspaces to ask. */
static bool is_space(diya_hid space)
{
    return space > 2;
}

static uint64_t bytes_of(const struct diya_hdf5_call *h5, const struct diya_hdf5_transfer *transfer, size_t at)
{
    typedef int64_t (*count_function)(diya_hid);
    typedef size_t (*size_function)(diya_hid);
    count_function ask_count = DIYA_LAYER_ASK(count_function, "H5Sget_select_npoints", h5->caller);
    size_function ask_size = DIYA_LAYER_ASK(size_function, "H5Tget_size", h5->caller);
    diya_hid file_space = diya_hdf5_id_at(transfer->file_spaces, at, h5->caller);
    diya_hid memory_space = diya_hdf5_id_at(transfer->memory_spaces, at, h5->caller);
    int64_t count = -1;
    if (ask_count == NULL || ask_size == NULL)
        return 0;
    if (is_space(file_space))
        count = ask_count(file_space);
    else if (is_space(memory_space))
        count = ask_count(memory_space);
    else if (transfer->is_now)
        count = extent_elements(h5, diya_hdf5_id_at(transfer->datasets, at, h5->caller));
    return count > 0 ? (uint64_t)count * ask_size(diya_hdf5_id_at(transfer->memory_types, at, h5->caller)) : 0;
}

/* As schema/functions/hdf5.toml has it: 0 all, 1 regular hyperslab, 2 irregular
 * hyperslab, 3 points, 4 none. */
static uint64_t selection_of(diya_hid space, const void *caller)
{
    typedef int (*type_function)(diya_hid);
    type_function ask = DIYA_LAYER_ASK(type_function, "H5Sget_select_type", caller);
    type_function ask_regular = DIYA_LAYER_ASK(type_function, "H5Sis_regular_hyperslab", caller);
    if (!is_space(space) || ask == NULL)
        return 0;
    switch (ask(space)) { /* enum H5S_sel_type */
    case 0:
        return 4;
    case 1:
        return 3;
    case 2:
        return ask_regular == NULL || (ask_regular(space) & 0xff) != 0 ? 1 : 2;
    default:
        return 0;
    }
}

static enum diya_collective collective_of(const struct diya_hdf5_call *h5, diya_hid list)
{
    typedef int (*mode_function)(diya_hid, int *);
    int mode = -1;
    mode_function ask = DIYA_LAYER_ASK(mode_function, "H5Pget_dxpl_mpio", h5->caller);
    if ((h5->object & DIYA_HDF5_PARALLEL) == 0 || ask == NULL)
        return DIYA_COLLECTIVE_UNKNOWN;
    if (list == 0 || ask(list, &mode) < 0)
        return DIYA_COLLECTIVE_NO; /* H5FD_MPIO_INDEPENDENT is the default */
    return mode == 1 ? DIYA_COLLECTIVE_YES : DIYA_COLLECTIVE_NO;
}

/* Why HDF5 did not do collectively what was asked for collectively: the bits
 * of H5D_mpio_no_collective_cause_t of this rank and of all. */
static void write_broken_collective(const struct diya_hdf5_call *h5, diya_hid list)
{
    typedef int (*cause_function)(diya_hid, uint32_t *, uint32_t *);
    uint32_t cause_here = 0, cause_anywhere = 0;
    cause_function ask = DIYA_LAYER_ASK(cause_function, "H5Pget_mpio_no_collective_cause", h5->caller);
    if (h5->entry == 0 || ask == NULL || ask(list, &cause_here, &cause_anywhere) < 0 || cause_anywhere == 0)
        return;
    if (diya_handle_find(DIYA_HANDLE_HDF5_BROKEN, h5->entry) == cause_anywhere)
        return;
    diya_handle_bind(DIYA_HANDLE_HDF5_BROKEN, h5->entry, cause_anywhere);
    char text[9];
    for (int at = 0; at < 8; at++)
        text[at] = "0123456789abcdef"[cause_anywhere >> (28 - 4 * at) & 0xf];
    text[8] = 0;
    diya_attribute(h5->entry, "h5d:no_collective_cause", text);
}

void diya_hdf5_end_transfer(struct diya_hdf5_call *h5, bool is_good, const struct diya_hdf5_transfer *transfer)
{
    returned(h5);
    struct diya_event event = DIYA_EVENT(h5->function);
    diya_hid list = diya_hdf5_id(transfer->transfer_list, h5->caller);
    bool is_multi = h5->function == DIYA_F_H5D_READ_MULTI || h5->function == DIYA_F_H5D_WRITE_MULTI;
    event.has_aux = true;
    event.aux = transfer->count;
    if (is_good && transfer->count > 0) {
        if (h5->object == 0 && transfer->is_now)
            adopt_dataset(h5, diya_hdf5_id_at(transfer->datasets, 0, h5->caller), NULL);
        for (size_t at = 0; at < transfer->count; at++)
            event.requested += bytes_of(h5, transfer, at);
        event.collective = (uint8_t)collective_of(h5, list);
        if (event.collective == DIYA_COLLECTIVE_YES && transfer->is_now)
            write_broken_collective(h5, list);
        if (!is_multi)
            event.aux = selection_of(diya_hdf5_id_at(transfer->file_spaces, 0, h5->caller), h5->caller);
    }
    event.done = (int64_t)event.requested;
    diya_hdf5_end(h5, is_good, &event);
}
