/* Arrays and blocks: what is possible, and how many bytes it has. */
#include "internal.h"

size_t blockio_element_bytes(const blockio_array *array)
{
    switch (array->type) {
    case BLOCKIO_INT8:
        return 1;
    case BLOCKIO_INT16:
        return 2;
    case BLOCKIO_FLOAT32:
    case BLOCKIO_INT32:
        return 4;
    case BLOCKIO_FLOAT64:
    case BLOCKIO_INT64:
    case BLOCKIO_COMPLEX64:
        return 8;
    case BLOCKIO_COMPLEX128:
        return 16;
    case BLOCKIO_OPAQUE:
        return array->element_bytes;
    }
    return 0;
}

/* Also checks that offset and size together fit: every later sum of both is safe. */
blockio_status check_array(const blockio_array *array, int64_t *bytes, blockio_error *error)
{
    if (array == NULL)
        return fail(error, BLOCKIO_BAD_ARGUMENT, "the array is NULL");
    if (array->dims < 1 || array->dims > BLOCKIO_MAX_DIMS)
        return fail(error, BLOCKIO_BAD_SHAPE, "the array has %d dims; give 1 to %d", array->dims, BLOCKIO_MAX_DIMS);
    size_t element_bytes = blockio_element_bytes(array);
    if (element_bytes == 0 || element_bytes > INT32_MAX)
        return fail(error, BLOCKIO_BAD_ARGUMENT, "type %d with elements of %zu bytes: no such type", (int)array->type,
                    array->element_bytes);
    if (array->order != BLOCKIO_C_ORDER && array->order != BLOCKIO_FORTRAN_ORDER)
        return fail(error, BLOCKIO_BAD_ARGUMENT, "order %d: give BLOCKIO_C_ORDER or BLOCKIO_FORTRAN_ORDER",
                    (int)array->order);
    if ((int)array->byte_order < BLOCKIO_NATIVE || array->byte_order > BLOCKIO_BIG)
        return fail(error, BLOCKIO_BAD_ARGUMENT, "byte order %d: no such order", (int)array->byte_order);
    if (array->offset_bytes < 0)
        return fail(error, BLOCKIO_BAD_ARGUMENT, "the array begins at byte %lld; give 0 or more",
                    (long long)array->offset_bytes);
    /* A length of 0 must not hide an overflow of the others: strides are made of them. */
    int64_t total = (int64_t)element_bytes, end;
    bool is_empty = false;
    for (int d = 0; d < array->dims; d++) {
        if (array->shape[d] < 0)
            return fail(error, BLOCKIO_BAD_SHAPE, "shape[%d] is %lld; give 0 or more", d, (long long)array->shape[d]);
        is_empty |= array->shape[d] == 0;
        if (!multiply(total, array->shape[d] == 0 ? 1 : array->shape[d], &total))
            return fail(error, BLOCKIO_OVERFLOW, "the array has more than 2^63 - 1 bytes: see shape[%d], %lld", d,
                        (long long)array->shape[d]);
    }
    if (!add(total, array->offset_bytes, &end))
        return fail(error, BLOCKIO_OVERFLOW, "the array at byte %lld ends beyond 2^63 - 1 bytes",
                    (long long)array->offset_bytes);
    *bytes = is_empty ? 0 : total;
    return BLOCKIO_OK;
}

blockio_status blockio_array_bytes(const blockio_array *array, int64_t *bytes, blockio_error *error)
{
    clear_error(error);
    if (bytes == NULL)
        return fail(error, BLOCKIO_BAD_ARGUMENT, "the result is NULL");
    *bytes = 0;
    return check_array(array, bytes, error);
}

static bool is_big_endian(void)
{
    return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
}

blockio_status check_swap(const blockio_array *array, size_t *swap_bytes, blockio_error *error)
{
    *swap_bytes = 1;
    if (array->byte_order == BLOCKIO_NATIVE || (array->byte_order == BLOCKIO_BIG) == is_big_endian())
        return BLOCKIO_OK;
    if (array->type == BLOCKIO_OPAQUE && array->element_bytes > 1)
        return fail(error, BLOCKIO_BYTE_ORDER,
                    "opaque elements of %zu bytes have a foreign byte order; plan their members as arrays of bytes, or "
                    "use BLOCKIO_NATIVE and swap them",
                    array->element_bytes);
    bool is_complex = array->type == BLOCKIO_COMPLEX64 || array->type == BLOCKIO_COMPLEX128;
    *swap_bytes = blockio_element_bytes(array) / (is_complex ? 2 : 1);
    return BLOCKIO_OK;
}

