/* Random pieces, gathered and sorted: every byte is the one that was written last. */
#include "../src/mpi_gather.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_BYTES = 2000, ROOM = 1500, RUNS = 20000 };

static void check_joined(struct gathered *gathered)
{
    size_t runs = apply_gathered_runs(gathered);
    apply_gathered_join(gathered);
    assert(gathered->count == runs);
    for (size_t i = 1; i < runs; i++)
        assert(gathered->pieces[i].offset > gathered->pieces[i - 1].offset + (int64_t)gathered->pieces[i - 1].bytes);
}

static void check(const struct gathered *gathered, const int *expected)
{
    int64_t end = -1;
    size_t bytes = 0, known = 0;
    for (size_t i = 0; i < gathered->count; i++) {
        const struct piece *piece = &gathered->pieces[i];
        bool has_place = gathered->keeps_calls ? piece->offset >= end : piece->offset > end;
        assert(has_place && piece->bytes > 0 && piece->at == bytes);
        for (size_t at = 0; at < piece->bytes; at++)
            assert((unsigned char)gathered->memory[piece->at + at] == expected[piece->offset + (int64_t)at]);
        end = piece->offset + (int64_t)piece->bytes;
        bytes += piece->bytes;
    }
    for (int i = 0; i < FILE_BYTES; i++)
        known += expected[i] >= 0;
    assert(bytes == gathered->used && bytes == known);
}

static void gather_and_sort(struct gathered *gathered)
{
    int expected[FILE_BYTES], next = rand() % FILE_BYTES;
    memset(expected, -1, sizeof expected);
    for (int writes = rand() % 40; writes > 0; writes--) {
        char bytes[100];
        int count = 1 + rand() % 99;
        int offset = rand() % 3 == 0 || next + count > FILE_BYTES ? rand() % (FILE_BYTES - count) : next;
        for (int i = 0; i < count; i++)
            bytes[i] = (char)rand();
        bool touches = false;
        for (int i = 0; i < count; i++)
            touches = touches || expected[offset + i] >= 0;
        assert(!touches || apply_gathered_touches(gathered, offset, (size_t)count));
        size_t used = gathered->used;
        if (!apply_gathered_add(gathered, offset, bytes, (size_t)count)) {
            assert(used + (size_t)count > ROOM);
            break;
        }
        for (int i = 0; i < count; i++)
            expected[offset + i] = (unsigned char)bytes[i];
        next = offset + count + rand() % 2 * 10;
    }
    assert(gathered->count == 0 || apply_gathered_sort(gathered));
    check(gathered, expected);
    check_joined(gathered);
    check(gathered, expected);
    apply_gathered_clear(gathered);
}

int main(void)
{
    struct gathered gathered = {.room = ROOM};
    srand(1);
    for (int run = 0; run < RUNS; run++) {
        gathered.keeps_calls = run % 2 == 1;
        gather_and_sort(&gathered);
    }
    apply_gathered_free(&gathered);
    puts("gathered");
    return 0;
}
