/* Every rank appends records to its region of a shared file, by POSIX calls.
 *
 *   before  one pwrite per record of 1,000 bytes: small, and off every block edge
 *   after   records are gathered in a buffer and written 1 MiB at a time, regions
 *           starting on multiples of 1 MiB
 */
#include "answer.h"

enum { RECORD_WORDS = 125, RECORD_BYTES = RECORD_WORDS * 8, BUFFER_BYTES = 1 << 20 };

int main(int argc, char **argv)
{
    start(argc, argv, "before after");
    uint64_t records = scaled(2048);
    uint64_t words = records * RECORD_WORDS, region_bytes = words * 8;
    uint64_t first = (uint64_t)run.rank * words;
    uint64_t *mine = new_words(words);
    fill_words(mine, first, words);
    add_result(mine, first, words);
    /* Without a gap the second region would begin wherever the first one ends. */
    uint64_t stride =
        is_variant("before") ? region_bytes : (region_bytes + BUFFER_BYTES - 1) / BUFFER_BYTES * BUFFER_BYTES;
    uint64_t request = is_variant("before") ? RECORD_BYTES : BUFFER_BYTES;
    counts_all_of(POSIX);
    begin_io();
    int fd = count_open(POSIX, open(in_dir("records.dat").text, O_CREAT | O_WRONLY, 0644));
    for (uint64_t done = 0; done < region_bytes; done += request) {
        uint64_t now = region_bytes - done < request ? region_bytes - done : request;
        count_write(POSIX, pwrite(fd, (char *)mine + done, now, (off_t)((uint64_t)run.rank * stride + done)));
    }
    count_done(POSIX, closes, close(fd));
    wait_for_all();
    end_io();
    free(mine);
    for (int rank = 0; rank < run.nprocs; rank++)
        add_result_file("records.dat", (uint64_t)rank * stride, region_bytes);
    add_fact("request_bytes", (double)request);
    if (is_variant("before"))
        expect("small-unaligned-requests",
               "requests of 1,000 bytes, misaligned; buffer them to 1 MiB on block edges");
    else
        expect("none", "aligned requests of 1 MiB");
    finish("small_unaligned");
}
