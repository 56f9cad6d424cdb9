/* Plans: made once of blocks, then read and written any number of times. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

void blockio_plan_free(blockio_plan **plan)
{
    if (plan == NULL || *plan == NULL)
        return;
    struct side *reading = &(*plan)->side[BLOCKIO_READING], *writing = &(*plan)->side[BLOCKIO_WRITING];
    const struct group_calls *calls = (*plan)->group->calls;
    bool is_shared = writing->runs.packed_bytes == reading->runs.packed_bytes && writing->boxes == reading->boxes &&
                     writing->pieces == reading->pieces;
    for (int i = 0; i < 2; i++) {
        struct side *side = &(*plan)->side[i];
        if (side->schedule != NULL)
            calls->free_schedule(side->schedule);
        if (side->view != NULL)
            calls->free_view(side);
        if (i == 1 && is_shared)
            break;
        free(side->boxes);
        free(side->pieces);
        free(side->runs.run);
        free(side->runs.packed_bytes);
    }
    free(*plan);
    *plan = NULL;
}

int64_t blockio_plan_bytes(const blockio_plan *plan)
{
    return plan == NULL ? 0 : plan->bytes;
}

blockio_method blockio_plan_method(const blockio_plan *plan, blockio_direction direction)
{
    return plan == NULL ? BLOCKIO_AUTO : plan->side[direction == BLOCKIO_WRITING].choice.method;
}

const char *blockio_note(const blockio_plan *plan, blockio_direction direction)
{
    return plan == NULL ? "no plan" : plan->side[direction == BLOCKIO_WRITING].choice.note;
}

/* The same number on all ranks if the arrays are the same, and almost never otherwise. */
static int64_t fingerprint(const blockio_array *array)
{
    uint64_t hash = 14695981039346656037u;
    int64_t members[6 + BLOCKIO_MAX_DIMS] = {array->dims,  array->type,       (int64_t)blockio_element_bytes(array),
                                             array->order, array->byte_order, array->offset_bytes};
    for (int d = 0; d < array->dims; d++)
        members[6 + d] = array->shape[d];
    for (size_t i = 0; i < sizeof members; i++)
        hash = (hash ^ ((const unsigned char *)members)[i]) * 1099511628211u;
    return (int64_t)(hash >> 2);
}

/* Sums and largest values over all ranks, in one call each. */
static blockio_status gather_facts(const blockio_file *file, const struct side *side, const blockio_array *array,
                                   bool is_write, struct facts *facts, blockio_error *error)
{
    const struct runs *runs = &side->runs;
    int64_t sieved, bytes = runs->packed_bytes[runs->count], hash = fingerprint(array);
    int64_t requests =
        independent_requests(runs, is_write, sieve_gap_bytes(file->is_local), file->options.buffer_bytes, &sieved);
    const struct run *last = runs->count == 0 ? NULL : &runs->run[runs->count - 1];
    int64_t sums[4] = {bytes, requests, sieved, (int64_t)runs->count};
    int64_t largest[7] = {requests,
                          bytes,
                          last == NULL ? 0 : last->offset_bytes + last->length_bytes,
                          last == NULL ? INT64_MIN : -runs->run[0].offset_bytes,
                          hash,
                          -hash,
                          side->overlaps};
    blockio_status status = file->group->calls->sum(file->group, sums, 4, error);
    if (status == BLOCKIO_OK)
        status = file->group->calls->largest(file->group, largest, 7, error);
    if (status != BLOCKIO_OK)
        return status;
    if (largest[4] != -largest[5])
        return fail(error, BLOCKIO_RANKS_DIFFER, "%s: ranks plan blocks of different arrays", file->name);
    *facts = (struct facts){.is_write = is_write,
                            .is_local = file->is_local,
                            .ranks = file->group->ranks,
                            .nodes = file->group->nodes,
                            .stripes = file->options.stripes,
                            .stripe_bytes = file->options.stripe_bytes,
                            .buffer_bytes = file->options.buffer_bytes,
                            .request_ns = file->options.request_ns,
                            .wanted = file->options.method,
                            .wanted_aggregators = file->options.aggregators,
                            .bytes = sums[0],
                            .requests = sums[1],
                            .sieved_bytes = sums[2],
                            .runs = sums[3],
                            .rank_requests = largest[0],
                            .rank_bytes = largest[1],
                            .end_bytes = largest[2],
                            .first_bytes = sums[0] == 0 ? largest[2] : -largest[3]};
    return largest[6] && is_write ? BLOCKIO_OVERLAP : BLOCKIO_OK;
}

