/* Files of one process, and what files of one process and of many ranks have in common. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

blockio_status check_open(const char *path, blockio_mode mode, const blockio_options *options, blockio_error *error)
{
    if (path == NULL || path[0] == '\0')
        return fail(error, BLOCKIO_BAD_ARGUMENT, "the path is empty");
    if ((int)mode < BLOCKIO_READ || mode > BLOCKIO_CREATE)
        return fail(error, BLOCKIO_BAD_ARGUMENT, "mode %d: no such mode", (int)mode);
    if (options == NULL)
        return BLOCKIO_OK;
    if ((int)options->method < BLOCKIO_AUTO || options->method > BLOCKIO_COLLECTIVE)
        return fail(error, BLOCKIO_BAD_ARGUMENT, "options: method %d: no such method", (int)options->method);
    if (options->aggregators < 0 || options->stripes < 0 || options->stripe_bytes < 0 || options->request_ns < 0)
        return fail(error, BLOCKIO_BAD_ARGUMENT, "options: a number is negative");
    if (options->buffer_bytes < 0 || options->buffer_bytes > REQUEST_BYTES)
        return fail(error, BLOCKIO_BAD_ARGUMENT, "options: a buffer of %lld bytes; give 0 to 1 GiB",
                    (long long)options->buffer_bytes);
    return BLOCKIO_OK;
}

/* The end of a path says more than its beginning. */
void name_file(blockio_file *file, const char *path)
{
    size_t length = strlen(path), room = sizeof file->name - 1;
    strcpy(file->name, length > room ? path + length - room : path);
}

/* A local file system answers a request in microseconds, and 1 MiB stays in the cache of a processor between the
 * file and the ranks. Over a network, fewer requests count more; whole stripes keep their locks
 * with one aggregator. */
void complete_options(blockio_file *file)
{
    blockio_options *options = &file->options;
    const int64_t buffer_bytes = file->is_local ? 1 << 20 : 4 << 20;
    if (options->buffer_bytes == 0) {
        bool is_wide = options->stripe_bytes > buffer_bytes && options->stripe_bytes <= REQUEST_BYTES;
        options->buffer_bytes = is_wide ? options->stripe_bytes : buffer_bytes;
    }
    if (options->request_ns == 0)
        options->request_ns = file->is_local ? 2000 : 500000;
}

static blockio_status agree_alone(const struct group *group, blockio_status status, blockio_error *error)
{
    (void)group, (void)error;
    return status;
}

static blockio_status values_alone(const struct group *group, int64_t *values, int count, blockio_error *error)
{
    (void)group, (void)values, (void)count, (void)error;
    return BLOCKIO_OK;
}

static blockio_status agree_on_alone(const struct group *group, blockio_status status, int64_t *value,
                                     blockio_error *error)
{
    (void)group, (void)value, (void)error;
    return status;
}

static blockio_status bytes_alone(blockio_file *file, blockio_error *error)
{
    (void)file, (void)error;
    return BLOCKIO_OK;
}

/* One process makes all requests itself: there is no schedule and no view. */
const struct group_calls alone_calls = {.agree = agree_alone,
                                        .sum = values_alone,
                                        .largest = values_alone,
                                        .agree_on = agree_on_alone,
                                        .bytes = bytes_alone};

blockio_status blockio_size(blockio_file *file, int64_t *bytes, blockio_error *error)
{
    clear_error(error);
    if (file == NULL || bytes == NULL)
        return fail(error, BLOCKIO_BAD_ARGUMENT, "the file or the result is NULL");
    int64_t found = 0;
    blockio_status status = BLOCKIO_OK;
    if (file->group->rank == 0)
        status = file->store->size(file, &found, error);
    status = file->group->calls->agree_on(file->group, status, &found, error);
    *bytes = found;
    return status;
}

blockio_status blockio_sync(blockio_file *file, blockio_error *error)
{
    clear_error(error);
    if (file == NULL)
        return fail(error, BLOCKIO_BAD_ARGUMENT, "the file is NULL");
    if (file->mode == BLOCKIO_READ)
        return fail(error, BLOCKIO_WRONG_MODE, "%s is open for reading only: nothing to sync", file->name);
    return file->group->calls->agree(file->group, file->store->sync(file, error), error);
}

blockio_status blockio_close(blockio_file **file, blockio_error *error)
{
    clear_error(error);
    if (file == NULL || *file == NULL)
        return BLOCKIO_OK;
    blockio_status status = (*file)->store->close(*file, error);
    free_kept(*file);
    free((*file)->group);
    free(*file);
    *file = NULL;
    return status;
}

blockio_status blockio_find_byte_order(blockio_file *file, int64_t offset_bytes, uint32_t marker,
                                       blockio_byte_order *order, blockio_error *error)
{
    clear_error(error);
    if (file == NULL || order == NULL || offset_bytes < 0 || offset_bytes > INT64_MAX - 4)
        return fail(error, BLOCKIO_BAD_ARGUMENT, "the file or the result is NULL, or the offset is no offset");
    *order = BLOCKIO_NATIVE;
    if (marker == __builtin_bswap32(marker))
        return fail(error, BLOCKIO_BAD_ARGUMENT, "marker %08x is the same in both byte orders", marker);
    unsigned char bytes[4] = {0};
    int64_t value = 0;
    blockio_status status = file->group->calls->bytes(file, error);
    if (status == BLOCKIO_OK && file->group->rank == 0)
        status = read_exactly(file, offset_bytes, bytes, 4, error);
    for (int i = 0; i < 4; i++)
        value = value << 8 | bytes[i];
    status = file->group->calls->agree_on(file->group, status, &value, error);
    if (status != BLOCKIO_OK)
        return status;
    if ((uint32_t)value != marker && (uint32_t)value != __builtin_bswap32(marker))
        return fail(error, BLOCKIO_BYTE_ORDER, "%s has %08x at byte %lld, which is %08x in neither byte order",
                    file->name, (unsigned)value, (long long)offset_bytes, marker);
    *order = (uint32_t)value == marker ? BLOCKIO_BIG : BLOCKIO_LITTLE;
    return BLOCKIO_OK;
}
