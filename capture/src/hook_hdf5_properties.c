/* Properties of HDF5 files and datasets, written once as attributes.
 *
 * Numbers of the enumerations: H5Dpublic.h, H5Fpublic.h of HDF5 1.10 to 2.0,
 * where they are the same. */
#include "hook_hdf5.h"

#include <stdio.h>
#include <string.h>

#define MAX_DIMENSIONS 32 /* H5S_MAX_RANK */

typedef diya_hid (*id_of_function)(diya_hid);
typedef int (*close_function)(diya_hid);

static void write_text(uint32_t file, const char *key, const char *text)
{
    diya_attribute(file, key, text);
}

static void write_number(uint32_t file, const char *key, uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    diya_attribute(file, key, text);
}

static void write_dimensions(uint32_t file, const char *key, const uint64_t *dimensions, int count)
{
    char text[MAX_DIMENSIONS * 21 + 1] = "";
    size_t used = 0;
    for (int at = 0; at < count && at < MAX_DIMENSIONS; at++) {
        const char *comma = at == 0 ? "" : ",";
        if (dimensions[at] == UINT64_MAX)
            used += (size_t)snprintf(text + used, sizeof text - used, "%sunlimited", comma);
        else
            used +=
                (size_t)snprintf(text + used, sizeof text - used, "%s%llu", comma, (unsigned long long)dimensions[at]);
    }
    diya_attribute(file, key, text);
}

static const char *name_in(const char *const *names, int count, int number)
{
    return number >= 0 && number < count ? names[number] : "unknown";
}
#define NAME_IN(names, number) name_in(names, (int)(sizeof(names) / sizeof((names)[0])), number)

/* Whether the file driver is this one. A driver's number comes from a function
 * that also registers it (before 2.0), so the usual ones are asked first. */
#define IS_DRIVER(driver, name) is_driver(driver, DIYA_LAYER_ASK(driver_function, "H5FD_" #name "_init", caller), NULL)
typedef diya_hid (*driver_function)(void);

static bool is_driver(diya_hid driver, driver_function ask, const diya_hid *known)
{
    return (ask != NULL && ask() == driver) || (known != NULL && *known == driver);
}

static const char *driver_name(diya_hid driver, const void *caller)
{
    if (IS_DRIVER(driver, sec2) || is_driver(driver, NULL, DIYA_LAYER_DATA("H5FD_SEC2_id_g", caller)))
        return "sec2";
    if (IS_DRIVER(driver, mpio) || is_driver(driver, NULL, DIYA_LAYER_DATA("H5FD_MPIO_id_g", caller)))
        return "mpio";
    if (IS_DRIVER(driver, core) || is_driver(driver, NULL, DIYA_LAYER_DATA("H5FD_CORE_id_g", caller)))
        return "core";
    if (IS_DRIVER(driver, stdio))
        return "stdio";
    if (IS_DRIVER(driver, direct))
        return "direct";
    if (IS_DRIVER(driver, family))
        return "family";
    if (IS_DRIVER(driver, log))
        return "log";
    if (IS_DRIVER(driver, multi))
        return "multi";
    return "other";
}

static void write_version(uint32_t file, const void *caller)
{
    unsigned major = 0, minor = 0, release = 0;
    typedef int (*version_function)(unsigned *, unsigned *, unsigned *);
    version_function ask = DIYA_LAYER_ASK(version_function, "H5get_libversion", caller);
    if (ask == NULL || ask(&major, &minor, &release) < 0)
        return;
    char text[48];
    snprintf(text, sizeof text, "%u.%u.%u", major, minor, release);
    write_text(file, "h5:version", text);
}

static void write_version_bounds(uint32_t file, diya_hid list, const void *caller)
{
    static const char *const bounds[] = {"earliest", "v18", "v110", "v112", "v114", "v200"};
    int low = -1, high = -1;
    typedef int (*bounds_function)(diya_hid, int *, int *);
    bounds_function ask = DIYA_LAYER_ASK(bounds_function, "H5Pget_libver_bounds", caller);
    if (ask == NULL || ask(list, &low, &high) < 0)
        return;
    char text[48];
    snprintf(text, sizeof text, "%s,%s", NAME_IN(bounds, low), NAME_IN(bounds, high));
    write_text(file, "h5f:libver", text);
}

