/* Each rank writes large contiguous blocks of a checkpoint with collective calls.
 *
 *   before  a hint sends all blocks to one aggregator, which writes for all
 *   after   without hints: each rank writes its blocks itself
 */
#include "mpiio.h"

enum { BLOCK_WORDS = 1 << 20, BLOCK_BYTES = BLOCK_WORDS * 8 };

int main(int argc, char **argv)
{
    start(argc, argv, "before after");
    uint64_t blocks = scaled(2);
    uint64_t *mine = new_words(BLOCK_WORDS);
    MPI_Info hints = MPI_INFO_NULL;
    if (is_variant("before")) {
        MPI_Info_create(&hints);
        MPI_Info_set(hints, "romio_cb_write", "enable");
        MPI_Info_set(hints, "cb_nodes", "1");
    }
    begin_io();
    MPI_File file;
    count_mpi_open(MPI_File_open(MPI_COMM_WORLD, in_dir("state.dat").text, MPI_MODE_CREATE | MPI_MODE_WRONLY,
                                 hints, &file));
    for (uint64_t block = 0; block < blocks; block++) {
        MPI_Status status;
        uint64_t place = block * (uint64_t)run.nprocs + (uint64_t)run.rank;
        fill_words(mine, place * BLOCK_WORDS, BLOCK_WORDS);
        add_result(mine, place * BLOCK_WORDS, BLOCK_WORDS);
        MPI_Offset offset = (MPI_Offset)(place * BLOCK_BYTES);
        count_mpi_write(MPI_File_write_at_all(file, offset, mine, BLOCK_BYTES, MPI_BYTE, &status), &status,
                        COLLECTIVE);
    }
    count_mpi_close(MPI_File_close(&file));
    end_io();
    if (hints != MPI_INFO_NULL)
        MPI_Info_free(&hints);
    free(mine);
    add_result_file("state.dat", 0, blocks * (uint64_t)run.nprocs * BLOCK_BYTES);
    add_fact("request_bytes", BLOCK_BYTES);
    if (is_variant("before"))
        expect("forced-buffering", "a hint sends large contiguous blocks to one aggregator; leave it out");
    else
        expect("none", "each rank writes its large contiguous blocks itself");
    finish("forced_buffering");
}
