/* Every rank needs the same table of constants.
 *
 *   before  every rank reads the whole file, three times, in 64 KiB requests
 *   after   rank 0 reads it once and broadcasts it
 */
#include "answer.h"

enum { REQUEST_BYTES = 1 << 16, PASSES = 3 };

static void read_table(uint64_t *table, uint64_t bytes)
{
    int fd = count_open(POSIX, open(in_dir("constants.dat").text, O_RDONLY));
    for (uint64_t done = 0; done < bytes; done += REQUEST_BYTES)
        count_read(POSIX, pread(fd, (char *)table + done, REQUEST_BYTES, (off_t)done));
    count_done(POSIX, closes, close(fd));
}

int main(int argc, char **argv)
{
    start(argc, argv, "before after");
    uint64_t bytes = scaled(64) * REQUEST_BYTES;
    if (run.rank == 0)
        raw_input(in_dir("constants.dat").text, 0, bytes / 8);
    uint64_t *table = new_words(bytes / 8);
    counts_all_of(POSIX);
    begin_io();
    if (is_variant("before")) {
        for (int pass = 0; pass < PASSES; pass++)
            read_table(table, bytes);
    } else {
        if (run.rank == 0)
            read_table(table, bytes);
        MPI_Bcast(table, (int)(bytes / 8), MPI_UINT64_T, 0, MPI_COMM_WORLD);
    }
    end_io();
    /* All ranks hold all of it: each vouches for the words that are its turn. */
    for (uint64_t word = (uint64_t)run.rank; word < bytes / 8; word += (uint64_t)run.nprocs)
        add_result(table + word, word, 1);
    free(table);
    add_result_file("constants.dat", 0, bytes);
    add_fact("times_read", is_variant("before") ? (double)PASSES * run.nprocs : 1);
    if (is_variant("before"))
        expect("redundant-reads", "all ranks read the same bytes, repeatedly; read once and broadcast");
    else
        expect("none", "each byte is read once");
    finish("redundant_reads");
}
