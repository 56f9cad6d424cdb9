/* Every rank reads its part of a file from front to back.
 *
 *   before  an lseek before every read of 1 KiB, to where the file already is
 *   after   reads of 64 KiB, no seeks
 */
#include "answer.h"

enum { SMALL_BYTES = 1 << 10, LARGE_BYTES = 1 << 16 };

int main(int argc, char **argv)
{
    start(argc, argv, "before after");
    uint64_t part_bytes = scaled(16) * LARGE_BYTES, words = part_bytes / 8;
    uint64_t from = (uint64_t)run.rank * part_bytes;
    if (run.rank == 0)
        raw_input(in_dir("input.dat").text, 0, words * (uint64_t)run.nprocs);
    uint64_t *part = new_words(words);
    counts_all_of(POSIX);
    begin_io();
    int fd = count_open(POSIX, open(in_dir("input.dat").text, O_RDONLY));
    uint64_t request = is_variant("before") ? SMALL_BYTES : LARGE_BYTES;
    for (uint64_t done = 0; done < part_bytes; done += request) {
        if (is_variant("before") || done == 0) {
            require(lseek(fd, (off_t)(from + done), SEEK_SET) >= 0, "lseek");
            count(POSIX, seeks, 1);
        }
        count_read(POSIX, read(fd, (char *)part + done, request));
    }
    count_done(POSIX, closes, close(fd));
    end_io();
    add_result(part, from / 8, words);
    free(part);
    add_result_file("input.dat", 0, part_bytes * (uint64_t)run.nprocs);
    if (is_variant("before"))
        expect("seek-per-request", "an lseek before every small consecutive read; drop it or use pread");
    else
        expect("none", "one seek per rank");
    finish("seek_per_request");
}
