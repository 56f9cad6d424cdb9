/* Checksum of what lies on disk, for run.py.
 *
 * Reads lines "OFFSET BYTES PATH" from standard input: parts that, one after
 * another, are the words of a result from index 0 on. Prints the checksum that
 * pattern.h defines, as 16 hexadecimal digits.
 */
#include "pattern.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

enum { AT_ONCE = 1 << 15 };

struct sum {
    uint64_t next_index, checksum;
};

/* False when the file has no such part. */
static bool add_part(struct sum *sum, const char *path, long offset, uint64_t bytes, uint64_t *words)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return false;
    bool is_whole = fseek(file, offset, SEEK_SET) == 0;
    for (uint64_t left = bytes / 8; left > 0 && is_whole;) {
        uint64_t now = left < AT_ONCE ? left : AT_ONCE;
        is_whole = fread(words, 8, now, file) == now;
        sum->checksum += checksum_of(words, sum->next_index, now);
        sum->next_index += now;
        left -= now;
    }
    fclose(file);
    return is_whole;
}

int main(void)
{
    uint64_t *words = new_words(AT_ONCE);
    struct sum sum = {0, 0};
    char path[4096];
    long offset;
    uint64_t bytes;
    while (scanf("%ld %" SCNu64 " %4095[^\n]", &offset, &bytes, path) == 3) {
        if (!add_part(&sum, path, offset, bytes, words)) {
            fprintf(stderr, "%s: not there, or shorter than the answer says\n", path);
            return 1;
        }
    }
    printf("%016" PRIx64 "\n", sum.checksum);
    free(words);
    return 0;
}
