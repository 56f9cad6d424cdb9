/* Property lists with what is asked for, where the program left the default. */
#include "hdf5.h"
#include "mpi.h"

#include <string.h>

const char apply_hdf5_done[] = "applied";

static const char is_missing[] = "this version of HDF5 does not have it";
static const char is_programs[] = "the program sets it itself";
static const char has_failed[] = "HDF5 refuses it";
static const char is_no_number[] = "its value is not a number of bytes";
static const char is_unsure[] = "mpirun of Open MPI may have started ranks on other nodes without this library";

typedef int (*number_function)(hid, uint64_t *);

static const char *outcome_of(int result)
{
    return result < 0 ? has_failed : apply_hdf5_done;
}

/* Objects below the threshold share a block: padding in front of each of them would let the
 * file grow many times. One MiB, or the alignment if that is less, as `diya tune` has it: then
 * the padding for alignments up to one MiB is never more than the object itself. */
static const char *set_alignment(const struct hdf5_library *h5, hid list, uint64_t bytes)
{
    uint64_t threshold, alignment, usual_threshold, usual_alignment;
    uint64_t largest = 1u << 20;
    if (h5->H5Pget_alignment == NULL || h5->H5Pset_alignment == NULL)
        return is_missing;
    if (h5->H5Pget_alignment(list, &threshold, &alignment) < 0 ||
        h5->H5Pget_alignment(h5->file_access, &usual_threshold, &usual_alignment) < 0)
        return has_failed;
    if (threshold != usual_threshold || alignment != usual_alignment)
        return is_programs;
    return outcome_of(h5->H5Pset_alignment(list, bytes < largest ? bytes : largest, bytes));
}

static const char *set_metadata_block(const struct hdf5_library *h5, hid list, uint64_t bytes)
{
    uint64_t present, usual;
    if (h5->H5Pget_meta_block_size == NULL || h5->H5Pset_meta_block_size == NULL)
        return is_missing;
    if (h5->H5Pget_meta_block_size(list, &present) < 0 || h5->H5Pget_meta_block_size(h5->file_access, &usual) < 0)
        return has_failed;
    return present != usual ? is_programs : outcome_of(h5->H5Pset_meta_block_size(list, bytes));
}

static size_t prime_from(size_t number)
{
    for (number |= 1;; number += 2) {
        size_t divisor = 3;
        while (divisor * divisor <= number && number % divisor != 0)
            divisor += 2;
        if (divisor * divisor > number)
            return number;
    }
}

/* The default of all datasets in the file: one place covers every way to open one, and what
 * the program sets for a dataset itself counts more. The hash table grows with the bytes as
 * HDF5's default has it, 521 places for one MiB, and has a prime number of them. */
static const char *set_chunk_cache(const struct hdf5_library *h5, hid list, uint64_t bytes)
{
    int elements;
    size_t slots, present, usual_slots, usual;
    double preemption;
    if (h5->H5Pget_cache == NULL || h5->H5Pset_cache == NULL)
        return is_missing;
    if (h5->H5Pget_cache(h5->file_access, &elements, &usual_slots, &usual, &preemption) < 0 ||
        h5->H5Pget_cache(list, &elements, &slots, &present, &preemption) < 0)
        return has_failed;
    if (present != usual || slots != usual_slots)
        return is_programs;
    if (bytes <= present)
        return "the cache is as large already";
    size_t wanted = prime_from((size_t)((double)bytes / (1 << 20) * 521));
    return outcome_of(h5->H5Pset_cache(list, elements, wanted > slots ? wanted : slots, bytes, preemption));
}

static bool is_parallel(const struct hdf5_library *h5, hid list)
{
    return h5->H5FD_mpio_init != NULL && h5->H5Pget_driver != NULL &&
           apply_hdf5_id(h5, h5->H5Pget_driver(list)) == apply_hdf5_id(h5, h5->H5FD_mpio_init());
}

/* hbool_t is an unsigned int in old versions and one byte later: both fit this room. */
static bool is_on(int (*ask)(hid, void *), hid list)
{
    uint64_t room = 0;
    return ask == NULL || ask(list, &room) < 0 || room != 0;
}

/* "writes": only the writes, which all ranks make in any case. */
static const char *set_collective_metadata(const struct hdf5_library *h5, hid list, const char *value)
{
    bool is_all = strcmp(value, "on") == 0;
    if (!is_all && strcmp(value, "writes") != 0)
        return "its value is neither \"on\" nor \"writes\"";
    if (!is_parallel(h5, list))
        return "the file is not opened with the MPI-IO driver";
    if (h5->H5Pset_coll_metadata_write == NULL || h5->H5Pset_all_coll_metadata_ops == NULL)
        return is_missing;
    if (is_on(h5->H5Pget_coll_metadata_write, list) || is_on(h5->H5Pget_all_coll_metadata_ops, list))
        return is_programs;
    int result = h5->H5Pset_coll_metadata_write(list, 1);
    if (result >= 0 && is_all)
        result = h5->H5Pset_all_coll_metadata_ops(list, 1);
    return outcome_of(result);
}

