/* Which method: the one with the least estimated time.
 *
 * The model counts what differs between methods: requests and their latency, bytes of the
 * file system, bytes and messages between ranks. Its constants are orders of magnitude
 * (docs/decisions/0040-blockio.md), good for telling methods apart, not for a forecast. */
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>

struct speeds {
    double accessor_bytes_per_s; /* one rank with large requests */
    double all_bytes_per_s;      /* all ranks of one node, or one storage target */
    double exchange_bytes_per_s; /* between ranks, per aggregator */
    double message_s;
    int servers; /* small requests that are served at once; the stripes where they are known */
};

static const struct speeds local_speeds = {3e9, 8e9, 2e9, 2e-6, 1 << 20};
static const struct speeds network_speeds = {5e8, 2e9, 1e9, 5e-6, 4};

/* Of one run in the list of pieces that MPI-IO sends to aggregators in every collective call. */
static const double describe_run_s = 5e-8;

static double least(double a, double b)
{
    return a < b ? a : b;
}

static double most(double a, double b)
{
    return a > b ? a : b;
}

/* Time of `bytes` and `requests` in the file system when `accessors` ranks share them. */
static double storage_s(const struct facts *facts, const struct speeds *speeds, double bytes, double requests,
                        double rank_requests, int accessors)
{
    double request_s = (double)facts->request_ns * 1e-9;
    int servers = facts->stripes > 0 ? facts->stripes : speeds->servers;
    double wide = facts->is_local ? facts->nodes : most(1, facts->stripes);
    double stream_s = bytes / least(accessors * speeds->accessor_bytes_per_s, wide * speeds->all_bytes_per_s);
    return stream_s + request_s * most(rank_requests, requests / servers);
}

static double independent_s(const struct facts *facts, const struct speeds *speeds)
{
    /* Ranks that write neighbouring bytes of a shared file over a network take locks from one another. */
    double locks = facts->is_write && facts->nodes > 1 && !facts->is_local ? 2 : 1;
    return storage_s(facts, speeds, (double)(facts->bytes + facts->sieved_bytes), locks * (double)facts->requests,
                     locks * (double)facts->rank_requests, facts->ranks);
}

static double exchange_s(const struct facts *facts, const struct speeds *speeds, int aggregators)
{
    double extent = (double)(facts->end_bytes - facts->first_bytes);
    double windows = extent / (double)facts->buffer_bytes + aggregators;
    double covered = least(extent, (double)facts->bytes * 2);
    double messages = windows / aggregators * facts->ranks;
    /* Bytes of an aggregator itself are copied, too: no part stays for free. */
    return storage_s(facts, speeds, covered, windows, windows / aggregators, aggregators) +
           (double)facts->bytes / (aggregators * speeds->exchange_bytes_per_s) + messages * speeds->message_s;
}

/* As many ranks as keep storage busy; none gets less than a buffer to move. */
static int wanted_aggregators(const struct facts *facts)
{
    if (facts->wanted_aggregators > 0)
        return facts->wanted_aggregators < facts->ranks ? facts->wanted_aggregators : facts->ranks;
    int per_node = facts->is_local ? 8 : 2;
    int64_t wanted = (int64_t)facts->nodes * per_node;
    if (facts->stripes > 0 && !facts->is_local)
        wanted = facts->stripes;
    int64_t buffers = (facts->end_bytes - facts->first_bytes) / facts->buffer_bytes;
    if (wanted > buffers)
        wanted = buffers;
    if (wanted > facts->ranks)
        wanted = facts->ranks;
    return wanted < 1 ? 1 : (int)wanted;
}

/* Three significant digits in the unit that suits. */
static const char *amount(char *text, size_t room, double value, const char *const units[], double step)
{
    int unit = 0;
    while (value >= step && units[unit + 1] != NULL) {
        value /= step;
        unit++;
    }
    snprintf(text, room, "%.3g %s", value, units[unit]);
    return text;
}

