/* Aggregators read and write windows of the file; the others send and get slices of their
 * packed buffers. Both are in the order of the file, so a slice is contiguous at its rank. */
#include "ranks.h"

#include <stdlib.h>
#include <string.h>

/* One window in flight. Two of them take turns: messages of one travel while the other is
 * read or written. */
struct flight {
    MPI_Request *request; /* one for each rank as aggregator, one for each aggregator as member */
    int requests;
    unsigned char *window, *packed; /* what is in the file; slices of the ranks */
    int64_t begin_bytes, end_bytes;
    bool is_own; /* this rank has such a window */
};

struct exchange {
    blockio_file *file;
    const struct schedule *schedule;
    const struct runs *runs;
    unsigned char *packed;
    MPI_Comm comm;
    int tag, rank, ranks;
    struct flight flight[2];
};

/* Between a window and the slice of one rank. */
static void copy_slice(const struct runs *runs, const struct flight *flight, unsigned char *slice, bool to_window)
{
    for (size_t i = first_run_after(runs, flight->begin_bytes); i < runs->count; i++) {
        int64_t from = runs->run[i].offset_bytes, to = from + runs->run[i].length_bytes;
        if (from >= flight->end_bytes)
            return;
        from = from > flight->begin_bytes ? from : flight->begin_bytes;
        to = to < flight->end_bytes ? to : flight->end_bytes;
        unsigned char *there = flight->window + (from - flight->begin_bytes);
        copy_bytes(to_window ? there : slice, to_window ? slice : there, (size_t)(to - from));
        slice += to - from;
    }
}

/* Reads what any rank wants of a window, with gaps up to the sieve's, or writes what all ranks
 * together have, without gaps. */
static blockio_status access_window(const struct exchange *exchange, const struct flight *flight, bool is_write,
                                    blockio_error *error)
{
    const struct runs *covered = &exchange->schedule->covered;
    int64_t gap_bytes = is_write ? 0 : sieve_gap_bytes(exchange->file->is_local);
    blockio_status status = BLOCKIO_OK;
    for (size_t i = first_run_after(covered, flight->begin_bytes); i < covered->count && status == BLOCKIO_OK;) {
        int64_t from = covered->run[i].offset_bytes, to;
        if (from >= flight->end_bytes)
            break;
        do
            to = covered->run[i].offset_bytes + covered->run[i].length_bytes;
        while (++i < covered->count && covered->run[i].offset_bytes - to <= gap_bytes &&
               covered->run[i].offset_bytes < flight->end_bytes);
        from = from > flight->begin_bytes ? from : flight->begin_bytes;
        to = to < flight->end_bytes ? to : flight->end_bytes;
        unsigned char *at = flight->window + (from - flight->begin_bytes);
        status = is_write ? exchange->file->store->write(exchange->file, from, at, to - from, error)
                          : read_exactly(exchange->file, from, at, to - from, error);
    }
    return status;
}

static blockio_status note(int result, blockio_status before, blockio_error *error)
{
    blockio_status status = mpi_status(result, "exchange", "messages between ranks", error);
    return before == BLOCKIO_OK ? status : before;
}

/* The slices that this rank sends (a write) or gets (a read) as a member. */
static blockio_status member_messages(struct exchange *exchange, struct flight *flight, int64_t window, bool is_write,
                                      blockio_error *error)
{
    const struct schedule *schedule = exchange->schedule;
    blockio_status status = BLOCKIO_OK;
    for (int a = 0; a < schedule->aggregators; a++) {
        int64_t begin, end;
        if (a == schedule->own || !window_of(schedule, a, window, &begin, &end))
            continue;
        struct slice slice = slice_of(exchange->runs, begin, end);
        if (slice.length_bytes == 0)
            continue;
        unsigned char *at = exchange->packed + slice.packed_bytes;
        MPI_Request *request = &flight->request[flight->requests];
        int count = (int)slice.length_bytes, to = schedule->aggregator_rank[a];
        int result = is_write ? MPI_Isend(at, count, MPI_BYTE, to, exchange->tag, exchange->comm, request)
                              : MPI_Irecv(at, count, MPI_BYTE, to, exchange->tag, exchange->comm, request);
        status = note(result, status, error);
        flight->requests += result == MPI_SUCCESS;
    }
    return status;
}

/* Bytes of the slices of other ranks in a window of this aggregator; they may overlap in reads. */
static int64_t message_bytes(const struct exchange *exchange, int64_t window)
{
    int64_t begin_bytes, end_bytes, needed = 0;
    if (!window_of(exchange->schedule, exchange->schedule->own, window, &begin_bytes, &end_bytes))
        return 0;
    for (int r = 0; r < exchange->ranks; r++)
        if (r != exchange->rank)
            needed += slice_of(&exchange->schedule->member[r], begin_bytes, end_bytes).length_bytes;
    return needed;
}

/* The slices of other ranks, sent from (a read) or received to (a write) flight->packed. */
static blockio_status aggregator_messages(struct exchange *exchange, struct flight *flight, bool is_write,
                                          blockio_error *error)
{
    unsigned char *at = flight->packed;
    blockio_status status = BLOCKIO_OK;
    for (int r = 0; r < exchange->ranks; r++) {
        const struct runs *runs = &exchange->schedule->member[r];
        int64_t length = slice_of(runs, flight->begin_bytes, flight->end_bytes).length_bytes;
        if (r == exchange->rank || length == 0)
            continue;
        MPI_Request *request = &flight->request[flight->requests];
        if (!is_write)
            copy_slice(runs, flight, at, false);
        int result = is_write ? MPI_Irecv(at, (int)length, MPI_BYTE, r, exchange->tag, exchange->comm, request)
                              : MPI_Isend(at, (int)length, MPI_BYTE, r, exchange->tag, exchange->comm, request);
        status = note(result, status, error);
        flight->requests += result == MPI_SUCCESS;
        at += length;
    }
    return status;
}

