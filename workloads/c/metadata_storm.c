/* Every rank keeps many small objects.
 *
 *   before  one file for each: stat to see whether it is there, open, one
 *           write, close; then stat, open, read, close to use it again
 *   after   one container file for all, an object at a computed place
 */
#include "answer.h"

enum { OBJECT_WORDS = 128, OBJECT_BYTES = OBJECT_WORDS * 8 };

static void write_object_file(uint64_t object, const uint64_t *words)
{
    struct path path = in_dir("object.%llu", (unsigned long long)object);
    struct stat status;
    require(stat(path.text, &status) != 0, "object is there already");
    count(POSIX, stats, 1);
    int fd = count_open(POSIX, open(path.text, O_CREAT | O_WRONLY, 0644));
    count_write(POSIX, write(fd, words, OBJECT_BYTES));
    count_done(POSIX, closes, close(fd));
}

static void read_object_file(uint64_t object, uint64_t *words)
{
    struct path path = in_dir("object.%llu", (unsigned long long)object);
    struct stat status;
    count_done(POSIX, stats, stat(path.text, &status));
    int fd = count_open(POSIX, open(path.text, O_RDONLY));
    count_read(POSIX, read(fd, words, (size_t)status.st_size));
    count_done(POSIX, closes, close(fd));
}

/* The same objects in one file, a batch of them per request. */
static void use_container(uint64_t first, uint64_t objects, uint64_t *words)
{
    int fd = count_open(POSIX, open(in_dir("container.dat").text, O_CREAT | O_RDWR, 0644));
    for (uint64_t k = 0; k < objects; k++)
        fill_words(words + k * OBJECT_WORDS, (first + k) * OBJECT_WORDS, OBJECT_WORDS);
    count_write(POSIX, pwrite(fd, words, objects * OBJECT_BYTES, (off_t)(first * OBJECT_BYTES)));
    memset(words, 0, objects * OBJECT_BYTES);
    count_read(POSIX, pread(fd, words, objects * OBJECT_BYTES, (off_t)(first * OBJECT_BYTES)));
    count_done(POSIX, closes, close(fd));
    add_result(words, first * OBJECT_WORDS, objects * OBJECT_WORDS);
}

static void use_files(uint64_t first, uint64_t objects, uint64_t *words)
{
    for (uint64_t object = first; object < first + objects; object++) {
        fill_words(words, object * OBJECT_WORDS, OBJECT_WORDS);
        write_object_file(object, words);
    }
    memset(words, 0, OBJECT_BYTES);
    for (uint64_t object = first; object < first + objects; object++) {
        read_object_file(object, words);
        add_result(words, object * OBJECT_WORDS, OBJECT_WORDS);
    }
}

int main(int argc, char **argv)
{
    start(argc, argv, "before after");
    uint64_t objects = scaled(200), first = objects * (uint64_t)run.rank;
    uint64_t total = objects * (uint64_t)run.nprocs;
    uint64_t *words = new_words(objects * OBJECT_WORDS);
    counts_all_of(POSIX);
    begin_io();
    if (is_variant("before"))
        use_files(first, objects, words);
    else
        use_container(first, objects, words);
    wait_for_all();
    end_io();
    free(words);
    if (is_variant("before")) {
        for (uint64_t object = 0; object < total && run.rank == 0; object++) {
            char name[32];
            snprintf(name, sizeof name, "object.%llu", (unsigned long long)object);
            add_result_file(name, 0, OBJECT_BYTES);
        }
        expect("metadata-load", "a stat, an open and a close for every KiB; pack the objects into one file");
    } else {
        add_result_file("container.dat", 0, total * OBJECT_BYTES);
        expect("none", "one open per rank");
    }
    add_fact("files", is_variant("before") ? (double)total : 1);
    finish("metadata_storm");
}
