/* A serial program writes a file past the page cache (O_DIRECT).
 *
 *   before  in requests of 4 KiB, each of which waits for the device
 *   large   in requests of 4 MiB: as fast as the device
 *   after   in requests of 4 MiB through the page cache
 */
#include "answer.h"

enum { SMALL_BYTES = 4096, LARGE_BYTES = 4 << 20 };

int main(int argc, char **argv)
{
    start(argc, argv, "before large after");
    uint64_t bytes = scaled(4) * LARGE_BYTES;
    uint64_t *words = new_words(bytes / 8);
    fill_words(words, 0, bytes / 8);
    add_result(words, 0, bytes / 8);
    counts_all_of(POSIX);
    uint64_t request = is_variant("before") ? SMALL_BYTES : LARGE_BYTES;
    int flags = O_CREAT | O_WRONLY | O_TRUNC | (is_variant("after") ? 0 : O_DIRECT);
    begin_io();
    int fd = count_open(POSIX, open(in_dir("direct.dat").text, flags, 0644));
    for (uint64_t at = 0; at < bytes; at += request)
        count_write(POSIX, pwrite(fd, (char *)words + at, request, (off_t)at));
    count_done(POSIX, closes, close(fd));
    end_io();
    free(words);
    add_result_file("direct.dat", 0, bytes);
    if (is_variant("before"))
        expect("direct-io", "direct requests of 4 KiB; write through the page cache, or in larger requests");
    else
        expect("none", "large requests");
    finish("direct_requests");
}