static void copy_own(const struct exchange *exchange, const struct flight *flight, bool to_window)
{
    struct slice own = slice_of(exchange->runs, flight->begin_bytes, flight->end_bytes);
    copy_slice(&exchange->schedule->member[exchange->rank], flight, exchange->packed + own.packed_bytes, to_window);
}

static blockio_status wait_for(struct flight *flight, blockio_status before, blockio_error *error)
{
    int result = MPI_Waitall(flight->requests, flight->request, MPI_STATUSES_IGNORE);
    flight->requests = 0;
    return note(result, before, error);
}

/* A write: all slices of a window are under way, then they are waited for, and the aggregator
 * writes while those of the next window travel. */
static blockio_status finish_write(struct exchange *exchange, struct flight *flight, blockio_status before,
                                   blockio_error *error)
{
    blockio_status status = wait_for(flight, before, error);
    if (!flight->is_own || status != BLOCKIO_OK)
        return status;
    unsigned char *at = flight->packed;
    for (int r = 0; r < exchange->ranks; r++) {
        const struct runs *runs = &exchange->schedule->member[r];
        if (r == exchange->rank)
            continue;
        copy_slice(runs, flight, at, true);
        at += slice_of(runs, flight->begin_bytes, flight->end_bytes).length_bytes;
    }
    copy_own(exchange, flight, true);
    return access_window(exchange, flight, true, error);
}

/* After an error messages still go, with whatever bytes: others wait for them. */
static blockio_status move_windows(struct exchange *exchange, bool is_write, blockio_error *error)
{
    const struct schedule *schedule = exchange->schedule;
    blockio_status status = BLOCKIO_OK;
    for (int64_t window = 0; window < schedule->windows; window++) {
        struct flight *flight = &exchange->flight[window % 2], *other = &exchange->flight[(window + 1) % 2];
        blockio_status first = BLOCKIO_OK;
        if (!is_write) /* its messages of two windows ago */
            status = wait_for(flight, status, error);
        flight->is_own =
            schedule->own >= 0 && window_of(schedule, schedule->own, window, &flight->begin_bytes, &flight->end_bytes);
        first = member_messages(exchange, flight, window, is_write, error);
        if (flight->is_own && !is_write) {
            blockio_status read = access_window(exchange, flight, false, error);
            copy_own(exchange, flight, false);
            first = first == BLOCKIO_OK ? read : first;
        }
        if (flight->is_own) {
            blockio_status sent = aggregator_messages(exchange, flight, is_write, error);
            first = first == BLOCKIO_OK ? sent : first;
        }
        status = status == BLOCKIO_OK ? first : status;
        if (is_write && window > 0)
            status = finish_write(exchange, other, status, error);
    }
    struct flight *last = &exchange->flight[(schedule->windows + 1) % 2];
    if (is_write && schedule->windows > 0)
        return finish_write(exchange, last, status, error);
    status = wait_for(&exchange->flight[0], status, error);
    return wait_for(&exchange->flight[1], status, error);
}

/* All memory is there before the first message: later, others would wait. */
static bool prepare(struct exchange *exchange)
{
    const struct schedule *schedule = exchange->schedule;
    bool has_room = true;
    for (int i = 0; i < 2; i++) {
        struct flight *flight = &exchange->flight[i];
        flight->request = allocate((size_t)exchange->ranks + (size_t)schedule->aggregators, sizeof *flight->request);
        has_room &= flight->request != NULL;
        int64_t needed = 0;
        if (schedule->own < 0 || i >= schedule->windows)
            continue;
        for (int64_t window = i; window < schedule->windows; window += 2) {
            int64_t bytes = message_bytes(exchange, window);
            needed = bytes > needed ? bytes : needed;
        }
        flight->window = borrow(exchange->file, schedule->window_bytes);
        flight->packed = borrow(exchange->file, needed);
        has_room &= flight->window != NULL && flight->packed != NULL;
    }
    return has_room;
}

blockio_status exchange(blockio_file *file, const struct side *side, unsigned char *packed, bool is_write,
                        blockio_error *error)
{
    struct mpi_group *group = mpi_group_of(file->group);
    struct exchange here = {.file = file,
                            .schedule = side->schedule,
                            .runs = &side->runs,
                            .packed = packed,
                            .comm = group->comm,
                            .tag = 1,
                            .rank = group->base.rank,
                            .ranks = group->base.ranks};
    blockio_status status = BLOCKIO_OK;
    if (!prepare(&here))
        status = fail(error, BLOCKIO_NO_MEMORY, "no memory for buffers of %lld bytes",
                      (long long)side->schedule->window_bytes);
    status = group->base.calls->agree(&group->base, status, error);
    if (status == BLOCKIO_OK)
        status = move_windows(&here, is_write, error);
    for (int i = 0; i < 2; i++) {
        free(here.flight[i].request);
        give_back(file, here.flight[i].window);
        give_back(file, here.flight[i].packed);
    }
    return status;
}
