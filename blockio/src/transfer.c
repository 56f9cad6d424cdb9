/* Reads and writes of a plan. */
#include "internal.h"

#include <stdlib.h>

static blockio_status move(blockio_file *file, const struct side *side, unsigned char *packed, bool is_write,
                           blockio_error *error)
{
    const struct group_calls *calls = file->group->calls;
    if (side->choice.method != BLOCKIO_COLLECTIVE) { /* does nothing where bytes are set already */
        blockio_status status = calls->bytes(file, error);
        if (status != BLOCKIO_OK)
            return status;
    }
    switch (side->choice.method) {
    case BLOCKIO_SERIALIZED:
    case BLOCKIO_GROUPED:
        return calls->exchange(file, side, packed, is_write, error);
    case BLOCKIO_COLLECTIVE:
        return calls->collective(file, side, packed, is_write, error);
    default:
        return independent(file, side, packed, is_write, error);
    }
}

static blockio_status check_call(const blockio_file *file, const blockio_plan *plan, const void *values,
                                 blockio_error *error)
{
    if (plan->group != file->group)
        return fail(error, BLOCKIO_BAD_ARGUMENT, "the plan was made for another file than %s", file->name);
    if (values == NULL && plan->bytes > 0)
        return fail(error, BLOCKIO_BAD_ARGUMENT, "the values are NULL; the plan has %lld bytes",
                    (long long)plan->bytes);
    return BLOCKIO_OK;
}

blockio_status blockio_read(blockio_file *file, const blockio_plan *plan, void *values, blockio_error *error)
{
    clear_error(error);
    if (file == NULL || plan == NULL)
        return fail(error, BLOCKIO_BAD_ARGUMENT, "the file or the plan is NULL");
    const struct side *side = &plan->side[BLOCKIO_READING];
    const struct group_calls *calls = file->group->calls;
    int64_t bytes = side->runs.packed_bytes[side->runs.count];
    unsigned char *packed = side->is_direct ? values : NULL;
    blockio_status status = check_call(file, plan, values, error);
    if (status == BLOCKIO_OK && !side->is_direct && (packed = borrow(file, bytes)) == NULL)
        status = fail(error, BLOCKIO_NO_MEMORY, "no memory for a copy of %lld bytes; read in tiles", (long long)bytes);
    /* Independent reads need no word of other ranks before the end: a short file is seen by who
     * reads beyond it. */
    bool is_alone = side->choice.method == BLOCKIO_INDEPENDENT;
    int64_t size_bytes = side->end_bytes;
    if (is_alone) {
        blockio_status view_status = calls->bytes(file, error);
        status = status == BLOCKIO_OK ? view_status : status;
    } else {
        /* One rank asks for the size: thousands that do so at once are a load for a metadata server. */
        if (status == BLOCKIO_OK && file->group->rank == 0)
            status = file->store->size(file, &size_bytes, error);
        status = calls->agree_on(file->group, status, &size_bytes, error);
    }
    if (status == BLOCKIO_OK && size_bytes < side->end_bytes)
        status = fail(error, BLOCKIO_SHORT_FILE, "%s has %lld bytes, the plan reads up to byte %lld", file->name,
                      (long long)size_bytes, (long long)side->end_bytes);
    bool is_ready = status == BLOCKIO_OK;
    if (is_ready)
        status = move(file, side, packed, false, error);
    if (is_ready || is_alone)
        status = calls->agree(file->group, status, error);
    if (status == BLOCKIO_OK) {
        swap_elements(packed, bytes, plan->swap_bytes);
        if (!side->is_direct)
            copy_boxes(side, packed, values, false);
    }
    if (!side->is_direct)
        give_back(file, packed);
    return status;
}

blockio_status blockio_write(blockio_file *file, const blockio_plan *plan, const void *values, blockio_error *error)
{
    clear_error(error);
    if (file == NULL || plan == NULL)
        return fail(error, BLOCKIO_BAD_ARGUMENT, "the file or the plan is NULL");
    const struct side *side = &plan->side[BLOCKIO_WRITING];
    const struct group_calls *calls = file->group->calls;
    if (file->mode == BLOCKIO_READ)
        return fail(error, BLOCKIO_WRONG_MODE, "%s is open for reading only; open it with BLOCKIO_WRITE", file->name);
    if (side->overlaps)
        return fail(error, BLOCKIO_OVERLAP, "%s: a rank's own blocks overlap; write each element once", file->name);
    int64_t bytes = side->runs.packed_bytes[side->runs.count];
    bool is_copied = !side->is_direct || plan->swap_bytes > 1;
    unsigned char *copy = NULL;
    blockio_status status = check_call(file, plan, values, error);
    if (status == BLOCKIO_OK && is_copied && (copy = borrow(file, bytes)) == NULL)
        status = fail(error, BLOCKIO_NO_MEMORY, "no memory for a copy of %lld bytes; write in tiles", (long long)bytes);
    /* Independent writes need no word of other ranks before the end either. */
    bool is_alone = side->choice.method == BLOCKIO_INDEPENDENT;
    blockio_status others = is_alone ? calls->bytes(file, error) : calls->agree(file->group, status, error);
    status = status == BLOCKIO_OK || !is_alone ? others : status;
    bool is_ready = status == BLOCKIO_OK;
    if (is_ready) {
        /* What is moved is only read from here on: dropping const is safe. */
        unsigned char *source = (unsigned char *)(uintptr_t)values;
        if (is_copied) {
            copy_boxes(side, copy, source, true);
            swap_elements(copy, bytes, plan->swap_bytes);
        }
        status = move(file, side, is_copied ? copy : source, true, error);
    }
    if (is_ready || is_alone)
        status = calls->agree(file->group, status, error);
    give_back(file, copy);
    return status;
}