static const char *set_bytes(const struct hdf5_library *h5, hid list, enum apply_setting setting, const char *path)
{
    uint64_t bytes = apply_bytes(setting, path);
    if (bytes == 0)
        return is_no_number;
    if (setting == APPLY_hdf5_chunk_cache)
        return set_chunk_cache(h5, list, bytes);
    /* Each rank computes for itself where objects lie: a rank with another alignment would
     * write them elsewhere. */
    if (is_parallel(h5, list) && apply_mpi_may_lack_library())
        return is_unsure;
    return setting == APPLY_hdf5_alignment ? set_alignment(h5, list, bytes) : set_metadata_block(h5, list, bytes);
}

static const char *set_one(const struct hdf5_library *h5, hid list, enum apply_setting setting, const char *path)
{
    if (setting != APPLY_hdf5_collective_metadata)
        return set_bytes(h5, list, setting, path);
    return apply_mpi_may_lack_library() ? is_unsure : set_collective_metadata(h5, list, apply_value(setting, path));
}

static bool copy_list(const struct hdf5_library *h5, hid given, hid usual, struct hdf5_list *list)
{
    hid original = apply_hdf5_id(h5, given);
    hid copy = h5->is_complete ? apply_hdf5_id(h5, h5->H5Pcopy(original == 0 ? usual : original)) : -1;
    if (copy < 0)
        return false;
    list->passed_on = copy;
    list->is_copy = true;
    return true;
}

void apply_hdf5_file_list(const struct hdf5_library *h5, const char *path, hid given, struct hdf5_list *list)
{
    static const enum apply_setting settings[] = {APPLY_hdf5_alignment, APPLY_hdf5_metadata_block,
                                                  APPLY_hdf5_collective_metadata, APPLY_hdf5_chunk_cache};
    list->passed_on = given;
    list->is_copy = false;
    bool is_asked = false;
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        is_asked = is_asked || apply_is_asked(settings[i]);
    if (!is_asked || path == NULL)
        return;
    memset(list->outcome, 0, sizeof list->outcome);
    apply_layer_path(list->path, path);
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        if (apply_value(settings[i], list->path) != NULL) {
            if (!list->is_copy && !copy_list(h5, given, h5->file_access, list))
                return;
            list->outcome[settings[i]] = set_one(h5, list->passed_on, settings[i], list->path);
        }
}

static const char *set_fill_never(const struct hdf5_library *h5, hid list, const char *value)
{
    enum { NEVER = 1, USER_DEFINED = 2 }; /* H5D_FILL_TIME_NEVER, H5D_FILL_VALUE_USER_DEFINED */
    int state, time, usual;
    if (strcmp(value, "on") != 0)
        return "its value is not \"on\"";
    if (h5->H5Pfill_value_defined == NULL || h5->H5Pget_fill_time == NULL || h5->H5Pset_fill_time == NULL)
        return is_missing;
    if (apply_mpi_may_lack_library())
        return is_unsure;
    if (h5->H5Pfill_value_defined(list, &state) < 0 || h5->H5Pget_fill_time(list, &time) < 0 ||
        h5->H5Pget_fill_time(h5->dataset_create, &usual) < 0)
        return has_failed;
    return state == USER_DEFINED || time != usual ? is_programs : outcome_of(h5->H5Pset_fill_time(list, NEVER));
}

void apply_hdf5_dataset_list(const struct hdf5_library *h5, hid location, hid given, struct hdf5_list *list)
{
    list->passed_on = given;
    list->is_copy = false;
    if (!apply_is_asked(APPLY_hdf5_fill_never) || h5->H5Fget_name == NULL)
        return;
    char name[APPLY_LAYER_PATH];
    memset(list->outcome, 0, sizeof list->outcome);
    ssize_t length = h5->H5Fget_name(location, name, sizeof name);
    if (length <= 0 || length >= (ssize_t)sizeof name)
        return;
    const char *value = apply_value(APPLY_hdf5_fill_never, apply_layer_path(list->path, name));
    if (value != NULL && copy_list(h5, given, h5->dataset_create, list))
        list->outcome[APPLY_hdf5_fill_never] = set_fill_never(h5, list->passed_on, value);
}

void apply_hdf5_end(const struct hdf5_library *h5, struct hdf5_list *list, hid result)
{
    if (!list->is_copy)
        return;
    bool is_good = apply_hdf5_id(h5, result) >= 0;
    for (unsigned setting = 0; is_good && setting < APPLY_SETTINGS; setting++)
        if (list->outcome[setting] == apply_hdf5_done)
            apply_used(setting, apply_value(setting, list->path), list->path);
        else if (list->outcome[setting] != NULL)
            apply_refused(setting, list->path, list->outcome[setting]);
    /* Each call into HDF5 empties its stack of errors, which the program may want to read. */
    hid errors = is_good ? -1 : h5->H5Eget_current_stack();
    h5->H5Pclose(list->passed_on);
    if (apply_hdf5_id(h5, errors) >= 0)
        h5->H5Eset_current_stack(errors);
}
