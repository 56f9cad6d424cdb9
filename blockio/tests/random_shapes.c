/* Random arrays, decompositions and options against a model that computes each element's
 * place by itself, one at a time.
 *
 *   random_shapes FILE FIRST_SEED CASES
 */
#include "together.h"

enum { LIMIT = 6000, MAX_BLOCKS = 24, TAIL = 16 };

struct plan_case {
    uint64_t random, seed;
    blockio_array array;
    blockio_options options;
    blockio_block block[MAX_BLOCKS]; /* of this rank */
    size_t blocks;
    int64_t *index; /* instead of blocks, if not NULL */
    size_t indexes;
    bool may_overlap;
    int64_t elements;
    size_t element_bytes, file_bytes, memory_bytes, swap_bytes;
    unsigned char *file; /* what it holds */
};

static unsigned char byte_at(uint64_t seed, uint64_t position)
{
    return (unsigned char)mixed(seed * 1000003 + position);
}

static void make_array(struct plan_case *it)
{
    uint64_t *random = &it->random;
    blockio_array *array = &it->array;
    *array = (blockio_array){.dims = 1 + (int)below(random, 5), .type = (blockio_type)below(random, 9)};
    array->order = (blockio_order)below(random, 2);
    array->offset_bytes = below(random, 100);
    array->element_bytes = array->type == BLOCKIO_OPAQUE ? (size_t)(1 + below(random, 11)) : 0;
    array->byte_order = array->type == BLOCKIO_OPAQUE ? BLOCKIO_NATIVE : (blockio_byte_order)below(random, 3);
    it->elements = 1;
    for (int d = 0; d < array->dims; d++) {
        int64_t most = below(random, 4) == 0 ? 90 : 9;
        array->shape[d] = below(random, 40) == 0 ? 0 : 1 + below(random, most);
        while (it->elements * array->shape[d] > LIMIT)
            array->shape[d] = array->shape[d] / 2;
        it->elements *= array->shape[d];
    }
    it->element_bytes = blockio_element_bytes(array);
    bool is_complex = array->type == BLOCKIO_COMPLEX64 || array->type == BLOCKIO_COMPLEX128;
    bool is_foreign = array->byte_order == BLOCKIO_BIG; /* tests run on little-endian machines */
    it->swap_bytes = is_foreign ? it->element_bytes / (is_complex ? 2 : 1) : 1;
    it->file_bytes = (size_t)array->offset_bytes + (size_t)it->elements * it->element_bytes + TAIL;
    it->file = malloc(it->file_bytes);
    for (size_t i = 0; i < it->file_bytes; i++)
        it->file[i] = byte_at(it->seed, i);
}

/* A grid of ranks, with halos and periodic indexes. */
static void divide_grid(struct plan_case *it)
{
    int64_t grid[BLOCKIO_MAX_DIMS], left = rank;
    for (int d = 0; d < it->array.dims; d++)
        grid[d] = 1;
    for (int r = ranks, factor = 2; r > 1; r /= factor) {
        for (factor = 2; r % factor != 0; factor++)
            ;
        grid[below(&it->random, it->array.dims)] *= factor;
    }
    bool has_halos = below(&it->random, 2) == 0;
    it->blocks = 1;
    for (int d = 0; d < it->array.dims; d++) {
        int64_t shape = it->array.shape[d], most = shape < 3 ? shape : 3;
        blockio_divide(shape, grid[d], left % grid[d], &it->block[0].start[d], &it->block[0].count[d]);
        left /= grid[d];
        it->block[0].halo_low[d] = has_halos ? below(&it->random, most + 1) : 0;
        it->block[0].halo_high[d] = has_halos ? below(&it->random, most + 1) : 0;
        it->block[0].periodic[d] = below(&it->random, 2) == 0;
    }
}

