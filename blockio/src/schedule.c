/* Who exchanges which bytes with which aggregator: made once, used by every read and write.
 * MPI-IO sends the same lists in each collective call. */
#include "ranks.h"

#include <limits.h>
#include <stdlib.h>

/* The part of the file of one window; false if that is beyond the domain. */
bool window_of(const struct schedule *schedule, int aggregator, int64_t window, int64_t *begin_bytes,
               int64_t *end_bytes)
{
    int64_t begin = schedule->first_bytes + aggregator * schedule->domain_bytes, end = begin + schedule->domain_bytes;
    end = end < schedule->end_bytes ? end : schedule->end_bytes;
    *begin_bytes = begin + window * schedule->window_bytes;
    *end_bytes = *begin_bytes + schedule->window_bytes < end ? *begin_bytes + schedule->window_bytes : end;
    return *begin_bytes < *end_bytes;
}

struct slice slice_of(const struct runs *runs, int64_t begin_bytes, int64_t end_bytes)
{
    int64_t from = packed_at(runs, begin_bytes), to = packed_at(runs, end_bytes);
    return (struct slice){from, to - from};
}

/* Domains begin at whole windows: boundaries are those of stripes or of large pages. */
static void divide(struct schedule *schedule, const struct facts *facts, int aggregators)
{
    int64_t unit = facts->stripe_bytes > 0 ? facts->stripe_bytes : 4096;
    int64_t first = facts->first_bytes - facts->first_bytes % unit;
    int64_t extent = facts->end_bytes - first;
    int64_t each = extent / aggregators + (extent % aggregators > 0);
    int64_t domain = each <= INT64_MAX - unit ? (each + unit - 1) / unit * unit : each;
    schedule->aggregators = aggregators;
    schedule->first_bytes = first;
    schedule->end_bytes = facts->end_bytes;
    schedule->domain_bytes = domain > 0 ? domain : unit;
    schedule->window_bytes = facts->buffer_bytes;
    int64_t longest = schedule->domain_bytes < extent ? schedule->domain_bytes : extent;
    schedule->windows = longest <= 0 ? 0 : (longest - 1) / schedule->window_bytes + 1;
    /* A domain rounded up may leave the last ones empty, and its sums may not wrap. */
    while (schedule->aggregators > 1 && (schedule->aggregators - 1) > (extent - 1) / schedule->domain_bytes)
        schedule->aggregators -= 1;
}

/* Runs of this rank cut at the boundaries of domains; counts[rank] numbers (two for a run) go to
 * each aggregator. NULL without memory. */
static int64_t *cut_runs(const struct schedule *schedule, const struct runs *runs, int64_t counts[])
{
    int64_t *numbers = allocate(2 * (runs->count + (size_t)schedule->aggregators), sizeof *numbers);
    size_t filled = 0;
    for (int a = 0; a < schedule->aggregators && numbers != NULL; a++) {
        int64_t begin = schedule->first_bytes + a * schedule->domain_bytes, before = (int64_t)filled;
        int64_t end =
            schedule->end_bytes - begin > schedule->domain_bytes ? begin + schedule->domain_bytes : schedule->end_bytes;
        for (size_t i = first_run_after(runs, begin); i < runs->count && runs->run[i].offset_bytes < end; i++) {
            int64_t from = runs->run[i].offset_bytes, to = from + runs->run[i].length_bytes;
            from = from > begin ? from : begin;
            to = to < end ? to : end;
            numbers[filled++] = from;
            numbers[filled++] = to - from;
        }
        counts[schedule->aggregator_rank[a]] = (int64_t)filled - before;
    }
    return numbers;
}

/* Aggregators are spread over the ranks, and with them over the nodes. */
static bool name_aggregators(struct schedule *schedule, int ranks, int rank)
{
    schedule->own = -1;
    schedule->aggregator_rank = allocate((size_t)schedule->aggregators, sizeof(int));
    for (int a = 0; a < schedule->aggregators && schedule->aggregator_rank != NULL; a++) {
        schedule->aggregator_rank[a] = (int)((int64_t)a * ranks / schedule->aggregators);
        if (schedule->aggregator_rank[a] == rank)
            schedule->own = a;
    }
    return schedule->aggregator_rank != NULL;
}

