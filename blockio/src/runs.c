/* Runs: which bytes of the file a rank touches, ascending and merged. */
#include "internal.h"

#include <stdlib.h>
#include <unistd.h>

struct growing {
    struct run *run;
    size_t count, room;
    bool is_sorted; /* ascending so far, without overlap */
    int64_t most;   /* more are refused */
    int64_t wanted; /* what did not fit */
};

/* The lists of as many take half of the memory of this machine. Systems grant more, and kill whoever uses it. */
static int64_t most_runs(void)
{
#ifdef _SC_PHYS_PAGES
    int64_t pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
    if (pages > 0 && page_bytes > 0)
        return pages / 2 * page_bytes / (int64_t)(sizeof(struct run) + sizeof(int64_t));
#endif
    return INT64_MAX;
}

static bool append(struct growing *to, int64_t offset_bytes, int64_t length_bytes)
{
    if (to->count > 0) {
        struct run *last = &to->run[to->count - 1];
        int64_t end = last->offset_bytes + last->length_bytes;
        if (offset_bytes == end) {
            last->length_bytes += length_bytes;
            return true;
        }
        to->is_sorted &= offset_bytes > end;
    }
    if (to->count == to->room) {
        size_t room = to->room == 0 ? 64 : to->room * 2;
        struct run *run = room > SIZE_MAX / sizeof *run ? NULL : realloc(to->run, room * sizeof *run);
        if (run == NULL) {
            to->wanted = (int64_t)to->count + 1;
            return false;
        }
        to->run = run;
        to->room = room;
    }
    to->run[to->count++] = (struct run){offset_bytes, length_bytes};
    return true;
}

static bool append_box(struct growing *to, const struct box *box)
{
    int64_t at[MAX_LOOPS] = {0}, unit_bytes = box->unit_bytes, offset_bytes = box->file_bytes;
    int loops = box->loops;
    while (loops > 0 && box->file_stride_bytes[loops - 1] == unit_bytes)
        unit_bytes *= box->count[--loops];
    int64_t pieces = 1; /* at most the elements of the block: no overflow */
    for (int loop = 0; loop < loops; loop++)
        pieces *= box->count[loop];
    if (pieces > to->most - (int64_t)to->count) {
        to->wanted = pieces;
        return false;
    }
    for (;;) {
        if (!append(to, offset_bytes, unit_bytes))
            return false;
        int loop = loops - 1;
        for (; loop >= 0; loop--) {
            offset_bytes += box->file_stride_bytes[loop];
            if (++at[loop] < box->count[loop])
                break;
            offset_bytes -= box->count[loop] * box->file_stride_bytes[loop];
            at[loop] = 0;
        }
        if (loop < 0)
            return true;
    }
}

static int by_offset(const void *left, const void *right)
{
    int64_t a = ((const struct run *)left)->offset_bytes, b = ((const struct run *)right)->offset_bytes;
    return (a > b) - (a < b);
}

/* Sorts and merges in place; returns how many are left. */
size_t merge_runs(struct run *run, size_t count, bool *overlaps)
{
    size_t kept = 0;
    if (count > 1)
        qsort(run, count, sizeof *run, by_offset);
    for (size_t i = 0; i < count; i++) {
        int64_t end = kept == 0 ? 0 : run[kept - 1].offset_bytes + run[kept - 1].length_bytes;
        if (kept == 0 || run[i].offset_bytes > end) {
            run[kept++] = run[i];
            continue;
        }
        *overlaps |= run[i].offset_bytes < end;
        int64_t more = run[i].offset_bytes + run[i].length_bytes - end;
        run[kept - 1].length_bytes += more > 0 ? more : 0;
    }
    return kept;
}

/* Whether the loops visit memory as one contiguous piece. */
static bool is_dense(const struct box *box)
{
    int64_t bytes = box->unit_bytes;
    for (int loop = box->loops - 1; loop >= 0; loop--) {
        if (box->memory_stride_bytes[loop] != bytes)
            return false;
        bytes *= box->count[loop];
    }
    return true;
}

static int64_t box_bytes(const struct box *box)
{
    int64_t bytes = box->unit_bytes;
    for (int loop = 0; loop < box->loops; loop++)
        bytes *= box->count[loop];
    return bytes;
}

blockio_status make_runs(struct side *side, blockio_error *error)
{
    struct growing to = {.is_sorted = true, .most = most_runs()};
    bool has_room = true, is_direct = true;
    int64_t memory_bytes = 0;
    for (size_t i = 0; i < side->box_count && has_room; i++) {
        is_direct &= side->boxes[i].memory_bytes == memory_bytes && is_dense(&side->boxes[i]);
        memory_bytes += box_bytes(&side->boxes[i]);
        has_room = append_box(&to, &side->boxes[i]);
    }
    for (size_t i = 0; i < side->piece_count && has_room; i++) {
        is_direct &= side->pieces[i].memory_bytes == memory_bytes;
        memory_bytes += side->pieces[i].length_bytes;
        has_room = append(&to, side->pieces[i].file_bytes, side->pieces[i].length_bytes);
    }
    side->is_direct = is_direct && to.is_sorted;
    if (!to.is_sorted)
        to.count = merge_runs(to.run, to.count, &side->overlaps);
    side->runs = (struct runs){to.run, allocate(to.count + 1, sizeof(int64_t)), to.count};
    if (!has_room || side->runs.packed_bytes == NULL)
        return fail(error, BLOCKIO_NO_MEMORY, "no memory for the %lld pieces of a plan; make its blocks smaller",
                    (long long)(has_room ? (int64_t)to.count : to.wanted));
    side->runs.packed_bytes[0] = 0;
    for (size_t i = 0; i < to.count; i++)
        side->runs.packed_bytes[i + 1] = side->runs.packed_bytes[i] + to.run[i].length_bytes;
    return BLOCKIO_OK;
}

/* The first run that ends after an offset; count if none does. */
size_t first_run_after(const struct runs *runs, int64_t offset_bytes)
{
    size_t low = 0, high = runs->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (runs->run[middle].offset_bytes + runs->run[middle].length_bytes <= offset_bytes)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Bytes of the packed buffer that lie before an offset of the file. */
int64_t packed_at(const struct runs *runs, int64_t offset_bytes)
{
    size_t i = first_run_after(runs, offset_bytes);
    int64_t inside = i == runs->count ? 0 : offset_bytes - runs->run[i].offset_bytes;
    return runs->packed_bytes[i] + (inside > 0 ? inside : 0);
}
