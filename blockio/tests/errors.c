/* Bad input gives a status and a text, on all ranks the same, and nothing aborts.
 *
 *   errors FILE
 */
#include "together.h"

static int failures;

static void expect(blockio_status got, blockio_status wanted, const char *text, const blockio_error *error,
                   const char *what)
{
    bool is_right = got == wanted && (got == BLOCKIO_OK || error->text[0] != '\0') &&
                    (text == NULL || strstr(error->text, text) != NULL);
    if (is_right)
        return;
    printf("rank %d: %s: status %d, not %d: %s\n", rank, what, (int)got, (int)wanted, error->text);
    failures++;
}

struct bad_plan {
    const char *what, *text;
    blockio_status wanted;
    blockio_array array;
    blockio_block block;
};

static const int64_t huge = INT64_MAX;

static void plans(blockio_file *file)
{
    const struct bad_plan bad[] = {
        {"no dims", "0 dims", BLOCKIO_BAD_SHAPE, {.dims = 0}, {.start = {0}}},
        {"9 dims", "9 dims", BLOCKIO_BAD_SHAPE, {.dims = 9}, {.start = {0}}},
        {"a negative shape", "shape[0] is -1", BLOCKIO_BAD_SHAPE, {.dims = 1, .shape = {-1}}, {.start = {0}}},
        {"too many bytes", "2^63", BLOCKIO_OVERFLOW, {.dims = 2, .shape = {huge / 4, 2}}, {.start = {0}}},
        {"too many beside a 0", "2^63", BLOCKIO_OVERFLOW, {.dims = 3, .shape = {0, huge / 4, 4}}, {.start = {0}}},
        {"an end beyond 2^63",
         "2^63",
         BLOCKIO_OVERFLOW,
         {.dims = 1, .shape = {8}, .offset_bytes = huge - 8},
         {.start = {0}}},
        {"a negative header",
         "byte -1",
         BLOCKIO_BAD_ARGUMENT,
         {.dims = 1, .shape = {8}, .offset_bytes = -1},
         {.start = {0}}},
        {"no such type",
         "type 77",
         BLOCKIO_BAD_ARGUMENT,
         {.dims = 1, .shape = {8}, .type = (blockio_type)77},
         {.start = {0}}},
        {"elements of no bytes",
         "0 bytes",
         BLOCKIO_BAD_ARGUMENT,
         {.dims = 1, .shape = {8}, .type = BLOCKIO_OPAQUE},
         {.start = {0}}},
        {"no such order",
         "order 9",
         BLOCKIO_BAD_ARGUMENT,
         {.dims = 1, .shape = {8}, .order = (blockio_order)9},
         {.start = {0}}},
        {"opaque bytes to swap",
         "foreign byte order",
         BLOCKIO_BYTE_ORDER,
         {.dims = 1,
          .shape = {8},
          .type = BLOCKIO_OPAQUE,
          .element_bytes = 3,
          .byte_order = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? BLOCKIO_LITTLE : BLOCKIO_BIG},
         {.start = {0}}},
        {"a block too long", "ends at 9", BLOCKIO_OUT_OF_BOUNDS, {.dims = 1, .shape = {8}}, {.count = {9}}},
        {"a start outside", "ends at 9", BLOCKIO_OUT_OF_BOUNDS, {.dims = 1, .shape = {8}}, {.start = {9}}},
        {"a negative start",
         "negative",
         BLOCKIO_BAD_ARGUMENT,
         {.dims = 1, .shape = {8}},
         {.start = {-1}, .count = {1}}},
        {"a stride beyond 2^63", "2^63", BLOCKIO_OVERFLOW, {.dims = 1, .shape = {8}}, {.count = {3}, .stride = {huge}}},
        {"a count beyond 2^63",
         "2^63",
         BLOCKIO_OVERFLOW,
         {.dims = 1, .shape = {8}},
         {.count = {huge}, .piece = {huge}}},
        {"pieces that overlap",
         "overlap",
         BLOCKIO_BAD_SHAPE,
         {.dims = 1, .shape = {8}},
         {.count = {2}, .stride = {1}, .piece = {2}}},
        {"more pieces than memory",
         "pieces",
         BLOCKIO_NO_MEMORY,
         {.dims = 1, .shape = {huge / 4}, .type = BLOCKIO_INT8},
         {.count = {huge / 16}, .stride = {2}}},
        {"a halo with a stride",
         "halo and a stride",
         BLOCKIO_BAD_SHAPE,
         {.dims = 1, .shape = {8}},
         {.count = {2}, .stride = {2}, .halo_low = {1}}},
        {"a halo too wide", "wider", BLOCKIO_BAD_SHAPE, {.dims = 1, .shape = {8}}, {.count = {2}, .halo_high = {9}}},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        blockio_error error;
        blockio_plan *plan = (blockio_plan *)1;
        blockio_status got = blockio_plan_blocks(file, &bad[i].array, &bad[i].block, 1, &plan, &error);
        expect(got, bad[i].wanted, bad[i].text, &error, bad[i].what);
        failures += plan != NULL;
        expect(blockio_plan_blocks(file, &bad[i].array, &bad[i].block, 1, &plan, NULL), bad[i].wanted, NULL,
               &(blockio_error){.text = "-"}, "without an error to fill");
    }
}