/* Pieces of the ranks take turns along one index. */
static void divide_cyclic(struct plan_case *it)
{
    int along = (int)below(&it->random, it->array.dims);
    int64_t piece = 1 + below(&it->random, 3), first = rank * piece, shape = it->array.shape[along];
    it->blocks = 1;
    for (int d = 0; d < it->array.dims; d++)
        it->block[0].count[d] = it->array.shape[d];
    it->block[0].piece[along] = piece;
    it->block[0].stride[along] = piece * ranks;
    it->block[0].count[along] = shape - first < piece ? 0 : (shape - first - piece) / (piece * ranks) + 1;
    it->block[0].start[along] = it->block[0].count[along] == 0 ? 0 : first;
}

/* Slabs of random thickness, each of some rank or of none, in any order. */
static void divide_irregularly(struct plan_case *it)
{
    int along = (int)below(&it->random, it->array.dims);
    for (int64_t at = 0; at < it->array.shape[along] && it->blocks < MAX_BLOCKS - 1;) {
        int64_t thick = 1 + below(&it->random, 6), left = it->array.shape[along] - at;
        thick = thick < left ? thick : left;
        if (below(&it->random, ranks + 1) == rank) {
            blockio_block *block = &it->block[it->blocks++];
            memcpy(block->count, it->array.shape, sizeof block->count);
            block->start[along] = at;
            block->count[along] = thick;
        }
        at += thick;
    }
    if (it->blocks > 1 && below(&it->random, 2) == 0) {
        blockio_block first = it->block[0];
        it->block[0] = it->block[it->blocks - 1];
        it->block[it->blocks - 1] = first;
    }
}

/* Any boxes: they overlap within and between ranks, and may only be read. */
static void choose_boxes(struct plan_case *it)
{
    uint64_t own = it->random + 7919u * (uint64_t)rank;
    it->may_overlap = true;
    it->blocks = (size_t)below(&own, 5);
    for (size_t i = 0; i < it->blocks; i++)
        for (int d = 0; d < it->array.dims; d++) {
            it->block[i].start[d] = below(&own, it->array.shape[d]);
            it->block[i].count[d] = below(&own, it->array.shape[d] - it->block[i].start[d] + 1);
            it->block[i].halo_high[d] = below(&own, 2) == 0 ? it->array.shape[d] : 0;
            it->block[i].periodic[d] = true;
        }
}

/* Single elements, shuffled; some belong to no rank. */
static void choose_elements(struct plan_case *it)
{
    it->index = malloc((size_t)(it->elements + 1) * sizeof *it->index);
    for (int64_t i = 0; i < it->elements; i++)
        if (below(&it->random, ranks + 1) == rank)
            it->index[it->indexes++] = i;
    uint64_t own = it->random + (uint64_t)rank;
    for (size_t i = it->indexes; i > 1; i--) {
        size_t other = (size_t)below(&own, (int64_t)i);
        int64_t kept = it->index[i - 1];
        it->index[i - 1] = it->index[other];
        it->index[other] = kept;
    }
}

static void make_case(struct plan_case *it, uint64_t seed)
{
    static const int64_t buffers[] = {0, 64, 100, 1000, 5000};
    *it = (struct plan_case){.random = seed << 20, .seed = seed};
    make_array(it);
    it->options = (blockio_options){.method = (blockio_method)below(&it->random, 5),
                                    .aggregators = (int)below(&it->random, ranks + 1),
                                    .buffer_bytes = buffers[below(&it->random, 5)],
                                    .stripe_bytes = below(&it->random, 2) * 128,
                                    .request_ns = below(&it->random, 2) * 1000000};
    switch (below(&it->random, 5)) {
    case 0:
        divide_grid(it);
        break;
    case 1:
        divide_cyclic(it);
        break;
    case 2:
        divide_irregularly(it);
        break;
    case 3:
        choose_boxes(it);
        break;
    default:
        choose_elements(it);
    }
    bool is_other = below(&it->random, 3) == 0;
    for (size_t i = 0; i < it->blocks; i++)
        it->block[i].other_order = is_other;
}