/* The schedule of a grouped read says whether ranks read the same bytes. */
static blockio_status prepare_collective(const blockio_file *file, struct side *side, const struct facts *facts,
                                         blockio_error *error)
{
    const struct group_calls *calls = file->group->calls;
    if (calls->shares_badly && !facts->is_write) {
        blockio_status status = calls->schedule(file->group, side, facts, error);
        status = calls->agree(file->group, status, error);
        int64_t overlaps = status == BLOCKIO_OK && calls->schedule_overlaps(side->schedule);
        if (status == BLOCKIO_OK)
            status = calls->largest(file->group, &overlaps, 1, error);
        if (status != BLOCKIO_OK)
            return status;
        if (overlaps) {
            static const char note[] = "grouped in place of collective: ranks read the same bytes, which this MPI-IO "
                                       "may return wrongly. Was: ";
            size_t length = strlen(note), room = sizeof side->choice.note;
            memmove(side->choice.note + length, side->choice.note, room - length);
            memcpy(side->choice.note, note, length);
            side->choice.note[room - 1] = '\0';
            side->choice.method = BLOCKIO_GROUPED;
            return BLOCKIO_OK;
        }
        calls->free_schedule(side->schedule);
        side->schedule = NULL;
    }
    return calls->view(file->group, side, error);
}

/* Overlapping blocks can be read: only writing them is refused, when it is tried. */
static blockio_status prepare(blockio_file *file, const blockio_array *array, blockio_plan *plan, bool is_write,
                              blockio_error *error)
{
    struct side *side = &plan->side[is_write];
    const struct group_calls *calls = file->group->calls;
    struct facts facts;
    blockio_status status = gather_facts(file, side, array, is_write, &facts, error);
    side->overlaps = status == BLOCKIO_OVERLAP;
    if (status != BLOCKIO_OK && status != BLOCKIO_OVERLAP)
        return status;
    side->end_bytes = facts.end_bytes;
    choose(&facts, &side->choice);
    if (side->overlaps)
        return BLOCKIO_OK;
    if (side->choice.method == BLOCKIO_COLLECTIVE)
        return prepare_collective(file, side, &facts, error);
    if (side->choice.method == BLOCKIO_SERIALIZED || side->choice.method == BLOCKIO_GROUPED)
        return calls->schedule(file->group, side, &facts, error);
    return BLOCKIO_OK;
}

static blockio_status select_blocks(blockio_plan *plan, const blockio_array *array, const blockio_block *blocks,
                                    size_t count, blockio_error *error)
{
    int64_t array_bytes, element_bytes, elements, bytes;
    size_t room[2] = {0, 0};
    bool has_halos = false;
    blockio_status status = check_array(array, &array_bytes, error);
    if (status != BLOCKIO_OK)
        return status;
    if (blocks == NULL && count > 0)
        return fail(error, BLOCKIO_BAD_ARGUMENT, "the blocks are NULL");
    for (size_t i = 0; i < count; i++)
        for (int d = 0; d < array->dims; d++)
            has_halos |= blocks[i].halo_low[d] != 0 || blocks[i].halo_high[d] != 0;
    element_bytes = (int64_t)blockio_element_bytes(array);
    for (size_t i = 0; i < count && status == BLOCKIO_OK; i++) {
        status = check_block(array, &blocks[i], &elements, error);
        if (status != BLOCKIO_OK)
            return status;
        bytes = elements * element_bytes;
        status = select_block(&plan->side[0], &room[0], array, &blocks[i], plan->bytes, true, error);
        if (has_halos && status == BLOCKIO_OK)
            status = select_block(&plan->side[1], &room[1], array, &blocks[i], plan->bytes, false, error);
        if (status == BLOCKIO_OK && (!add(plan->bytes, bytes, &plan->bytes) || plan->bytes > PTRDIFF_MAX))
            return fail(error, BLOCKIO_OVERFLOW, "the blocks together have more bytes than memory can have");
    }
    if (status == BLOCKIO_OK)
        status = make_runs(&plan->side[0], error);
    if (status == BLOCKIO_OK && has_halos)
        return make_runs(&plan->side[1], error);
    plan->side[1] = plan->side[0];
    return status;
}

