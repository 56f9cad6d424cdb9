/* A serial program keeps scratch data in /dev/shm, which is memory.
 *
 *   before  asks for direct requests (O_DIRECT), and does without where the file system
 *           refuses them: either way the data do not leave the memory
 *   after   asks for none
 *
 * The scratch file is not below --dir, so the answer does not count its calls.
 */
#include "answer.h"

enum { REQUEST_BYTES = 1 << 20 };

static int open_scratch(const char *path)
{
    int flags = O_CREAT | O_RDWR | O_TRUNC;
    int fd = is_variant("before") ? open(path, flags | O_DIRECT, 0600) : -1;
    return fd >= 0 ? fd : open(path, flags, 0600);
}

int main(int argc, char **argv)
{
    start(argc, argv, "before after");
    uint64_t bytes = scaled(32) * REQUEST_BYTES;
    uint64_t *words = new_words(bytes / 8);
    fill_words(words, 0, bytes / 8);
    struct path path;
    snprintf(path.text, sizeof path.text, "/dev/shm/direct_in_memory.%d", (int)getpid());
    counts_all_of(POSIX);
    begin_io();
    int fd = open_scratch(path.text);
    require(fd >= 0, "open");
    require(unlink(path.text) == 0, "unlink");
    for (uint64_t at = 0; at < bytes; at += REQUEST_BYTES)
        require(pwrite(fd, (char *)words + at, REQUEST_BYTES, (off_t)at) == REQUEST_BYTES, "pwrite");
    memset(words, 0, bytes);
    for (uint64_t at = 0; at < bytes; at += REQUEST_BYTES)
        require(pread(fd, (char *)words + at, REQUEST_BYTES, (off_t)at) == REQUEST_BYTES, "pread");
    require(close(fd) == 0, "close");
    end_io();
    add_result(words, 0, bytes / 8);
    free(words);
    if (is_variant("before"))
        expect("direct-io-from-memory", "direct requests to a file system in memory; leave out O_DIRECT");
    else
        expect("none", "requests to memory, as such");
    finish("direct_in_memory");
}