/* The element of the array at one place of a block in memory; -1 outside the array. */
static int64_t element_at(const struct plan_case *it, const blockio_block *block, int64_t place, bool *is_halo)
{
    int64_t at[BLOCKIO_MAX_DIMS], element = 0;
    bool is_c = (it->array.order == BLOCKIO_C_ORDER) != block->other_order;
    *is_halo = false;
    for (int i = 0; i < it->array.dims; i++) {
        int d = is_c ? it->array.dims - 1 - i : i;
        int64_t piece = block->piece[d] > 0 ? block->piece[d] : 1,
                stride = block->stride[d] > 0 ? block->stride[d] : piece;
        int64_t inner = block->count[d] * piece, length = block->halo_low[d] + inner + block->halo_high[d];
        int64_t here = place % length - block->halo_low[d];
        place /= length;
        *is_halo |= here < 0 || here >= inner;
        at[d] = block->start[d] + (here < 0 ? here : here / piece * stride + here % piece);
        if ((at[d] < 0 || at[d] >= it->array.shape[d]) && !block->periodic[d])
            return -1;
        at[d] = (at[d] + it->array.shape[d]) % it->array.shape[d];
    }
    for (int i = 0; i < it->array.dims; i++) {
        int d = it->array.order == BLOCKIO_C_ORDER ? i : it->array.dims - 1 - i;
        element = element * it->array.shape[d] + at[d];
    }
    return element;
}

/* Calls `visit` for each element of this rank's memory. */
typedef void visitor(struct plan_case *, unsigned char *memory, int64_t element, bool is_halo, void *);
static void for_each(struct plan_case *it, unsigned char *memory, visitor *visit, void *with)
{
    for (size_t i = 0; i < it->indexes; i++)
        visit(it, memory + i * it->element_bytes, it->index[i], false, with);
    for (size_t b = 0; b < it->blocks; b++) {
        int64_t bytes = 0;
        blockio_block_bytes(&it->array, &it->block[b], &bytes, NULL);
        for (int64_t i = 0; i < bytes / (int64_t)it->element_bytes; i++, memory += it->element_bytes) {
            bool is_halo;
            int64_t element = element_at(it, &it->block[b], i, &is_halo);
            visit(it, memory, element, is_halo, with);
        }
    }
}

/* Byte k of an element in memory stands at this byte of the element in the file. */
static size_t swapped(const struct plan_case *it, size_t k)
{
    return k / it->swap_bytes * it->swap_bytes + (it->swap_bytes - 1 - k % it->swap_bytes);
}

static size_t place_of(const struct plan_case *it, int64_t element, size_t k)
{
    return (size_t)it->array.offset_bytes + (size_t)element * it->element_bytes +
           (it->swap_bytes > 1 ? swapped(it, k) : k);
}

static void check_element(struct plan_case *it, unsigned char *memory, int64_t element, bool is_halo, void *with)
{
    (void)is_halo;
    for (size_t k = 0; k < it->element_bytes; k++)
        *(int *)with += memory[k] != (element < 0 ? 0xA5 : it->file[place_of(it, element, k)]);
}

static void fill_element(struct plan_case *it, unsigned char *memory, int64_t element, bool is_halo, void *with)
{
    unsigned char *owned = with;
    for (size_t k = 0; k < it->element_bytes; k++)
        memory[k] = is_halo || element < 0 ? 0x5A : byte_at(it->seed + 1, place_of(it, element, k));
    if (!is_halo && element >= 0)
        owned[element] = 1;
}

static void put_file(const struct plan_case *it, const char *path)
{
    barrier();
    if (rank == 0) {
        FILE *file = fopen(path, "wb");
        fwrite(it->file, 1, it->file_bytes, file);
        fclose(file);
    }
    barrier();
}

static int compare_file(const struct plan_case *it, const char *path)
{
    int wrong = 0;
    barrier();
    if (rank == 0) {
        unsigned char *now = malloc(it->file_bytes + 1);
        FILE *file = fopen(path, "rb");
        size_t got = fread(now, 1, it->file_bytes + 1, file);
        fclose(file);
        wrong = got != it->file_bytes || checksum(now, got) != checksum(it->file, got);
        free(now);
    }
    barrier();
    return wrong;
}

