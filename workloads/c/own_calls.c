/* A serial program reads a table again and again.
 *
 *   before  after the first time by system calls of its own, as programs without a C
 *           library do: a preloaded library sees none of them
 *   after   by the C library
 */
#include "answer.h"

enum { TABLE_BYTES = 1 << 20, REQUEST_BYTES = 1 << 16 };

static void read_table(const char *path, char *table)
{
    int fd = count_open(POSIX, open(path, O_RDONLY));
    for (uint64_t at = 0; at < TABLE_BYTES; at += REQUEST_BYTES)
        count_read(POSIX, pread(fd, table + at, REQUEST_BYTES, (off_t)at));
    count_done(POSIX, closes, close(fd));
}

static void read_table_unseen(const char *path, char *table)
{
    int fd = (int)raw_call(SYS_openat, AT_FDCWD, (long)path, O_RDONLY, 0, 0);
    require(fd >= 0, "openat");
    for (uint64_t at = 0; at < TABLE_BYTES; at += REQUEST_BYTES) {
        long done = raw_call(SYS_pread64, fd, (long)(table + at), REQUEST_BYTES, (long)at, 0);
        require(done == REQUEST_BYTES, "pread64");
    }
    raw_close(fd);
}

int main(int argc, char **argv)
{
    start(argc, argv, "before after");
    uint64_t passes = scaled(48), words = TABLE_BYTES / 8;
    struct path path = in_dir("table.dat");
    raw_input(path.text, 0, words);
    uint64_t *table = new_words(words);
    counts_all_of(POSIX);
    begin_io();
    for (uint64_t pass = 0; pass < passes; pass++)
        (is_variant("before") && pass > 0 ? read_table_unseen : read_table)(path.text, (char *)table);
    end_io();
    add_result(table, 0, words);
    free(table);
    add_result_file("table.dat", 0, TABLE_BYTES);
    add_fact("passes", (double)passes);
    if (is_variant("before"))
        expect("unseen-io", "47 of 48 passes are system calls that a preloaded library does not see");
    else
        expect("none", "the C library reads");
    finish("own_calls");
}
