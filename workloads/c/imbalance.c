/* Particles are unevenly spread, and everybody writes what he holds.
 *
 *   before  the last rank holds eight times as much as all others together: so
 *           much that a busy machine, which slows down the others, hides nothing
 *   after   the same bytes in equal shares
 */
#include "answer.h"

enum { REQUEST_BYTES = 1 << 18, REQUEST_WORDS = REQUEST_BYTES / 8, HEAVY = 8 };

int main(int argc, char **argv)
{
    start(argc, argv, "before after");
    uint64_t light = scaled(4), others = (uint64_t)run.nprocs - 1;
    uint64_t total = light * others * (HEAVY + 1); /* requests: light ones, and those of the heavy rank */
    uint64_t from = light * (uint64_t)run.rank,
             requests = run.rank == (int)others ? HEAVY * light * others : light;
    if (is_variant("after")) {
        from = total * (uint64_t)run.rank / (uint64_t)run.nprocs;
        requests = total * (uint64_t)(run.rank + 1) / (uint64_t)run.nprocs - from;
    }
    uint64_t *piece = new_words(REQUEST_WORDS);
    counts_all_of(POSIX);
    begin_io();
    int fd = count_open(POSIX, open(in_dir("particles.dat").text, O_CREAT | O_WRONLY, 0644));
    for (uint64_t k = from; k < from + requests; k++) {
        fill_words(piece, k * REQUEST_WORDS, REQUEST_WORDS);
        add_result(piece, k * REQUEST_WORDS, REQUEST_WORDS);
        count_write(POSIX, pwrite(fd, piece, REQUEST_BYTES, (off_t)(k * REQUEST_BYTES)));
    }
    count_done(POSIX, closes, close(fd));
    wait_for_all();
    end_io();
    free(piece);
    add_result_file("particles.dat", 0, total * REQUEST_BYTES);
    if (is_variant("before")) {
        add_fact("heavy_rank", (double)others);
        expect("imbalance", "one rank writes eight ninths of all bytes; share them out evenly");
    } else {
        expect("none", "equal bytes from every rank");
    }
    finish("imbalance");
}
