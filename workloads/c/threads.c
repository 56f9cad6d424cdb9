/* Four threads of each rank write to the same descriptor.
 *
 *   before  interleaved requests of 4 KiB: the threads work through one region together
 *   after   each thread has a region of its own and writes 256 KiB at a time
 */
#include "answer.h"

#include <pthread.h>

enum { THREADS = 4, SMALL_BYTES = 1 << 12, LARGE_BYTES = 1 << 18 };

struct part {
    int fd, number;
    const char *region; /* of the rank */
    uint64_t from_byte, region_bytes;
    struct counts counts; /* of this thread: the common ones are not atomic */
};

static void *write_part(void *argument)
{
    struct part *part = argument;
    bool is_interleaved = is_variant("before");
    uint64_t request = is_interleaved ? SMALL_BYTES : LARGE_BYTES;
    uint64_t mine = part->region_bytes / THREADS;
    uint64_t at = is_interleaved ? (uint64_t)part->number * request : (uint64_t)part->number * mine;
    for (uint64_t done = 0; done < mine; done += request) {
        ssize_t written = pwrite(part->fd, part->region + at, request, (off_t)(part->from_byte + at));
        require(written >= 0, "pwrite");
        part->counts.of[POSIX][writes] += 1;
        part->counts.of[POSIX][bytes_written] += (uint64_t)written;
        at += is_interleaved ? THREADS * request : request;
    }
    return NULL;
}

int main(int argc, char **argv)
{
    start(argc, argv, "before after");
    uint64_t region_bytes = scaled(2) * THREADS * LARGE_BYTES, words = region_bytes / 8;
    uint64_t first = (uint64_t)run.rank * words;
    uint64_t *region = new_words(words);
    fill_words(region, first, words);
    add_result(region, first, words);
    counts_all_of(POSIX);
    begin_io();
    int fd = count_open(POSIX, open(in_dir("regions.dat").text, O_CREAT | O_WRONLY, 0644));
    static struct part parts[THREADS];
    pthread_t threads[THREADS];
    for (int t = 0; t < THREADS; t++) {
        parts[t] = (struct part){fd, t, (char *)region, first * 8, region_bytes, {{{0}}, {{0}}}};
        require(pthread_create(&threads[t], NULL, write_part, &parts[t]) == 0, "pthread_create");
    }
    for (int t = 0; t < THREADS; t++) {
        pthread_join(threads[t], NULL);
        count(POSIX, writes, parts[t].counts.of[POSIX][writes]);
        count(POSIX, bytes_written, parts[t].counts.of[POSIX][bytes_written]);
    }
    count_done(POSIX, closes, close(fd));
    wait_for_all();
    end_io();
    free(region);
    add_result_file("regions.dat", 0, region_bytes * (uint64_t)run.nprocs);
    add_fact("threads", THREADS);
    if (is_variant("before"))
        expect("small-requests",
               "threads write 4 KiB requests in turn; give each a region and larger requests");
    else
        expect("none", "each thread writes its region in requests of 256 KiB");
    finish("threads");
}