static int read_and_check(struct plan_case *it, blockio_file *file, const blockio_plan *plan)
{
    blockio_error error;
    int wrong = 0;
    unsigned char *memory = malloc(it->memory_bytes + 1);
    memset(memory, 0xA5, it->memory_bytes + 1);
    if (blockio_read(file, plan, memory, &error) != BLOCKIO_OK) {
        printf("seed %llu: read: %s\n", (unsigned long long)it->seed, error.text);
        wrong = 1;
    } else
        for_each(it, memory, check_element, &wrong);
    wrong += memory[it->memory_bytes] != 0xA5;
    free(memory);
    return wrong;
}

static int write_and_check(struct plan_case *it, blockio_file *file, const blockio_plan *plan, const char *path)
{
    blockio_error error;
    unsigned char *memory = malloc(it->memory_bytes + 1), *owned = calloc((size_t)it->elements + 1, 1);
    for_each(it, memory, fill_element, owned);
    uint64_t before = checksum(memory, it->memory_bytes);
    blockio_status status = blockio_write(file, plan, memory, &error);
    if (status == BLOCKIO_OK)
        status = blockio_sync(file, &error);
    int wrong = status != BLOCKIO_OK || checksum(memory, it->memory_bytes) != before;
    if (status != BLOCKIO_OK)
        printf("seed %llu: write: %s\n", (unsigned long long)it->seed, error.text);
    all_of(owned, (size_t)it->elements);
    for (int64_t element = 0; element < it->elements; element++)
        for (size_t k = 0; owned[element] && k < it->element_bytes; k++)
            it->file[place_of(it, element, k)] = byte_at(it->seed + 1, place_of(it, element, k));
    free(memory);
    free(owned);
    return wrong + compare_file(it, path);
}

static int run_case(const char *path, uint64_t seed)
{
    struct plan_case it;
    blockio_file *file = NULL;
    blockio_plan *plan = NULL;
    blockio_error error = {0};
    make_case(&it, seed);
    put_file(&it, path);
    by_network = seed % 2 == 0;
    blockio_status status = open_together(path, BLOCKIO_WRITE, &it.options, &file, &error);
    if (status == BLOCKIO_OK)
        status = it.index != NULL ? blockio_plan_elements(file, &it.array, it.index, it.indexes, &plan, &error)
                                  : blockio_plan_blocks(file, &it.array, it.block, it.blocks, &plan, &error);
    int wrong = status != BLOCKIO_OK;
    if (wrong)
        printf("seed %llu: %s\n", (unsigned long long)seed, error.text);
    else {
        it.memory_bytes = (size_t)blockio_plan_bytes(plan);
        wrong += read_and_check(&it, file, plan);
        if (!it.may_overlap)
            wrong += write_and_check(&it, file, plan, path) + read_and_check(&it, file, plan);
    }
    if (wrong)
        printf("seed %llu, rank %d of %d: %d wrong; %s\n", (unsigned long long)seed, rank, ranks, wrong,
               blockio_note(plan, BLOCKIO_WRITING));
    blockio_plan_free(&plan);
    blockio_close(&file, NULL);
    free(it.file);
    free(it.index);
    return wrong > 0;
}

int main(int argc, char **argv)
{
    int failures = 0;
    start(&argc, &argv);
    unused();
    uint64_t first = argc > 3 ? strtoull(argv[2], NULL, 10) : 1, cases = argc > 3 ? strtoull(argv[3], NULL, 10) : 0;
    for (uint64_t seed = first; seed < first + cases; seed++)
        failures += run_case(argv[1], seed);
    if (rank == 0)
        printf("random shapes: %llu cases on %d ranks, %d wrong\n", (unsigned long long)cases, ranks, failures);
    return finish(failures);
}