static void write_alignment(uint32_t file, diya_hid list, const void *caller)
{
    uint64_t alignment[2] = {0, 0}; /* threshold, alignment */
    typedef int (*alignment_function)(diya_hid, uint64_t *, uint64_t *);
    alignment_function ask = DIYA_LAYER_ASK(alignment_function, "H5Pget_alignment", caller);
    if (ask != NULL && ask(list, &alignment[0], &alignment[1]) >= 0)
        write_dimensions(file, "h5f:alignment", alignment, 2);
}

/* hbool_t was an int in old versions and is a byte in later ones. */
typedef int (*flag_function)(diya_hid, void *);
static void write_flag(uint32_t file, const char *key, diya_hid list, flag_function ask)
{
    uint64_t flag = 0;
    if (ask != NULL && ask(list, &flag) >= 0)
        write_text(file, key, flag != 0 ? "true" : "false");
}

uint32_t diya_hdf5_describe_file(uint32_t file, diya_hid id, diya_hid access_list, const void *caller)
{
    id_of_function ask_list = DIYA_LAYER_ASK(id_of_function, "H5Fget_access_plist", caller);
    id_of_function ask_driver = DIYA_LAYER_ASK(id_of_function, "H5Pget_driver", caller);
    close_function close_list = DIYA_LAYER_ASK(close_function, "H5Pclose", caller);
    if (ask_list == NULL || ask_driver == NULL || close_list == NULL)
        return 0;
    /* With the default list (0) the file is not parallel: asking for the one
     * in force duplicates no communicator. */
    diya_hid list = access_list != 0 ? access_list : diya_hdf5_id(ask_list(id), caller);
    if (list < 0)
        return 0;
    const char *driver = driver_name(diya_hdf5_id(ask_driver(list), caller), caller);
    uint32_t flags = strcmp(driver, "mpio") == 0 ? DIYA_HDF5_PARALLEL : 0;
    if (file != 0 && diya_handle_find(DIYA_HANDLE_HDF5_DESCRIBED, file) == 0) {
        diya_handle_bind(DIYA_HANDLE_HDF5_DESCRIBED, file, 1);
        write_text(file, "h5f:driver", driver);
        write_version(file, caller);
        write_version_bounds(file, list, caller);
        write_alignment(file, list, caller);
        if (flags != 0) {
            write_flag(file, "h5f:coll_metadata_read", list,
                       DIYA_LAYER_ASK(flag_function, "H5Pget_all_coll_metadata_ops", caller));
            write_flag(file, "h5f:coll_metadata_write", list,
                       DIYA_LAYER_ASK(flag_function, "H5Pget_coll_metadata_write", caller));
        }
    }
    if (list != access_list)
        close_list(list);
    return flags;
}

/* --- datasets ------------------------------------------------------------------ */

void diya_hdf5_write_extent(uint32_t entry, diya_hid id, const void *caller)
{
    uint64_t dimensions[MAX_DIMENSIONS], maximum[MAX_DIMENSIONS];
    typedef int (*dimensions_function)(diya_hid, uint64_t *, uint64_t *);
    id_of_function ask_space = DIYA_LAYER_ASK(id_of_function, "H5Dget_space", caller);
    dimensions_function ask = DIYA_LAYER_ASK(dimensions_function, "H5Sget_simple_extent_dims", caller);
    close_function close_space = DIYA_LAYER_ASK(close_function, "H5Sclose", caller);
    if (ask_space == NULL || ask == NULL || close_space == NULL)
        return;
    diya_hid space = diya_hdf5_id(ask_space(id), caller);
    if (space < 0)
        return;
    int count = ask(space, dimensions, maximum);
    close_space(space);
    if (count < 0)
        return;
    write_number(entry, "h5d:ndims", (uint64_t)count);
    write_dimensions(entry, "h5d:dims", dimensions, count);
    write_dimensions(entry, "h5d:max_dims", maximum, count);
}

static void write_type(uint32_t entry, diya_hid id, const void *caller)
{
    typedef size_t (*size_function)(diya_hid);
    id_of_function ask_type = DIYA_LAYER_ASK(id_of_function, "H5Dget_type", caller);
    size_function ask_size = DIYA_LAYER_ASK(size_function, "H5Tget_size", caller);
    close_function close_type = DIYA_LAYER_ASK(close_function, "H5Tclose", caller);
    if (ask_type == NULL || ask_size == NULL || close_type == NULL)
        return;
    diya_hid type = diya_hdf5_id(ask_type(id), caller);
    if (type < 0)
        return;
    write_number(entry, "h5d:type_size", ask_size(type));
    close_type(type);
}

