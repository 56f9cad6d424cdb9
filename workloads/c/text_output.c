/* Every rank saves a list of numbers.
 *
 *   before  as text, one fprintf per number
 *   after   as binary words, in writes of 1 MiB
 */
#include "answer.h"

enum { REQUEST_WORDS = 1 << 17 };

static void write_text(const uint64_t *words, uint64_t count_words)
{
    FILE *file = fopen(in_dir("numbers.%d.txt", run.rank).text, "w");
    require(file != NULL, "fopen");
    count(STDIO, opens, 1);
    for (uint64_t i = 0; i < count_words; i++)
        count_write(STDIO, fprintf(file, "%llu\n", (unsigned long long)words[i]));
    count_done(STDIO, closes, fclose(file));
}

static void write_binary(const uint64_t *words, uint64_t count_words)
{
    int fd = count_open(POSIX, open(in_dir("numbers.%d", run.rank).text, O_CREAT | O_WRONLY, 0644));
    for (uint64_t done = 0; done < count_words; done += REQUEST_WORDS) {
        uint64_t now = count_words - done < REQUEST_WORDS ? count_words - done : REQUEST_WORDS;
        count_write(POSIX, write(fd, words + done, now * 8));
    }
    count_done(POSIX, closes, close(fd));
}

int main(int argc, char **argv)
{
    start(argc, argv, "before after");
    uint64_t numbers = scaled(50000), first = (uint64_t)run.rank * numbers;
    uint64_t *words = new_words(numbers);
    fill_words(words, first, numbers);
    add_result(words, first, numbers);
    counts_all_of(is_variant("before") ? STDIO : POSIX);
    begin_io();
    if (is_variant("before"))
        write_text(words, numbers);
    else
        write_binary(words, numbers);
    wait_for_all();
    end_io();
    free(words);
    for (int rank = 0; rank < run.nprocs; rank++) {
        char name[32];
        snprintf(name, sizeof name, is_variant("before") ? "numbers.%d.txt" : "numbers.%d", rank);
        if (is_variant("before"))
            add_file(name);
        else
            add_result_file(name, 0, numbers * 8);
    }
    if (is_variant("before"))
        expect("text-output", "all data are formatted as text through stdio; write binary");
    else
        expect("none", "binary data in large writes");
    finish("text_output");
}
