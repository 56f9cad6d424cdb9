/* Tiles of a block that is larger than memory. */
#include "internal.h"

/* Tiles take whole rows of the fastest indexes as long as they fit, then a part of the next
 * index, then single elements of the slower ones: each is as contiguous as the limit allows. */
static void tile_lengths(const blockio_array *array, const blockio_block *block, int64_t limit_elements,
                         int64_t length[])
{
    int64_t room = limit_elements;
    for (int i = 0; i < array->dims; i++) {
        int d = array->order == BLOCKIO_C_ORDER ? array->dims - 1 - i : i;
        length[d] = block->count[d] < room ? block->count[d] : room;
        room = length[d] == block->count[d] && length[d] > 0 ? room / length[d] : 1;
    }
}

blockio_status blockio_tile(const blockio_array *array, const blockio_block *block, int64_t limit_bytes, int64_t tile,
                            int64_t *tiles, blockio_block *piece, blockio_error *error)
{
    int64_t bytes, elements, length[BLOCKIO_MAX_DIMS], along[BLOCKIO_MAX_DIMS], total = 1;
    clear_error(error);
    if (block == NULL || tiles == NULL)
        return fail(error, BLOCKIO_BAD_ARGUMENT, "the block or the number of tiles is NULL");
    *tiles = 0;
    blockio_status status = check_array(array, &bytes, error);
    if (status == BLOCKIO_OK)
        status = check_block(array, block, &elements, error);
    if (status != BLOCKIO_OK)
        return status;
    for (int d = 0; d < array->dims; d++)
        if (block->piece[d] > 1 || block->stride[d] > 1 || block->halo_low[d] > 0 || block->halo_high[d] > 0)
            return fail(error, BLOCKIO_BAD_SHAPE, "index %d has a stride, a piece or a halo; tiles need a dense block",
                        d);
    int64_t element_bytes = (int64_t)blockio_element_bytes(array);
    if (limit_bytes < element_bytes)
        return fail(error, BLOCKIO_BAD_SHAPE, "a tile of %lld bytes holds no element of %lld", (long long)limit_bytes,
                    (long long)element_bytes);
    if (elements == 0)
        return piece == NULL ? BLOCKIO_OK : fail(error, BLOCKIO_OUT_OF_BOUNDS, "an empty block has no tile");
    tile_lengths(array, block, limit_bytes / element_bytes, length);
    for (int d = 0; d < array->dims; d++) {
        along[d] = (block->count[d] - 1) / length[d] + 1;
        total *= along[d]; /* at most the elements of the block */
    }
    *tiles = total;
    if (piece == NULL)
        return BLOCKIO_OK;
    if (tile < 0 || tile >= total)
        return fail(error, BLOCKIO_OUT_OF_BOUNDS, "tile %lld of %lld", (long long)tile, (long long)total);
    *piece = *block;
    for (int i = 0; i < array->dims; i++) {
        int d = array->order == BLOCKIO_C_ORDER ? array->dims - 1 - i : i;
        int64_t first = tile % along[d] * length[d], left = block->count[d] - first;
        tile /= along[d];
        piece->start[d] = block->start[d] + first;
        piece->count[d] = left < length[d] ? left : length[d];
    }
    return BLOCKIO_OK;
}