static bool keep_members(struct schedule *schedule, int ranks, const int64_t *numbers, const int64_t counts[])
{
    size_t all = 0, at = 0;
    for (int r = 0; r < ranks; r++)
        all += (size_t)counts[r] / 2;
    schedule->member = calloc((size_t)ranks, sizeof *schedule->member);
    schedule->covered.run = allocate(all, sizeof(struct run));
    if (schedule->member == NULL || schedule->covered.run == NULL)
        return false;
    for (int r = 0; r < ranks; r++) {
        struct runs *runs = &schedule->member[r];
        runs->count = (size_t)counts[r] / 2;
        runs->run = allocate(runs->count, sizeof(struct run));
        runs->packed_bytes = allocate(runs->count + 1, sizeof(int64_t));
        if (runs->run == NULL || runs->packed_bytes == NULL)
            return false;
        runs->packed_bytes[0] = 0;
        for (size_t i = 0; i < runs->count; i++, at++) {
            runs->run[i] = schedule->covered.run[at] = (struct run){numbers[2 * at], numbers[2 * at + 1]};
            runs->packed_bytes[i + 1] = runs->packed_bytes[i] + runs->run[i].length_bytes;
        }
    }
    schedule->covered.count = merge_runs(schedule->covered.run, all, &schedule->overlaps);
    return true;
}

/* Displacements of Alltoallv; false if a count is no int. */
static bool int_counts(const int64_t counts[], int ranks, int lengths[], int starts[])
{
    int64_t at = 0;
    for (int r = 0; r < ranks; at += counts[r++]) {
        if (at + counts[r] > INT_MAX)
            return false;
        lengths[r] = (int)counts[r];
        starts[r] = (int)at;
    }
    return true;
}

static blockio_status tell_aggregators(const struct group *group, struct schedule *schedule, const struct runs *runs,
                                       blockio_error *error)
{
    MPI_Comm comm = mpi_group_of(group)->comm;
    size_t ranks = (size_t)group->ranks;
    int64_t *counts = calloc(2 * ranks, sizeof *counts), *sent = NULL, *got = NULL;
    int *lengths = allocate(4 * ranks, sizeof *lengths);
    blockio_status status = BLOCKIO_OK;
    if (counts == NULL || lengths == NULL || (sent = cut_runs(schedule, runs, counts)) == NULL)
        status = fail(error, BLOCKIO_NO_MEMORY, "no memory for the schedule of a plan");
    status = group->calls->agree(group, status, error);
    if (status == BLOCKIO_OK)
        status = mpi_status(MPI_Alltoall(counts, 1, MPI_INT64_T, counts + ranks, 1, MPI_INT64_T, comm), "MPI_Alltoall",
                            "schedule of a plan", error);
    if (status == BLOCKIO_OK) {
        int64_t numbers = 0;
        bool fits = int_counts(counts, group->ranks, lengths, lengths + ranks) &&
                    int_counts(counts + ranks, group->ranks, lengths + 2 * ranks, lengths + 3 * ranks);
        for (size_t r = 0; r < ranks; r++)
            numbers += counts[ranks + r];
        if (!fits || (got = allocate((size_t)numbers, sizeof *got)) == NULL)
            status =
                fail(error, BLOCKIO_NO_MEMORY, "a plan of too many pieces for one aggregator; make blocks smaller");
    }
    status = group->calls->agree(group, status, error);
    if (status == BLOCKIO_OK)
        status = mpi_status(MPI_Alltoallv(sent, lengths, lengths + ranks, MPI_INT64_T, got, lengths + 2 * ranks,
                                          lengths + 3 * ranks, MPI_INT64_T, comm),
                            "MPI_Alltoallv", "schedule of a plan", error);
    if (status == BLOCKIO_OK && schedule->own >= 0 && !keep_members(schedule, group->ranks, got, counts + ranks))
        status = fail(error, BLOCKIO_NO_MEMORY, "no memory for the schedule of a plan");
    free(counts);
    free(lengths);
    free(sent);
    free(got);
    return status;
}

blockio_status make_schedule(const struct group *group, struct side *side, const struct facts *facts,
                             blockio_error *error)
{
    struct schedule *schedule = calloc(1, sizeof *schedule);
    blockio_status status = BLOCKIO_OK;
    if (schedule != NULL) {
        divide(schedule, facts, side->choice.aggregators);
        schedule->members = group->ranks;
    }
    if (schedule == NULL || !name_aggregators(schedule, group->ranks, group->rank))
        status = fail(error, BLOCKIO_NO_MEMORY, "no memory for the schedule of a plan");
    side->schedule = schedule;
    status = group->calls->agree(group, status, error);
    return status == BLOCKIO_OK ? tell_aggregators(group, schedule, &side->runs, error) : status;
}

bool schedule_overlaps(const struct schedule *schedule)
{
    return schedule->overlaps;
}

static void free_runs(struct runs *runs)
{
    free(runs->run);
    free(runs->packed_bytes);
}

void free_schedule(struct schedule *schedule)
{
    for (int r = 0; schedule->member != NULL && r < schedule->members; r++)
        free_runs(&schedule->member[r]);
    free_runs(&schedule->covered);
    free(schedule->member);
    free(schedule->aggregator_rank);
    free(schedule);
}
