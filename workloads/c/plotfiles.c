/* Every rank writes its boxes of each level into files of its own, as plotfiles of adaptive
 * meshes are written: one file per rank and level, in it the rows of each box and variable.
 *
 *   before  one write per row of a box, 256 bytes
 *   after   the rows of a file are gathered and written 1 MiB at a time
 */
#include "answer.h"

enum { LEVELS = 3, ROW_WORDS = 32, ROW_BYTES = ROW_WORDS * 8, BUFFER_BYTES = 1 << 20 };

int main(int argc, char **argv)
{
    start(argc, argv, "before after");
    uint64_t rows = scaled(4096), words = rows * ROW_WORDS, bytes = words * 8;
    uint64_t request = is_variant("before") ? ROW_BYTES : BUFFER_BYTES;
    uint64_t *boxes = new_words(words);
    counts_all_of(POSIX);
    begin_io();
    for (int level = 0; level < LEVELS; level++) {
        uint64_t part = (uint64_t)(level * run.nprocs + run.rank);
        fill_words(boxes, part * words, words);
        add_result(boxes, part * words, words);
        int fd = count_open(POSIX, open(in_dir("Level_%d.Cell_D_%05d", level, run.rank).text,
                                        O_CREAT | O_TRUNC | O_WRONLY, 0644));
        for (uint64_t done = 0; done < bytes; done += request) {
            uint64_t now = bytes - done < request ? bytes - done : request;
            count_write(POSIX, write(fd, (char *)boxes + done, now));
        }
        count_done(POSIX, closes, close(fd));
    }
    wait_for_all();
    end_io();
    free(boxes);
    for (int part = 0; part < LEVELS * run.nprocs; part++) {
        char name[48];
        snprintf(name, sizeof name, "Level_%d.Cell_D_%05d", part / run.nprocs, part % run.nprocs);
        add_result_file(name, 0, bytes);
    }
    add_fact("request_bytes", (double)request);
    if (is_variant("before"))
        expect("small-requests", "rows of 256 bytes are written one by one; gather them to 1 MiB");
    else
        expect("none", "requests of 1 MiB, a file per rank and level");
    finish("plotfiles");
}
