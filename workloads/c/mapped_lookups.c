/* A serial program looks up values all over a file that is not in memory.
 *
 *   before  through a mapping, in random order and with MADV_RANDOM, which switches the
 *           read-ahead off: each page is a wait of its own
 *   after   reads the file once, and looks up in memory
 */
#include "answer.h"

#include <sys/mman.h>

enum { PAGE_BYTES = 4096, PAGE_WORDS = PAGE_BYTES / 8, STEP = 10007 };

/* Lets the pages go, so that reads reach the device also on a machine with much memory. */
static void forget(const char *path)
{
    int fd = open(path, O_RDONLY);
    require(fd >= 0 && fdatasync(fd) == 0, "fdatasync");
    require(posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED) == 0, "posix_fadvise");
    close(fd);
}

static uint64_t *map_file(const char *path, size_t bytes)
{
    int fd = open(path, O_RDONLY);
    require(fd >= 0, "open");
    uint64_t *words = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, fd, 0);
    require(words != MAP_FAILED, "mmap");
    count(POSIX, maps, 1);
    require(madvise(words, bytes, MADV_RANDOM) == 0, "madvise");
    close(fd);
    return words;
}

static uint64_t *read_file(const char *path, size_t bytes)
{
    uint64_t *words = new_words(bytes / 8);
    int fd = open(path, O_RDONLY);
    require(fd >= 0, "open");
    count_read(POSIX, read(fd, words, bytes));
    close(fd);
    return words;
}

int main(int argc, char **argv)
{
    start(argc, argv, "before after");
    uint64_t pages = 1;
    while (pages < scaled(8192))
        pages *= 2;
    size_t bytes = pages * PAGE_BYTES;
    struct path path = in_dir("catalog.dat");
    raw_input(path.text, 0, bytes / 8);
    forget(path.text);
    begin_io();
    uint64_t *words = (is_variant("before") ? map_file : read_file)(path.text, bytes);
    for (uint64_t k = 0; k < pages; k++) {
        uint64_t word = (k * STEP & (pages - 1)) * PAGE_WORDS; /* an odd step visits every page */
        add_result(words + word, word, 1);
    }
    end_io();
    add_file("catalog.dat");
    add_fact("pages_touched", (double)pages);
    if (is_variant("before"))
        expect("mapped-reads", "each look-up waits for a page; read the file once");
    else
        expect("none", "the file is read once");
    finish("mapped_lookups");
}
