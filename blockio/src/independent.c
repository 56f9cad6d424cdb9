/* Each rank makes its own requests. Reads take neighbours with small gaps in one request (data
 * sieving); writes never do: the bytes of a gap may belong to another rank. */
#include "internal.h"

#include <stdlib.h>

/* Reading a gap must cost less than another request: 2 us at some 4 GB/s from the page cache,
 * 500 us at some 500 MB/s over a network. */
int64_t sieve_gap_bytes(bool is_local)
{
    return is_local ? 8 << 10 : 256 << 10;
}

/* Runs from `first` on that one request reads: the index after the last. */
static size_t sieve_end(const struct runs *runs, size_t first, int64_t gap_bytes, int64_t buffer_bytes)
{
    size_t next = first + 1;
    int64_t begin = runs->run[first].offset_bytes;
    for (; next < runs->count; next++) {
        const struct run *last = &runs->run[next - 1], *run = &runs->run[next];
        if (run->offset_bytes - last->offset_bytes - last->length_bytes > gap_bytes ||
            run->offset_bytes + run->length_bytes - begin > buffer_bytes)
            break;
    }
    return next;
}

/* How many requests a rank makes, and how many bytes of gaps it reads with them. */
int64_t independent_requests(const struct runs *runs, bool is_write, int64_t gap_bytes, int64_t buffer_bytes,
                             int64_t *sieved_bytes)
{
    int64_t requests = 0;
    *sieved_bytes = 0;
    for (size_t i = 0; i < runs->count;) {
        size_t end = is_write ? i + 1 : sieve_end(runs, i, gap_bytes, buffer_bytes);
        int64_t extent = runs->run[end - 1].offset_bytes + runs->run[end - 1].length_bytes - runs->run[i].offset_bytes;
        *sieved_bytes += extent - (runs->packed_bytes[end] - runs->packed_bytes[i]);
        requests += (extent - 1) / REQUEST_BYTES + 1;
        i = end;
    }
    return requests;
}

blockio_status read_exactly(blockio_file *file, int64_t offset_bytes, void *bytes, int64_t length_bytes,
                            blockio_error *error)
{
    int64_t got;
    blockio_status status = file->store->read(file, offset_bytes, bytes, length_bytes, &got, error);
    if (status == BLOCKIO_OK && got < length_bytes)
        return fail(error, BLOCKIO_SHORT_FILE, "%s ends at byte %lld; the plan reads bytes %lld to %lld", file->name,
                    (long long)(offset_bytes + got), (long long)offset_bytes, (long long)(offset_bytes + length_bytes));
    return status;
}

/* From a buffer that begins where the first run does. */
static void copy_runs(unsigned char *packed, const unsigned char *buffer, const struct run *run, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t length = (size_t)run[i].length_bytes;
        copy_bytes(packed, buffer + (run[i].offset_bytes - run[0].offset_bytes), length);
        packed += length;
    }
}

static blockio_status read_runs(blockio_file *file, const struct runs *runs, unsigned char *packed,
                                blockio_error *error)
{
    int64_t gap_bytes = sieve_gap_bytes(file->is_local), buffer_bytes = file->options.buffer_bytes;
    unsigned char *buffer = NULL;
    blockio_status status = BLOCKIO_OK;
    for (size_t i = 0; i < runs->count && status == BLOCKIO_OK;) {
        const struct run *run = &runs->run[i];
        size_t end = sieve_end(runs, i, gap_bytes, buffer_bytes);
        if (end == i + 1) {
            status = read_exactly(file, run->offset_bytes, packed + runs->packed_bytes[i], run->length_bytes, error);
            i = end;
            continue;
        }
        if (buffer == NULL && (buffer = borrow(file, buffer_bytes)) == NULL)
            return fail(error, BLOCKIO_NO_MEMORY, "no memory for a buffer of %lld bytes", (long long)buffer_bytes);
        int64_t extent = runs->run[end - 1].offset_bytes + runs->run[end - 1].length_bytes - run->offset_bytes;
        status = read_exactly(file, run->offset_bytes, buffer, extent, error);
        if (status == BLOCKIO_OK)
            copy_runs(packed + runs->packed_bytes[i], buffer, run, end - i);
        i = end;
    }
    give_back(file, buffer);
    return status;
}

blockio_status independent(blockio_file *file, const struct side *side, unsigned char *packed, bool is_write,
                           blockio_error *error)
{
    const struct runs *runs = &side->runs;
    blockio_status status = BLOCKIO_OK;
    if (!is_write)
        return read_runs(file, runs, packed, error);
    for (size_t i = 0; i < runs->count && status == BLOCKIO_OK; i++)
        status = file->store->write(file, runs->run[i].offset_bytes, packed + runs->packed_bytes[i],
                                    runs->run[i].length_bytes, error);
    return status;
}