/* One bad rank: the others get its status, and nobody waits for ever. */
static void one_rank_is_wrong(blockio_file *file)
{
    blockio_error error;
    blockio_plan *plan;
    blockio_array array = {.dims = 1, .shape = {8}};
    blockio_block block = {.count = {rank == ranks - 1 ? 9 : 1}};
    char named[32];
    snprintf(named, sizeof named, rank == ranks - 1 ? "ends at 9" : "rank %d failed", ranks - 1);
    expect(blockio_plan_blocks(file, &array, &block, 1, &plan, &error), BLOCKIO_OUT_OF_BOUNDS, named, &error,
           "one rank with a bad block");
    block.count[0] = 1;
    array.shape[0] = 8 + rank;
    expect(blockio_plan_blocks(file, &array, &block, 1, &plan, &error), ranks > 1 ? BLOCKIO_RANKS_DIFFER : BLOCKIO_OK,
           NULL, &error, "ranks with different arrays");
    blockio_plan_free(&plan);
}

static void transfers(const char *path, blockio_file *file)
{
    blockio_error error;
    blockio_plan *plan, *other;
    blockio_file *reader = NULL, *none = (blockio_file *)1;
    blockio_byte_order order;
    double values[16] = {0};
    int64_t index[2] = {3, 3};
    blockio_array array = {.dims = 1, .shape = {8}}, longer = {.dims = 1, .shape = {9}};
    expect(blockio_plan_blocks(file, &array, &(blockio_block){.count = {8}}, rank == 0, &plan, &error), BLOCKIO_OK,
           NULL, &error, "a plan");
    values[0] = 1.5;
    expect(blockio_write(file, plan, values, &error), BLOCKIO_OK, NULL, &error, "a write");
    expect(blockio_read(file, plan, NULL, &error), BLOCKIO_BAD_ARGUMENT, NULL, &error, "a NULL to read into");
    expect(open_together(path, BLOCKIO_READ, NULL, &reader, &error), BLOCKIO_OK, NULL, &error, "a second file");
    expect(blockio_write(reader, plan, values, &error), BLOCKIO_WRONG_MODE, "BLOCKIO_WRITE", &error,
           "a write to a reader");
    expect(blockio_read(reader, plan, values, &error), BLOCKIO_BAD_ARGUMENT, rank == 0 ? "another file" : NULL, &error,
           "a plan of another file");
    blockio_plan_free(&plan);
    expect(blockio_plan_blocks(reader, &longer, &(blockio_block){.count = {9}}, 1, &other, &error), BLOCKIO_OK, NULL,
           &error, "a longer plan");
    expect(blockio_read(reader, other, values, &error), BLOCKIO_SHORT_FILE, "64", &error, "a short file");
    blockio_plan_free(&other);
    expect(blockio_plan_elements(file, &array, index, 2, &plan, &error), BLOCKIO_OK, NULL, &error, "an element twice");
    expect(blockio_read(file, plan, values, &error), BLOCKIO_OK, NULL, &error, "reading it");
    expect(blockio_write(file, plan, values, &error), BLOCKIO_OVERLAP, "overlap", &error, "writing it");
    blockio_plan_free(&plan);
    index[1] = 8;
    expect(blockio_plan_elements(file, &array, index, 2, &plan, &error), BLOCKIO_OUT_OF_BOUNDS, "indexes[1] is 8",
           &error, "an element outside");
    expect(blockio_find_byte_order(file, 4, 0x3FF80000, &order, &error), BLOCKIO_OK, NULL, &error, "a marker");
    failures += order != BLOCKIO_LITTLE;
    expect(blockio_find_byte_order(file, 0, 0x01020304, &order, &error), BLOCKIO_BYTE_ORDER, NULL, &error,
           "another marker");
    expect(blockio_find_byte_order(file, 62, 0x01020304, &order, &error), BLOCKIO_SHORT_FILE, NULL, &error,
           "a marker behind the end");
    expect(blockio_find_byte_order(file, 0, 0x01000001, &order, &error), BLOCKIO_BAD_ARGUMENT, "both", &error,
           "a marker that is its own mirror");
    blockio_close(&reader, NULL);
    expect(open_together("/nonexistent/file", BLOCKIO_READ, NULL, &none, &error), BLOCKIO_SYSTEM, NULL, &error,
           "no such file");
    failures += none != NULL;
    expect(open_together(path, BLOCKIO_READ, &(blockio_options){.method = (blockio_method)9}, &none, &error),
           BLOCKIO_BAD_ARGUMENT, "method 9", &error, "no such method");
    expect(open_together(path, BLOCKIO_READ, &(blockio_options){.buffer_bytes = 1 + rank}, &none, &error),
           ranks > 1 ? BLOCKIO_RANKS_DIFFER : BLOCKIO_OK, NULL, &error, "ranks with different options");
    blockio_close(&none, NULL);
}

