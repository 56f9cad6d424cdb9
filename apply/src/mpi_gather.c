/* Pieces in the order in which they were written; sorted and merged when they are taken out. */
#include "mpi_gather.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_PIECES = 256 };

static bool has_room_for_piece(struct gathered *gathered)
{
    if (gathered->count < gathered->piece_room)
        return true;
    size_t room = gathered->piece_room == 0 ? FIRST_PIECES : gathered->piece_room * 2;
    struct piece *pieces = realloc(gathered->pieces, room * sizeof *pieces);
    if (pieces == NULL)
        return false;
    gathered->pieces = pieces;
    gathered->piece_room = room;
    return true;
}

bool apply_gathered_add(struct gathered *gathered, int64_t offset, const void *bytes, size_t count)
{
    if (gathered->memory == NULL)
        gathered->memory = malloc(gathered->room);
    if (gathered->memory == NULL || count > gathered->room - gathered->used || !has_room_for_piece(gathered))
        return false;
    if (gathered->count == 0)
        *gathered = (struct gathered){.keeps_calls = gathered->keeps_calls,
                                      .room = gathered->room,
                                      .memory = gathered->memory,
                                      .is_sorted = true,
                                      .pieces = gathered->pieces,
                                      .piece_room = gathered->piece_room,
                                      .low = offset,
                                      .high = offset};
    memcpy(gathered->memory + gathered->used, bytes, count);
    bool is_next = !gathered->keeps_calls && gathered->is_sorted && gathered->count > 0 && offset == gathered->high;
    if (is_next)
        gathered->pieces[gathered->count - 1].bytes += count;
    else
        gathered->pieces[gathered->count++] = (struct piece){offset, count, gathered->used};
    gathered->used += count;
    gathered->is_sorted = gathered->is_sorted && offset >= gathered->high;
    int64_t end = offset + (int64_t)count;
    gathered->low = offset < gathered->low ? offset : gathered->low;
    gathered->high = end > gathered->high ? end : gathered->high;
    return true;
}

bool apply_gathered_touches(const struct gathered *gathered, int64_t offset, size_t count)
{
    return gathered->count > 0 && offset < gathered->high && offset + (int64_t)count > gathered->low;
}

/* By place in the file; of the same place the one that came first, which lies first. */
static int by_offset(const void *a, const void *b)
{
    const struct piece *one = a, *other = b;
    if (one->offset != other->offset)
        return one->offset < other->offset ? -1 : 1;
    return (one->at > other->at) - (one->at < other->at);
}

static int by_arrival(const void *a, const void *b)
{
    const struct piece *one = a, *other = b;
    return (one->at > other->at) - (one->at < other->at);
}

/* Pieces that overlap or are to be joined cover one range without a hole. They are copied to
 * it in the order in which they came, so that the last one counts. */
bool apply_gathered_sort(struct gathered *gathered)
{
    if (gathered->is_sorted || gathered->count == 0)
        return true;
    char *memory = malloc(gathered->room);
    if (memory == NULL)
        return false;
    struct piece *pieces = gathered->pieces;
    qsort(pieces, gathered->count, sizeof *pieces, by_offset);
    size_t made = 0, used = 0;
    for (size_t from = 0, to; from < gathered->count; from = to) {
        int64_t start = pieces[from].offset, end = start + (int64_t)pieces[from].bytes;
        for (to = from + 1; to < gathered->count && pieces[to].offset < end + !gathered->keeps_calls; to++) {
            int64_t other = pieces[to].offset + (int64_t)pieces[to].bytes;
            end = other > end ? other : end;
        }
        qsort(pieces + from, to - from, sizeof *pieces, by_arrival);
        for (size_t i = from; i < to; i++)
            memcpy(memory + used + (pieces[i].offset - start), gathered->memory + pieces[i].at, pieces[i].bytes);
        pieces[made++] = (struct piece){start, (size_t)(end - start), used};
        used += (size_t)(end - start);
    }
    free(gathered->memory);
    gathered->memory = memory;
    gathered->count = made;
    gathered->used = used;
    gathered->is_sorted = true;
    return true;
}

static bool follows(const struct piece *before, const struct piece *piece)
{
    return piece->offset == before->offset + (int64_t)before->bytes;
}

size_t apply_gathered_runs(const struct gathered *gathered)
{
    size_t runs = gathered->count > 0;
    for (size_t i = 1; i < gathered->count; i++)
        runs += !follows(&gathered->pieces[i - 1], &gathered->pieces[i]);
    return runs;
}

/* The memory has them one after another already. */
void apply_gathered_join(struct gathered *gathered)
{
    struct piece *pieces = gathered->pieces;
    size_t made = 0;
    for (size_t i = 1; i < gathered->count; i++)
        if (follows(&pieces[made], &pieces[i]))
            pieces[made].bytes += pieces[i].bytes;
        else
            pieces[++made] = pieces[i];
    gathered->count = gathered->count == 0 ? 0 : made + 1;
}

void apply_gathered_clear(struct gathered *gathered)
{
    gathered->count = gathered->used = 0;
}

void apply_gathered_free(struct gathered *gathered)
{
    free(gathered->memory);
    free(gathered->pieces);
    *gathered = (struct gathered){.keeps_calls = gathered->keeps_calls, .room = gathered->room};
}
