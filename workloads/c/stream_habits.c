/* A serial program keeps a table of records and a list of numbers in C streams.
 *
 *   before  reads, seeks back and writes one record after another; each number is
 *           formatted as text
 *   after   one read and one write of all records; the numbers are written as they are
 */
#include "answer.h"

enum { RECORD_WORDS = 8, RECORD_BYTES = RECORD_WORDS * 8 };

/* A stream has to be moved between reading and writing. */
static void update_in_place(FILE *table, uint64_t records)
{
    uint64_t record[RECORD_WORDS];
    for (uint64_t k = 0; k < records; k++) {
        count_read(STDIO, (int64_t)fread(record, 1, RECORD_BYTES, table));
        count_done(STDIO, seeks, fseek(table, -(long)RECORD_BYTES, SEEK_CUR));
        count_write(STDIO, (int64_t)fwrite(record, 1, RECORD_BYTES, table));
        count_done(STDIO, seeks, fseek(table, 0, SEEK_CUR));
    }
}

static void update_at_once(FILE *table, uint64_t *words, uint64_t records)
{
    count_read(STDIO, (int64_t)fread(words, 1, records * RECORD_BYTES, table));
    count_done(STDIO, seeks, fseek(table, 0, SEEK_SET));
    count_write(STDIO, (int64_t)fwrite(words, 1, records * RECORD_BYTES, table));
}

static FILE *open_stream(const char *name, const char *mode)
{
    FILE *stream = fopen(in_dir("%s", name).text, mode);
    require(stream != NULL, "fopen");
    count(STDIO, opens, 1);
    return stream;
}

static void list_numbers(const uint64_t *words, uint64_t numbers)
{
    bool is_text = is_variant("before");
    FILE *list = open_stream(is_text ? "numbers.txt" : "numbers.dat", "w");
    for (uint64_t k = 0; k < numbers && is_text; k++)
        count_write(STDIO, fprintf(list, "%.17g\n", (double)words[k]));
    if (!is_text)
        count_write(STDIO, (int64_t)fwrite(words, 1, numbers * sizeof *words, list));
    count_done(STDIO, closes, fclose(list));
}

int main(int argc, char **argv)
{
    start(argc, argv, "before after");
    uint64_t records = scaled(100000), all = records * RECORD_WORDS;
    uint64_t *words = new_words(all);
    fill_words(words, 0, all);
    add_result(words, 0, all);
    raw_input(in_dir("table.dat").text, 0, all);
    begin_io();
    FILE *table = open_stream("table.dat", "r+");
    if (is_variant("before"))
        update_in_place(table, records);
    else
        update_at_once(table, words, records);
    count_done(STDIO, closes, fclose(table));
    list_numbers(words, records * 2);
    end_io();
    free(words);
    add_result_file("table.dat", 0, all * 8);
    add_file(is_variant("before") ? "numbers.txt" : "numbers.dat");
    if (is_variant("before"))
        expect("stream-habits", "a seek at each turn between reading and writing; numbers as text");
    else
        expect("none", "all records and all numbers at once");
    finish("stream_habits");
}