static void write_note(const struct facts *facts, struct choice *choice, const double seconds[], const char *reason)
{
    static const char *const names[] = {"auto", "independent", "serialized", "grouped", "collective"};
    static const char *const byte_units[] = {"B", "KiB", "MiB", "GiB", "TiB", NULL};
    static const char *const time_units[] = {"us", "ms", "s", NULL};
    char bytes[32], extent[32], time[4][32], stripes[48] = "unknown stripes";
    if (facts->stripes > 0)
        snprintf(stripes, sizeof stripes, "%d stripes of %lld bytes", facts->stripes, (long long)facts->stripe_bytes);
    for (int i = 0; i < 4; i++)
        amount(time[i], sizeof time[i], seconds[i + 1] * 1e6, time_units, 1000);
    snprintf(choice->note, sizeof choice->note,
             "%s %s with %d of %d ranks on %d node%s: %s. %s in an extent of %s; %lld independent requests, at most "
             "%lld by one rank; %s file system, %s. Estimated: independent %s, serialized %s, grouped %s, collective "
             "%s.",
             names[choice->method], facts->is_write ? "write" : "read", choice->aggregators, facts->ranks, facts->nodes,
             facts->nodes == 1 ? "" : "s", reason, amount(bytes, sizeof bytes, (double)facts->bytes, byte_units, 1024),
             amount(extent, sizeof extent, (double)(facts->end_bytes - facts->first_bytes), byte_units, 1024),
             (long long)facts->requests, (long long)facts->rank_requests, facts->is_local ? "local" : "network",
             stripes, time[0], time[1], time[2], time[3]);
}

void choose(const struct facts *facts, struct choice *choice)
{
    static const char *const reasons[] = {"", "requests are large or few enough without exchanging bytes",
                                          "one aggregator suffices for so few bytes",
                                          "fewer and larger requests outweigh the exchange of bytes",
                                          "MPI-IO knows the locks of a striped file on several nodes"};
    const struct speeds *speeds = facts->is_local ? &local_speeds : &network_speeds;
    int aggregators = wanted_aggregators(facts);
    double seconds[5] = {0};
    seconds[BLOCKIO_INDEPENDENT] = independent_s(facts, speeds);
    seconds[BLOCKIO_SERIALIZED] = exchange_s(facts, speeds, 1);
    seconds[BLOCKIO_GROUPED] = exchange_s(facts, speeds, aggregators);
    int by_mpi = facts->stripes > 0 ? aggregators : facts->nodes;
    seconds[BLOCKIO_COLLECTIVE] =
        exchange_s(facts, speeds, by_mpi < facts->ranks ? by_mpi : facts->ranks) + describe_run_s * (double)facts->runs;
    const char *reason;
    if (facts->wanted != BLOCKIO_AUTO) {
        choice->method = facts->wanted;
        reason = "the options ask for it";
    } else {
        choice->method = BLOCKIO_INDEPENDENT;
        bool is_exchanged = facts->ranks > 1 && facts->bytes > 0;
        blockio_method merged = aggregators == 1 ? BLOCKIO_SERIALIZED : BLOCKIO_GROUPED;
        if (is_exchanged && seconds[merged] < seconds[BLOCKIO_INDEPENDENT])
            choice->method = merged;
        if (choice->method == BLOCKIO_GROUPED && facts->stripes > 1 && facts->nodes > 1)
            choice->method = BLOCKIO_COLLECTIVE;
        reason = reasons[choice->method];
    }
    if (facts->ranks == 1 && choice->method != BLOCKIO_INDEPENDENT && facts->wanted == BLOCKIO_AUTO)
        choice->method = BLOCKIO_INDEPENDENT;
    if (facts->ranks == 1)
        reason = "there is one rank";
    if (choice->method == BLOCKIO_COLLECTIVE && (facts->rank_bytes >= REQUEST_BYTES)) {
        choice->method = BLOCKIO_GROUPED;
        reason = "a rank has 1 GiB or more, and counts of MPI-IO are int";
    }
    choice->aggregators = choice->method == BLOCKIO_GROUPED      ? aggregators
                          : choice->method == BLOCKIO_SERIALIZED ? 1
                          : choice->method == BLOCKIO_COLLECTIVE ? by_mpi
                                                                 : facts->ranks;
    write_note(facts, choice, seconds, reason);
}
