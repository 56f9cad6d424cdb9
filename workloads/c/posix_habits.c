/* A serial program keeps a table of records, with and without habits that cost time.
 *
 *   before  for each record: locks the file, lets it grow by a record, maps and
 *           unmaps what it has, asks for a flag file, and hands the record from one
 *           step to the next through a temporary file
 *   after   one size, one mapping, one question; the record stays in memory
 */
#include "answer.h"

#include <sys/mman.h>

enum {
    RECORD_WORDS = 512,
    RECORD_BYTES = RECORD_WORDS * 8,
    LOCKS = 40,
    SIZES = 8,
    MAPS = 16,
    QUESTIONS = 80
};

static void set_lock(int fd, short type)
{
    struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = 0, .l_len = RECORD_BYTES};
    require(fcntl(fd, F_SETLKW, &lock) == 0, "fcntl");
}

/* The largest size is asked for last: each step lets the file grow a little. */
static void grow(int fd, uint64_t record)
{
    for (int k = 1; k <= SIZES; k++)
        require(ftruncate(fd, (off_t)(record * RECORD_BYTES + (uint64_t)k * RECORD_BYTES / SIZES)) == 0, "ftruncate");
}

static void map_record(int fd, uint64_t record)
{
    for (int k = 0; k < MAPS; k++) {
        void *words = mmap(NULL, RECORD_BYTES, PROT_READ, MAP_SHARED, fd, (off_t)(record * RECORD_BYTES));
        require(words != MAP_FAILED, "mmap");
        count(POSIX, maps, 1);
        require(munmap(words, RECORD_BYTES) == 0, "munmap");
    }
}

static void ask(const char *flag)
{
    struct stat status;
    for (int k = 0; k < QUESTIONS; k++)
        count_done(POSIX, stats, stat(flag, &status));
}

/* Writes the record to a file of its own, reads it back, removes the file. */
static void pass_on(uint64_t record, uint64_t *words)
{
    struct path path = in_dir("step.%llu", (unsigned long long)record);
    int fd = count_open(POSIX, open(path.text, O_CREAT | O_RDWR | O_TRUNC, 0644));
    count_write(POSIX, pwrite(fd, words, RECORD_BYTES, 0));
    count_read(POSIX, pread(fd, words, RECORD_BYTES, 0));
    count_done(POSIX, closes, close(fd));
    require(unlink(path.text) == 0, "unlink");
}

int main(int argc, char **argv)
{
    start(argc, argv, "before after");
    uint64_t records = scaled(4000);
    uint64_t *words = new_words(records * RECORD_WORDS);
    fill_words(words, 0, records * RECORD_WORDS);
    add_result(words, 0, records * RECORD_WORDS);
    struct path flag = in_dir("flag");
    raw_input(flag.text, 0, 1);
    begin_io();
    int fd = count_open(POSIX, open(in_dir("table.dat").text, O_CREAT | O_RDWR | O_TRUNC, 0644));
    for (uint64_t k = 0; k < records && is_variant("before"); k++) {
        uint64_t *record = words + k * RECORD_WORDS;
        pass_on(k, record);
        ask(flag.text);
        for (int lock = 0; lock < LOCKS; lock++) {
            set_lock(fd, F_WRLCK);
            set_lock(fd, F_UNLCK);
        }
        grow(fd, k);
        count_write(POSIX, pwrite(fd, record, RECORD_BYTES, (off_t)(k * RECORD_BYTES)));
        map_record(fd, k);
    }
    if (is_variant("after"))
        count_write(POSIX, pwrite(fd, words, records * RECORD_BYTES, 0));
    count_done(POSIX, closes, close(fd));
    end_io();
    free(words);
    add_file("flag");
    add_result_file("table.dat", 0, records * RECORD_BYTES);
    if (is_variant("before"))
        expect("metadata-load", "locks, sizes, mappings, questions and temporary files for each record");
    else
        expect("none", "the table is written once");
    finish("posix_habits");
}
