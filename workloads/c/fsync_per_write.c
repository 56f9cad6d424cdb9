/* Every rank writes a journal that must survive a crash.
 *
 *   before  fsync after every 4 KiB entry
 *   after   64 KiB requests, one fsync at the end
 */
#include "answer.h"

enum { ENTRY_BYTES = 4096, ENTRY_WORDS = ENTRY_BYTES / 8, ENTRIES_PER_REQUEST = 16 };

int main(int argc, char **argv)
{
    start(argc, argv, "before after");
    uint64_t entries = scaled(32);
    uint64_t first = (uint64_t)run.rank * entries * ENTRY_WORDS;
    uint64_t *words = new_words(entries * ENTRY_WORDS);
    fill_words(words, first, entries * ENTRY_WORDS);
    add_result(words, first, entries * ENTRY_WORDS);
    uint64_t per_request = is_variant("before") ? 1 : ENTRIES_PER_REQUEST;
    counts_all_of(POSIX);
    begin_io();
    int fd = count_open(POSIX, open(in_dir("journal.%d", run.rank).text, O_CREAT | O_WRONLY, 0644));
    for (uint64_t k = 0; k < entries; k += per_request) {
        uint64_t now = entries - k < per_request ? entries - k : per_request;
        count_write(POSIX, write(fd, words + k * ENTRY_WORDS, now * ENTRY_BYTES));
        if (is_variant("before"))
            count_done(POSIX, syncs, fsync(fd));
    }
    if (is_variant("after"))
        count_done(POSIX, syncs, fsync(fd));
    count_done(POSIX, closes, close(fd));
    wait_for_all();
    end_io();
    free(words);
    for (int rank = 0; rank < run.nprocs; rank++) {
        char name[32];
        snprintf(name, sizeof name, "journal.%d", rank);
        add_result_file(name, 0, entries * ENTRY_BYTES);
    }
    if (is_variant("before"))
        expect("fsync-per-write", "an fsync after every write; sync once per checkpoint");
    else
        expect("none", "one fsync per file");
    finish("fsync_per_write");
}
