/* A serial program reads a file by mapping it: no read call is ever made.
 *
 *   before  touches one word of each page, in random order
 *   after   touches them in order, and says so (MADV_SEQUENTIAL)
 */
#include "answer.h"

#include <sys/mman.h>

enum { PAGE_BYTES = 4096, PAGE_WORDS = PAGE_BYTES / 8 };

int main(int argc, char **argv)
{
    start(argc, argv, "before after");
    uint64_t pages = 1;
    while (pages < scaled(2048))
        pages *= 2;
    raw_input(in_dir("mapped.dat").text, 0, pages * PAGE_WORDS);
    counts_all_of(POSIX);
    begin_io();
    int fd = count_open(POSIX, open(in_dir("mapped.dat").text, O_RDONLY));
    struct stat status;
    count_done(POSIX, stats, fstat(fd, &status));
    size_t bytes = (size_t)status.st_size;
    uint64_t *words = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, fd, 0);
    require(words != MAP_FAILED, "mmap");
    count(POSIX, maps, 1);
    count_done(POSIX, closes, close(fd));
    if (is_variant("after"))
        require(madvise(words, bytes, MADV_SEQUENTIAL) == 0, "madvise");
    uint64_t step = is_variant("before") ? pages / 2 + 1 + 2 * (pages / 7) : 1; /* odd: visits every page */
    for (uint64_t k = 0; k < pages; k++) {
        uint64_t word = (k * step & (pages - 1)) * PAGE_WORDS;
        add_result(words + word, word, 1);
    }
    require(munmap(words, bytes) == 0, "munmap");
    end_io();
    add_file("mapped.dat");
    add_fact("pages_touched", (double)pages);
    if (is_variant("before"))
        expect("mapped-io",
               "the file is read through a mapping: bytes and times of it cannot be seen in calls");
    else
        expect("mapped-io", "still read through a mapping, in order");
    finish("mmap_reader");
}
