/* Between the packed buffer, which is in the order of the file, and the user's. */
#include "internal.h"

#include <string.h>

/* One function per common size: the compiler makes a load and a store of each memcpy. */
static void copy_units(unsigned char *to, int64_t to_stride, const unsigned char *from, int64_t from_stride,
                       int64_t count, int64_t unit_bytes)
{
#define COPY(bytes)                                                                                                    \
    case bytes:                                                                                                        \
        for (int64_t i = 0; i < count; i++)                                                                            \
            memcpy(to + i * to_stride, from + i * from_stride, bytes);                                                 \
        return
    switch (unit_bytes) {
        COPY(1);
        COPY(2);
        COPY(4);
        COPY(8);
        COPY(16);
    default:
        for (int64_t i = 0; i < count; i++)
            copy_bytes(to + i * to_stride, from + i * from_stride, (size_t)unit_bytes);
    }
#undef COPY
}

/* The innermost loop of a box. */
static void copy_row(unsigned char *packed, unsigned char *memory, int64_t memory_stride, int64_t count,
                     int64_t unit_bytes, bool pack)
{
    if (pack)
        copy_units(packed, unit_bytes, memory, memory_stride, count, unit_bytes);
    else
        copy_units(memory, memory_stride, packed, unit_bytes, count, unit_bytes);
}

/* A box alone fills the packed buffer from one end to the other; a box among others is looked
 * up, row by row where a row is contiguous in the file, unit by unit elsewhere. */
static void copy_box(const struct side *side, const struct box *box, unsigned char *packed, unsigned char *values,
                     bool pack)
{
    int64_t at[MAX_LOOPS] = {0}, offset_bytes = box->file_bytes, memory_bytes = box->memory_bytes, position = 0;
    bool is_alone = side->box_count == 1;
    int inner = box->loops - 1;
    bool has_row = inner >= 0 && (is_alone || box->file_stride_bytes[inner] == box->unit_bytes);
    int loops = has_row ? inner : box->loops;
    int64_t count = has_row ? box->count[inner] : 1;
    int64_t memory_stride = has_row ? box->memory_stride_bytes[inner] : box->unit_bytes;
    for (;;) {
        if (!is_alone)
            position = packed_at(&side->runs, offset_bytes);
        copy_row(packed + position, values + memory_bytes, memory_stride, count, box->unit_bytes, pack);
        position += count * box->unit_bytes;
        int loop = loops - 1;
        for (; loop >= 0; loop--) {
            offset_bytes += box->file_stride_bytes[loop];
            memory_bytes += box->memory_stride_bytes[loop];
            if (++at[loop] < box->count[loop])
                break;
            offset_bytes -= box->count[loop] * box->file_stride_bytes[loop];
            memory_bytes -= box->count[loop] * box->memory_stride_bytes[loop];
            at[loop] = 0;
        }
        if (loop < 0)
            return;
    }
}

void copy_boxes(const struct side *side, unsigned char *packed, unsigned char *values, bool pack)
{
    for (size_t i = 0; i < side->box_count; i++)
        copy_box(side, &side->boxes[i], packed, values, pack);
    for (size_t i = 0; i < side->piece_count; i++) {
        const struct piece *piece = &side->pieces[i];
        unsigned char *there = packed + packed_at(&side->runs, piece->file_bytes), *here = values + piece->memory_bytes;
        copy_bytes(pack ? there : here, pack ? here : there, (size_t)piece->length_bytes);
    }
}

/* Through memcpy: a packed buffer need not be aligned for its elements. */
void swap_elements(void *values, int64_t bytes, size_t swap_bytes)
{
    unsigned char *at = values;
#define SWAP(bits)                                                                                                     \
    for (int64_t i = 0; i < bytes; i += bits / 8) {                                                                    \
        uint##bits##_t value;                                                                                          \
        memcpy(&value, at + i, sizeof value);                                                                          \
        value = __builtin_bswap##bits(value);                                                                          \
        memcpy(at + i, &value, sizeof value);                                                                          \
    }
    if (swap_bytes == 2)
        SWAP(16)
    else if (swap_bytes == 4)
        SWAP(32)
    else if (swap_bytes == 8)
        SWAP(64)
#undef SWAP
}