void file_strides(const blockio_array *array, int64_t strides[])
{
    int64_t stride = (int64_t)blockio_element_bytes(array);
    for (int i = 0; i < array->dims; i++) {
        int d = array->order == BLOCKIO_C_ORDER ? array->dims - 1 - i : i;
        strides[d] = stride;
        stride *= array->shape[d] == 0 ? 1 : array->shape[d];
    }
}

/* One index of a block; *elements is its length in memory. */
static blockio_status check_index(const blockio_array *array, const blockio_block *block, int d, int64_t *elements,
                                  blockio_error *error)
{
    int64_t shape = array->shape[d], start = block->start[d], count = block->count[d];
    int64_t piece = block->piece[d] == 0 ? 1 : block->piece[d];
    int64_t stride = block->stride[d] == 0 ? piece : block->stride[d];
    int64_t low = block->halo_low[d], high = block->halo_high[d];
    if (start < 0 || count < 0 || piece < 0 || stride < 0 || low < 0 || high < 0)
        return fail(error, BLOCKIO_BAD_ARGUMENT, "index %d of the block has a negative number", d);
    if (stride < piece)
        return fail(error, BLOCKIO_BAD_SHAPE, "stride[%d] is %lld, less than its piece of %lld: pieces overlap", d,
                    (long long)stride, (long long)piece);
    if ((low > 0 || high > 0) && count > 1 && stride != piece)
        return fail(error, BLOCKIO_BAD_SHAPE, "index %d has a halo and a stride; a halo needs a dense block", d);
    if (low > shape || high > shape)
        return fail(error, BLOCKIO_BAD_SHAPE, "the halo of index %d is wider than the array, %lld", d,
                    (long long)shape);
    int64_t end = start;
    if (count > 0 && (!multiply(count - 1, stride, &end) || !add(end, piece, &end) || !add(end, start, &end)))
        return fail(error, BLOCKIO_OVERFLOW, "the block ends beyond 2^63 - 1 elements along index %d", d);
    if (end > shape)
        return fail(error, BLOCKIO_OUT_OF_BOUNDS, "the block ends at %lld along index %d; the array has %lld",
                    (long long)end, d, (long long)shape);
    *elements = count == 0 ? 0 : count * piece;
    if (count > 0 && (!add(*elements, low, elements) || !add(*elements, high, elements)))
        return fail(error, BLOCKIO_OVERFLOW, "the halos of index %d reach beyond 2^63 - 1 elements", d);
    return BLOCKIO_OK;
}

blockio_status check_block(const blockio_array *array, const blockio_block *block, int64_t *memory_elements,
                           blockio_error *error)
{
    int64_t total = 1, bytes;
    bool is_empty = false;
    for (int d = 0; d < array->dims; d++) {
        int64_t elements;
        blockio_status status = check_index(array, block, d, &elements, error);
        if (status != BLOCKIO_OK)
            return status;
        is_empty |= elements == 0;
        if (!multiply(total, elements == 0 ? 1 : elements, &total))
            return fail(error, BLOCKIO_OVERFLOW, "the block with its halos has more than 2^63 - 1 elements");
    }
    *memory_elements = is_empty ? 0 : total;
    if (!multiply(total, (int64_t)blockio_element_bytes(array), &bytes) || bytes > PTRDIFF_MAX)
        return fail(error, BLOCKIO_OVERFLOW, "the block with its halos has more bytes than memory can have");
    return BLOCKIO_OK;
}

blockio_status blockio_block_bytes(const blockio_array *array, const blockio_block *block, int64_t *bytes,
                                   blockio_error *error)
{
    int64_t ignored, elements = 0;
    clear_error(error);
    if (bytes == NULL || block == NULL)
        return fail(error, BLOCKIO_BAD_ARGUMENT, "the block or the result is NULL");
    *bytes = 0;
    blockio_status status = check_array(array, &ignored, error);
    if (status == BLOCKIO_OK)
        status = check_block(array, block, &elements, error);
    *bytes = elements * (status == BLOCKIO_OK ? (int64_t)blockio_element_bytes(array) : 0);
    return status;
}

void blockio_divide(int64_t length, int64_t parts, int64_t part, int64_t *start, int64_t *count)
{
    bool is_part = length >= 0 && parts > 0 && part >= 0 && part < parts;
    int64_t each = is_part ? length / parts : 0, longer = is_part ? length % parts : 0;
    if (start != NULL)
        *start = is_part ? part * each + (part < longer ? part : longer) : 0;
    if (count != NULL)
        *count = is_part ? each + (part < longer) : 0;
}