static blockio_status select_indexes(blockio_plan *plan, const blockio_array *array, const int64_t *indexes,
                                     size_t count, blockio_error *error)
{
    if (indexes == NULL && count > 0)
        return fail(error, BLOCKIO_BAD_ARGUMENT, "the indexes are NULL");
    blockio_status status = select_elements(&plan->side[0], array, indexes, count, error);
    if (status == BLOCKIO_OK && !multiply((int64_t)count, (int64_t)blockio_element_bytes(array), &plan->bytes))
        status = fail(error, BLOCKIO_OVERFLOW, "the elements have more than 2^63 - 1 bytes");
    if (status == BLOCKIO_OK)
        status = make_runs(&plan->side[0], error);
    plan->side[1] = plan->side[0];
    return status;
}

/* Of blocks, or of indexes where these are not NULL. Ranks whose arguments are bad take part
 * until all ranks know of it. */
static blockio_status make_plan(blockio_file *file, const blockio_array *array, const blockio_block *blocks,
                                const int64_t *indexes, bool of_indexes, size_t count, blockio_plan **result,
                                blockio_error *error)
{
    clear_error(error);
    if (result != NULL)
        *result = NULL;
    if (file == NULL)
        return fail(error, BLOCKIO_BAD_ARGUMENT, "the file is NULL");
    blockio_status status = BLOCKIO_OK;
    blockio_plan *plan = calloc(1, sizeof *plan);
    if (result == NULL)
        status = fail(error, BLOCKIO_BAD_ARGUMENT, "the plan is NULL");
    else if (plan == NULL)
        status = fail(error, BLOCKIO_NO_MEMORY, "no memory for a plan");
    else {
        plan->group = file->group;
        status = of_indexes ? select_indexes(plan, array, indexes, count, error)
                            : select_blocks(plan, array, blocks, count, error);
    }
    if (status == BLOCKIO_OK)
        status = check_swap(array, &plan->swap_bytes, error);
    status = file->group->calls->agree(file->group, status, error);
    for (int direction = 0; direction < 2 && status == BLOCKIO_OK; direction++)
        if (direction == BLOCKIO_READING || file->mode != BLOCKIO_READ) {
            status = prepare(file, array, plan, direction == BLOCKIO_WRITING, error);
            status = file->group->calls->agree(file->group, status, error);
        }
    if (status != BLOCKIO_OK)
        blockio_plan_free(&plan);
    else
        tell_plan(file, plan);
    if (result != NULL)
        *result = plan;
    return status;
}

blockio_status blockio_plan_blocks(blockio_file *file, const blockio_array *array, const blockio_block *blocks,
                                   size_t block_count, blockio_plan **plan, blockio_error *error)
{
    return make_plan(file, array, blocks, NULL, false, block_count, plan, error);
}

blockio_status blockio_plan_elements(blockio_file *file, const blockio_array *array, const int64_t *indexes,
                                     size_t index_count, blockio_plan **plan, blockio_error *error)
{
    return make_plan(file, array, NULL, indexes, true, index_count, plan, error);
}
