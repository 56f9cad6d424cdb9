/* Records are needed in random order, by POSIX reads of one shared file.
 *
 *   before  one pread of 4 KiB per record, in the order of need
 *   after   the range that holds them all is read in 1 MiB pieces, in order,
 *           and the records are picked from memory
 * Each rank needs half of the records of its own region, none of them twice.
 */
#include "answer.h"

enum { RECORD_WORDS = 512, RECORD_BYTES = RECORD_WORDS * 8, PIECE_BYTES = 1 << 20 };

/* The k-th record needed: a walk over the region with a step that is odd, so
 * prime to the power of two that the number of records is. */
static uint64_t needed(uint64_t k, uint64_t records)
{
    return (k * (records / 2 + 1 + 2 * (records / 7)) + (uint64_t)run.rank) & (records - 1);
}

int main(int argc, char **argv)
{
    start(argc, argv, "before after");
    uint64_t records = 1;
    while (records < scaled(1024))
        records *= 2;
    uint64_t words = records * RECORD_WORDS, region_bytes = words * 8;
    uint64_t first = (uint64_t)run.rank * words;
    if (run.rank == 0)
        raw_input(in_dir("pool.dat").text, 0, words * (uint64_t)run.nprocs);
    uint64_t *region = new_words(words);
    counts_all_of(POSIX);
    begin_io();
    int fd = count_open(POSIX, open(in_dir("pool.dat").text, O_RDONLY));
    if (is_variant("before")) {
        for (uint64_t k = 0; k < records / 2; k++) {
            uint64_t at = needed(k, records) * RECORD_WORDS;
            count_read(POSIX, pread(fd, region + at, RECORD_BYTES, (off_t)((first + at) * 8)));
        }
    } else {
        for (uint64_t done = 0; done < region_bytes; done += PIECE_BYTES) {
            uint64_t now = region_bytes - done < PIECE_BYTES ? region_bytes - done : PIECE_BYTES;
            count_read(POSIX, pread(fd, (char *)region + done, now, (off_t)(first * 8 + done)));
        }
    }
    count_done(POSIX, closes, close(fd));
    end_io();
    for (uint64_t k = 0; k < records / 2; k++) {
        uint64_t at = needed(k, records) * RECORD_WORDS;
        add_result(region + at, first + at, RECORD_WORDS);
    }
    free(region);
    add_file("pool.dat");
    if (is_variant("before"))
        expect("random-access", "reads of 4 KiB in random order; sort them, or read whole ranges");
    else
        expect("none", "sequential reads of 1 MiB, twice the bytes needed");
    finish("random_reads");
}