static void write_filters(uint32_t entry, diya_hid list, const void *caller)
{
    typedef int (*count_function)(diya_hid);
    typedef int (*filter_function)(diya_hid, unsigned, unsigned *, size_t *, unsigned *, size_t, char *, unsigned *);
    count_function ask_count = DIYA_LAYER_ASK(count_function, "H5Pget_nfilters", caller);
    filter_function ask = DIYA_LAYER_ASK(filter_function, "H5Pget_filter2", caller);
    int count = ask_count != NULL && ask != NULL ? ask_count(list) : 0;
    char text[512] = "";
    size_t used = 0;
    for (int at = 0; at < count && used < sizeof text - 1; at++) {
        char name[64] = "";
        unsigned flags = 0, configuration = 0;
        size_t parameters = 0;
        int filter = ask(list, (unsigned)at, &flags, &parameters, NULL, sizeof name, name, &configuration);
        name[sizeof name - 1] = 0;
        const char *comma = at == 0 ? "" : ",";
        if (name[0] != 0)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", comma, name);
        else
            used += (size_t)snprintf(text + used, sizeof text - used, "%sfilter-%d", comma, filter);
    }
    write_text(entry, "h5d:filters", text);
}

static int number_of(diya_hid list, const char *name, const void *caller, struct diya_layer_cache *cache)
{
    typedef int (*number_function)(diya_hid, int *);
    int number = -1;
    number_function ask = (number_function)diya_layer_find(cache, name, caller);
    return ask != NULL && ask(list, &number) >= 0 ? number : -1;
}

static void write_fill(uint32_t entry, diya_hid list, const void *caller)
{
    static const char *const times[] = {"alloc", "never", "ifset"};
    static const char *const values[] = {"undefined", "default", "user"};
    static const char *const allocations[] = {"default", "early", "late", "incremental"};
    static struct diya_layer_cache time_cache, value_cache, allocation_cache;
    write_text(entry, "h5d:fill", NAME_IN(times, number_of(list, "H5Pget_fill_time", caller, &time_cache)));
    write_text(entry, "h5d:fill_value",
               NAME_IN(values, number_of(list, "H5Pfill_value_defined", caller, &value_cache)));
    write_text(entry, "h5d:allocation",
               NAME_IN(allocations, number_of(list, "H5Pget_alloc_time", caller, &allocation_cache)));
}

uint32_t diya_hdf5_describe_dataset(uint32_t entry, diya_hid id, const void *caller)
{
    static const char *const layouts[] = {"compact", "contiguous", "chunked", "virtual"};
    typedef int (*layout_function)(diya_hid);
    typedef int (*chunk_function)(diya_hid, int, uint64_t *);
    /* Opened before: copying its property list again would cost more than the opening. */
    uint32_t known = entry != 0 ? diya_handle_find(DIYA_HANDLE_HDF5_DESCRIBED, entry) : 0;
    if (known != 0)
        return known & DIYA_HDF5_VIRTUAL;
    id_of_function ask_list = DIYA_LAYER_ASK(id_of_function, "H5Dget_create_plist", caller);
    layout_function ask_layout = DIYA_LAYER_ASK(layout_function, "H5Pget_layout", caller);
    chunk_function ask_chunk = DIYA_LAYER_ASK(chunk_function, "H5Pget_chunk", caller);
    close_function close_list = DIYA_LAYER_ASK(close_function, "H5Pclose", caller);
    if (ask_list == NULL || ask_layout == NULL || close_list == NULL)
        return 0;
    diya_hid list = diya_hdf5_id(ask_list(id), caller);
    if (list < 0)
        return 0;
    int layout = ask_layout(list);
    uint32_t flags = layout == 3 ? DIYA_HDF5_VIRTUAL : 0;
    if (entry != 0) {
        diya_handle_bind(DIYA_HANDLE_HDF5_DESCRIBED, entry, 1 | flags);
        write_text(entry, "h5d:layout", NAME_IN(layouts, layout));
        /* The extent of a virtual dataset is looked up in its sources. */
        if (flags == 0)
            diya_hdf5_write_extent(entry, id, caller);
        write_type(entry, id, caller);
        uint64_t chunk[MAX_DIMENSIONS];
        int dimensions = layout == 2 && ask_chunk != NULL ? ask_chunk(list, MAX_DIMENSIONS, chunk) : 0;
        if (dimensions > 0)
            write_dimensions(entry, "h5d:chunk", chunk, dimensions);
        write_filters(entry, list, caller);
        write_fill(entry, list, caller);
    }
    close_list(list);
    return flags;
}
