/* Blocks as nests of loops over the file and over memory.
 *
 * Along an index a halo makes up to three spans: what lies inside the array, and with
 * periodic indexes what comes from its other end. A block is the product of its spans. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

/* `count` pieces of `piece` elements along one index. */
struct span {
    int64_t start, memory, count, piece, stride;
};

/* Inside the array, from `first` to `last` (excluded), which may reach over its ends. */
static int halo_spans(int64_t shape, int64_t first, int64_t last, bool is_periodic, struct span spans[3])
{
    int found = 0;
    for (int64_t shift = -shape; shift <= shape; shift += shape) {
        int64_t from = first > shift ? first : shift, to = last < shift + shape ? last : shift + shape;
        if (from < to && (shift == 0 || is_periodic))
            spans[found++] = (struct span){from - shift, from - first, 1, to - from, to - from};
        if (shape == 0)
            break;
    }
    return found;
}

static int index_spans(const blockio_array *array, const blockio_block *block, int d, bool with_halos,
                       struct span spans[3])
{
    int64_t piece = block->piece[d] == 0 ? 1 : block->piece[d];
    int64_t stride = block->stride[d] == 0 ? piece : block->stride[d];
    int64_t count = block->count[d], low = block->halo_low[d];
    if (count > 1 && stride != piece) {
        spans[0] = (struct span){block->start[d], 0, count, piece, stride};
        return 1;
    }
    if (!with_halos) {
        spans[0] = (struct span){block->start[d], low, 1, count * piece, count * piece};
        return 1;
    }
    int64_t end = block->start[d] + count * piece + block->halo_high[d];
    return halo_spans(array->shape[d], block->start[d] - low, end, block->periodic[d], spans);
}

static void add_loop(struct box *box, int64_t count, int64_t file_bytes, int64_t memory_bytes)
{
    if (count == 1)
        return;
    box->count[box->loops] = count;
    box->file_stride_bytes[box->loops] = file_bytes;
    box->memory_stride_bytes[box->loops] = memory_bytes;
    box->loops += 1;
}

/* Loops over what is contiguous in file and memory become a longer unit. */
static void join_loops(struct box *box)
{
    while (box->loops > 0 && box->file_stride_bytes[box->loops - 1] == box->unit_bytes &&
           box->memory_stride_bytes[box->loops - 1] == box->unit_bytes) {
        box->loops -= 1;
        box->unit_bytes *= box->count[box->loops];
    }
}

static blockio_status append(struct side *side, size_t *room, const struct box *box, blockio_error *error)
{
    if (side->box_count == *room) {
        size_t more = *room == 0 ? 4 : *room * 2;
        struct box *boxes = more > SIZE_MAX / sizeof *boxes ? NULL : realloc(side->boxes, more * sizeof *boxes);
        if (boxes == NULL)
            return fail(error, BLOCKIO_NO_MEMORY, "no memory for %zu boxes of a plan", more);
        side->boxes = boxes;
        *room = more;
    }
    side->boxes[side->box_count++] = *box;
    return BLOCKIO_OK;
}

/* Strides in memory: `lengths` elements along each index, in the order of the block. */
static void memory_strides(const blockio_array *array, const blockio_block *block, int64_t strides[])
{
    bool is_c = (array->order == BLOCKIO_C_ORDER) != block->other_order;
    int64_t stride = (int64_t)blockio_element_bytes(array);
    for (int i = 0; i < array->dims; i++) {
        int d = is_c ? array->dims - 1 - i : i;
        int64_t piece = block->piece[d] == 0 ? 1 : block->piece[d];
        strides[d] = stride;
        stride *= block->halo_low[d] + block->count[d] * piece + block->halo_high[d];
    }
}

blockio_status select_block(struct side *side, size_t *room, const blockio_array *array, const blockio_block *block,
                            int64_t memory_bytes, bool with_halos, blockio_error *error)
{
    int64_t in_file[BLOCKIO_MAX_DIMS], in_memory[BLOCKIO_MAX_DIMS];
    struct span spans[BLOCKIO_MAX_DIMS][3];
    int found[BLOCKIO_MAX_DIMS], at[BLOCKIO_MAX_DIMS] = {0};
    for (int d = 0; d < array->dims; d++)
        if (block->count[d] == 0)
            return BLOCKIO_OK;
    file_strides(array, in_file);
    memory_strides(array, block, in_memory);
    for (int d = 0; d < array->dims; d++)
        found[d] = index_spans(array, block, d, with_halos, spans[d]);
    for (;;) {
        struct box box = {.file_bytes = array->offset_bytes,
                          .memory_bytes = memory_bytes,
                          .unit_bytes = (int64_t)blockio_element_bytes(array)};
        for (int i = 0; i < array->dims; i++) {
            int d = array->order == BLOCKIO_C_ORDER ? i : array->dims - 1 - i;
            const struct span *span = &spans[d][at[d]];
            box.file_bytes += span->start * in_file[d];
            box.memory_bytes += span->memory * in_memory[d];
            add_loop(&box, span->count, span->stride * in_file[d], span->piece * in_memory[d]);
            add_loop(&box, span->piece, in_file[d], in_memory[d]);
        }
        join_loops(&box);
        blockio_status status = append(side, room, &box, error);
        if (status != BLOCKIO_OK)
            return status;
        int d = 0;
        while (d < array->dims && ++at[d] == found[d])
            at[d++] = 0;
        if (d == array->dims)
            return BLOCKIO_OK;
    }
}

/* Elements one after the other in file and memory are one piece. */
blockio_status select_elements(struct side *side, const blockio_array *array, const int64_t *indexes, size_t count,
                               blockio_error *error)
{
    int64_t element_bytes = (int64_t)blockio_element_bytes(array), elements;
    blockio_status status = check_array(array, &elements, error);
    if (status != BLOCKIO_OK)
        return status;
    elements /= element_bytes;
    side->pieces = allocate(count, sizeof *side->pieces);
    if (side->pieces == NULL)
        return fail(error, BLOCKIO_NO_MEMORY, "no memory for a plan of %zu elements", count);
    for (size_t i = 0; i < count; i++) {
        if (indexes[i] < 0 || indexes[i] >= elements)
            return fail(error, BLOCKIO_OUT_OF_BOUNDS, "indexes[%zu] is %lld; the array has %lld elements", i,
                        (long long)indexes[i], (long long)elements);
        if (i > 0 && indexes[i] == indexes[i - 1] + 1)
            side->pieces[side->piece_count - 1].length_bytes += element_bytes;
        else
            side->pieces[side->piece_count++] = (struct piece){array->offset_bytes + indexes[i] * element_bytes,
                                                               (int64_t)i * element_bytes, element_bytes};
    }
    return BLOCKIO_OK;
}
