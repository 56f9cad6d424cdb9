/* Ranks write equal shares in phases; the phase ends when the last one is done.
 *
 *   before  the last rank but one writes its share 8 KiB at a time, with
 *           O_DSYNC: it is slow inside its calls
 *   late    that rank pauses before each of its requests: it is slow between them
 *   after   all ranks write alike
 */
#include "answer.h"

enum { REQUEST_BYTES = 1 << 16, SMALL_BYTES = 8192, REQUESTS_PER_PHASE = 4, PAUSE_NS = 2000000 };

static void write_share(int fd, const char *share, uint64_t at_byte, uint64_t request)
{
    static const struct timespec pause = {0, PAUSE_NS};
    for (uint64_t done = 0; done < REQUEST_BYTES * REQUESTS_PER_PHASE; done += request) {
        if (is_variant("late") && run.rank == run.nprocs - 2)
            nanosleep(&pause, NULL);
        count_write(POSIX, pwrite(fd, share + done, request, (off_t)(at_byte + done)));
    }
}

int main(int argc, char **argv)
{
    start(argc, argv, "before late after");
    require(run.nprocs >= 3, "at least 3 ranks");
    uint64_t phases = scaled(4), share_words = REQUEST_BYTES / 8 * REQUESTS_PER_PHASE;
    bool is_slow = run.rank == run.nprocs - 2 && is_variant("before");
    uint64_t *share = new_words(share_words);
    counts_all_of(POSIX);
    begin_io();
    int flags = O_CREAT | O_WRONLY | (is_slow ? O_DSYNC : 0);
    int fd = count_open(POSIX, open(in_dir("phases.dat").text, flags, 0644));
    for (uint64_t phase = 0; phase < phases; phase++) {
        uint64_t first = (phase * (uint64_t)run.nprocs + (uint64_t)run.rank) * share_words;
        fill_words(share, first, share_words);
        add_result(share, first, share_words);
        wait_for_all();
        write_share(fd, (char *)share, first * 8, is_slow ? SMALL_BYTES : REQUEST_BYTES);
    }
    count_done(POSIX, closes, close(fd));
    wait_for_all();
    end_io();
    free(share);
    add_result_file("phases.dat", 0, phases * (uint64_t)run.nprocs * share_words * 8);
    add_fact("phases", (double)phases);
    if (!is_variant("after"))
        add_fact("straggler_rank", run.nprocs - 2);
    if (is_variant("after"))
        expect("none", "all ranks end their phases together");
    else
        expect("straggler", is_variant("late")
                                ? "one rank ends every phase last, because it pauses between its requests"
                                : "one rank ends every phase last, inside small synchronous writes");
    finish("straggler");
}
