/* A field that is spread over the ranks is saved.
 *
 *   before  rank 0 gathers piece by piece and writes everything
 *   after   every rank writes its own part to its place in the file
 */
#include "answer.h"

enum { REQUEST_BYTES = 1 << 20, REQUEST_WORDS = REQUEST_BYTES / 8 };

static void write_part(int fd, const uint64_t *part, uint64_t at_byte)
{
    count_write(POSIX, pwrite(fd, part, REQUEST_BYTES, (off_t)at_byte));
}

static void gather_and_write(int fd, const uint64_t *mine, uint64_t requests)
{
    uint64_t *received = new_words(REQUEST_WORDS);
    for (int rank = 0; rank < run.nprocs; rank++) {
        for (uint64_t k = 0; k < requests; k++) {
            if (rank == 0 && run.rank == 0) {
                write_part(fd, mine + k * REQUEST_WORDS, k * REQUEST_BYTES);
            } else if (run.rank == 0) {
                MPI_Recv(received, REQUEST_WORDS, MPI_UINT64_T, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                write_part(fd, received, ((uint64_t)rank * requests + k) * REQUEST_BYTES);
            } else if (run.rank == rank) {
                MPI_Send(mine + k * REQUEST_WORDS, REQUEST_WORDS, MPI_UINT64_T, 0, 0, MPI_COMM_WORLD);
            }
        }
    }
    free(received);
}

int main(int argc, char **argv)
{
    start(argc, argv, "before after");
    uint64_t requests = scaled(8), words = requests * REQUEST_WORDS;
    uint64_t first = (uint64_t)run.rank * words;
    uint64_t *mine = new_words(words);
    fill_words(mine, first, words);
    add_result(mine, first, words);
    counts_all_of(POSIX);
    begin_io();
    int fd = -1;
    if (run.rank == 0 || is_variant("after"))
        fd = count_open(POSIX, open(in_dir("field.dat").text, O_CREAT | O_WRONLY, 0644));
    if (is_variant("before")) {
        gather_and_write(fd, mine, requests);
    } else {
        for (uint64_t k = 0; k < requests; k++)
            write_part(fd, mine + k * REQUEST_WORDS, first * 8 + k * REQUEST_BYTES);
    }
    if (fd >= 0)
        count_done(POSIX, closes, close(fd));
    wait_for_all();
    end_io();
    free(mine);
    add_result_file("field.dat", 0, words * (uint64_t)run.nprocs * 8);
    if (is_variant("before"))
        expect("rank-0-only", "rank 0 writes all bytes while the others wait; let every rank write its part");
    else
        expect("none", "every rank writes an equal part in large requests");
    finish("rank0_writes");
}
