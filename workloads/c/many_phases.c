/* A simulation saves a little after every step, all ranks together.
 *
 *   before  each step ends with an output phase: a small write per rank, a
 *           barrier before and after
 *   after   the output of ten steps is kept in memory and written in one phase
 */
#include "answer.h"

enum {
    STEPS = 40,
    STEPS_PER_PHASE = 10,
    STEP_US = 5000,
    REQUEST_BYTES = 1 << 14,
    REQUEST_WORDS = REQUEST_BYTES / 8
};

int main(int argc, char **argv)
{
    start(argc, argv, "before after");
    static const struct timespec computing = {0, STEP_US * 1000};
    uint64_t words = scaled(1) * REQUEST_WORDS, steps_per_phase = is_variant("before") ? 1 : STEPS_PER_PHASE;
    uint64_t *kept = new_words(words * steps_per_phase);
    uint64_t of_rank = (uint64_t)run.rank * STEPS * words;
    counts_all_of(POSIX);
    begin_io();
    int fd = count_open(POSIX, open(in_dir("steps.dat").text, O_CREAT | O_WRONLY, 0644));
    for (uint64_t step = 0; step < STEPS; step++) {
        nanosleep(&computing, NULL);
        uint64_t first = of_rank + step * words, in_phase = step % steps_per_phase;
        fill_words(kept + in_phase * words, first, words);
        add_result(kept + in_phase * words, first, words);
        if (in_phase + 1 < steps_per_phase)
            continue;
        wait_for_all();
        uint64_t bytes = words * 8 * steps_per_phase;
        count_write(POSIX, pwrite(fd, kept, bytes, (off_t)(first * 8 + words * 8 - bytes)));
        wait_for_all();
    }
    count_done(POSIX, closes, close(fd));
    end_io();
    free(kept);
    add_result_file("steps.dat", 0, words * 8 * STEPS * (uint64_t)run.nprocs);
    add_fact("phases", STEPS / (double)steps_per_phase);
    add_fact("period_s", (double)steps_per_phase * STEP_US / 1e6);
    if (is_variant("before"))
        expect("many-phases",
               "forty short output phases of small writes; keep the output and write it in fewer");
    else
        expect("none", "four output phases");
    finish("many_phases");
}
