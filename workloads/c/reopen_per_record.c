/* Every rank adds records to a log of its own.
 *
 *   before  opens the file anew for each record, appends, closes
 *   after   opens once, collects the records of 64 KiB, closes at the end
 */
#include "answer.h"

enum { RECORD_WORDS = 64, RECORD_BYTES = RECORD_WORDS * 8, BUFFER_RECORDS = 128 };

int main(int argc, char **argv)
{
    start(argc, argv, "before after");
    uint64_t records = scaled(400), first = (uint64_t)run.rank * records * RECORD_WORDS;
    uint64_t *words = new_words(records * RECORD_WORDS);
    fill_words(words, first, records * RECORD_WORDS);
    add_result(words, first, records * RECORD_WORDS);
    struct path path = in_dir("log.%d", run.rank);
    uint64_t per_request = is_variant("before") ? 1 : BUFFER_RECORDS;
    int fd = -1;
    counts_all_of(POSIX);
    begin_io();
    for (uint64_t k = 0; k < records; k += per_request) {
        uint64_t now = records - k < per_request ? records - k : per_request;
        if (fd < 0)
            fd = count_open(POSIX, open(path.text, O_CREAT | O_WRONLY | O_APPEND, 0644));
        count_write(POSIX, write(fd, words + k * RECORD_WORDS, now * RECORD_BYTES));
        if (is_variant("before") || k + now == records) {
            count_done(POSIX, closes, close(fd));
            fd = -1;
        }
    }
    wait_for_all();
    end_io();
    free(words);
    for (int rank = 0; rank < run.nprocs; rank++) {
        char name[32];
        snprintf(name, sizeof name, "log.%d", rank);
        add_result_file(name, 0, records * RECORD_BYTES);
    }
    if (is_variant("before"))
        expect("metadata-load", "the same file is opened once per record; keep it open");
    else
        expect("none", "one open per file, records in requests of 64 KiB");
    finish("reopen_per_record");
}
