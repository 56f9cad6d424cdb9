/* What a workload knows about its own I/O: the answer a diagnosis is held to.
 *
 * A workload calls start(), does its I/O with every call passed through one of
 * the count_ functions, names its files and its result, and calls finish().
 * Rank 0 then writes one JSON object to --answer; README.md describes it.
 */
#ifndef WORKLOAD_ANSWER_H
#define WORKLOAD_ANSWER_H

#include "count.h"

static struct answer {
    uint64_t checksum, result_bytes;
    double started_s, io_s;
    const char *root_cause, *expect;
    char *files, *facts; /* JSON members, rank 0 only */
    size_t files_bytes, facts_bytes;
} answer;

/* The time between these two is the job's I/O time (`io_s`). */
static inline void begin_io(void)
{
    wait_for_all();
    answer.started_s = now_s();
}

static inline void end_io(void)
{
    answer.io_s += now_s() - answer.started_s;
}

static inline void add_result(const uint64_t *words, uint64_t first_index, uint64_t word_count)
{
    answer.checksum += checksum_of(words, first_index, word_count);
    answer.result_bytes += word_count * sizeof(uint64_t);
}

static inline void append(char **text, size_t *used, const char *format, ...)
{
    char piece[8192];
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(piece, sizeof piece, format, arguments);
    va_end(arguments);
    *text = realloc(*text, *used + (size_t)size + 1);
    require(*text != NULL, "realloc");
    memcpy(*text + *used, piece, (size_t)size + 1);
    *used += (size_t)size;
}

/* A file that the run leaves behind; `result` is empty or further members. */
static inline void add_file_with(const char *name, const char *result)
{
    if (run.rank != 0)
        return;
    append(&answer.files, &answer.files_bytes, "%s\n    {\"name\": \"%s\", \"size\": %lld%s}",
           answer.files_bytes > 0 ? "," : "", name, (long long)raw_size(in_dir("%s", name).text), result);
}

static inline void add_file(const char *name)
{
    add_file_with(name, "");
}

/* A file that holds the next bytes of the result, as they are in memory. */
static inline void add_result_file(const char *name, uint64_t offset, uint64_t bytes)
{
    char result[128];
    snprintf(result, sizeof result, ", \"result_offset\": %llu, \"result_bytes\": %llu",
             (unsigned long long)offset, (unsigned long long)bytes);
    add_file_with(name, result);
}

/* An HDF5 file whose dataset holds the next bytes of the result. */
static inline void add_result_dataset(const char *name, const char *dataset)
{
    char result[256];
    snprintf(result, sizeof result, ", \"result_dataset\": \"%s\"", dataset);
    add_file_with(name, result);
}

/* Anything else that a test may ask for, such as the rank that is late. */
static inline void add_fact(const char *name, double value)
{
    if (run.rank == 0)
        append(&answer.facts, &answer.facts_bytes, "%s\"%s\": %.9g", answer.facts_bytes > 0 ? ", " : "", name,
               value);
}

static inline void expect(const char *root_cause, const char *text)
{
    answer.root_cause = root_cause;
    answer.expect = text;
}

/* `by_rank` is LAYERS * COUNTERS counters of each rank, one rank after another. */
static inline void append_layers(char **text, size_t *used, const uint64_t *by_rank)
{
    const char *before_layer = "";
    for (int l = 0; l < LAYERS; l++) {
        const char *before_counter = "";
        for (int c = 0; c < COUNTERS; c++) {
            if (!counts.known[l][c])
                continue;
            uint64_t total = 0;
            for (int r = 0; r < run.nprocs; r++)
                total += by_rank[((size_t)r * LAYERS + (size_t)l) * COUNTERS + (size_t)c];
            if (*before_counter == '\0')
                append(text, used, "%s\n    \"%s\": {", before_layer, LAYER_NAMES[l]);
            append(text, used, "%s\"%s\": %llu", before_counter, COUNTER_NAMES[c], (unsigned long long)total);
            before_counter = ", ";
        }
        for (int c = bytes_read; c <= bytes_written; c++) {
            if (!counts.known[l][c])
                continue;
            append(text, used, ", \"%s_by_rank\": [", COUNTER_NAMES[c]);
            for (int r = 0; r < run.nprocs; r++)
                append(text, used, "%s%llu", r > 0 ? ", " : "",
                       (unsigned long long)by_rank[((size_t)r * LAYERS + (size_t)l) * COUNTERS + (size_t)c]);
            append(text, used, "]");
        }
        if (*before_counter != '\0') {
            append(text, used, "}");
            before_layer = ",";
        }
    }
}

/* Bring the ranks' counts together and write the answer. */
static inline void write_answer(const char *workload)
{
    size_t per_rank = sizeof counts.of / sizeof(uint64_t);
    uint64_t *by_rank = new_words(per_rank * (size_t)run.nprocs);
    uint64_t checksum = answer.checksum, result_bytes = answer.result_bytes;
    double io_s = answer.io_s;
#ifdef ANSWER_SERIAL
    memcpy(by_rank, counts.of, sizeof counts.of);
#else
    MPI_Gather(counts.of, (int)per_rank, MPI_UINT64_T, by_rank, (int)per_rank, MPI_UINT64_T, 0,
               MPI_COMM_WORLD);
    MPI_Reduce(&answer.checksum, &checksum, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&answer.result_bytes, &result_bytes, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&answer.io_s, &io_s, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    /* What any rank knows is known: rank 0 may be the one that did nothing. */
    MPI_Allreduce(MPI_IN_PLACE, counts.known, (int)sizeof counts.known, MPI_UINT8_T, MPI_BOR, MPI_COMM_WORLD);
#endif
    if (run.rank == 0 && run.answer_path != NULL) {
        char *text = NULL;
        size_t used = 0;
        append(&text, &used,
               "{\n  \"workload\": \"%s\", \"variant\": \"%s\", \"nprocs\": %d, \"scale\": %.9g,\n", workload,
               run.variant, run.nprocs, run.scale);
        append(&text, &used, "  \"root_cause\": \"%s\",\n  \"expect\": \"%s\",\n", answer.root_cause,
               answer.expect);
        append(&text, &used,
               "  \"result\": {\"bytes\": %llu, \"checksum\": \"%016llx\"},\n  \"io_s\": %.6f,\n",
               (unsigned long long)result_bytes, (unsigned long long)checksum, io_s);
        append(&text, &used, "  \"facts\": {%s},\n  \"layers\": {",
               answer.facts_bytes > 0 ? answer.facts : "");
        append_layers(&text, &used, by_rank);
        append(&text, &used, "\n  },\n  \"files\": [");
        int fd = raw_create(run.answer_path);
        raw_write(fd, text, used);
        raw_write(fd, answer.files, answer.files_bytes); /* may be longer than append takes at once */
        raw_write(fd, "\n  ]\n}\n", 7);
        raw_close(fd);
        free(text);
    }
    free(by_rank);
}

static inline void finish(const char *workload)
{
    write_answer(workload);
#ifndef ANSWER_SERIAL
    MPI_Finalize();
#endif
}

#endif