/* A disk without room, and a folder in place of a file: not on several ranks, where MPICH 4.0 itself prints
 * that it does not know its own error code. OMPIO 4.1 answers success to writes that fail. */
static void places(void)
{
    blockio_error error;
    blockio_file *file = NULL;
    blockio_plan *plan = NULL;
    double values[8] = {0};
    blockio_array array = {.dims = 1, .shape = {8}};
    blockio_block block = {.count = {rank == 0 ? 8 : 0}};
    if (!by_network) {
        expect(open_together("/dev/full", BLOCKIO_WRITE, NULL, &file, &error), BLOCKIO_OK, NULL, &error, "a full disk");
        expect(blockio_plan_blocks(file, &array, &block, 1, &plan, &error), BLOCKIO_OK, NULL, &error, "a plan for it");
        expect(blockio_write(file, plan, values, &error), BLOCKIO_SYSTEM, rank == 0 ? "No space" : "rank 0", &error,
               "a write to it");
        blockio_plan_free(&plan);
        blockio_close(&file, NULL);
    }
    if (ranks > 1)
        return;
    blockio_status got = open_together("/", BLOCKIO_WRITE, NULL, &file, &error);
    expect(got, got == BLOCKIO_MPI ? BLOCKIO_MPI : BLOCKIO_SYSTEM, NULL, &error, "a folder");
    failures += file != NULL;
}

static void tiles(void)
{
    blockio_error error;
    blockio_array array = {.dims = 2, .shape = {4, 6}};
    blockio_block block = {.start = {1, 0}, .count = {3, 6}}, tile;
    int64_t count, elements = 0;
    expect(blockio_tile(&array, &block, 100, 0, &count, &tile, &error), BLOCKIO_OK, NULL, &error, "a tile");
    failures += count != 2 || tile.count[0] != 2 || tile.count[1] != 6;
    expect(blockio_tile(&array, &block, 39, 5, &count, &tile, &error), BLOCKIO_OK, NULL, &error, "a part of a row");
    failures += count != 6 || tile.start[0] != 3 || tile.start[1] != 4 || tile.count[1] != 2;
    for (int64_t i = 0; i < count; i++)
        if (blockio_tile(&array, &block, 39, i, &count, &tile, &error) == BLOCKIO_OK)
            elements += tile.count[0] * tile.count[1];
    failures += elements != 18;
    expect(blockio_tile(&array, &block, 7, 0, &count, &tile, &error), BLOCKIO_BAD_SHAPE, "holds no element", &error,
           "a tile of nothing");
    expect(blockio_tile(&array, &block, 39, 6, &count, &tile, &error), BLOCKIO_OUT_OF_BOUNDS, "tile 6 of 6", &error,
           "a tile too many");
}

static void all(const char *path)
{
    blockio_error error;
    blockio_file *file = NULL;
    expect(open_together(path, BLOCKIO_CREATE, NULL, &file, &error), BLOCKIO_OK, NULL, &error, "a new file");
    plans(file);
    one_rank_is_wrong(file);
    transfers(path, file);
    places();
    expect(blockio_close(&file, &error), BLOCKIO_OK, NULL, &error, "closing");
    expect(blockio_close(&file, &error), BLOCKIO_OK, NULL, &error, "closing nothing");
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    unused();
    all(argv[1]);
    by_network = true;
    all(argv[1]);
    tiles();
    for (int status = 0; status < 14; status++)
        failures += blockio_status_text((blockio_status)status)[0] == '\0';
    if (failures > 0)
        printf("errors: rank %d: %d wrong\n", rank, failures);
    return finish(failures);
}
