/* Ranks append records of some kibibytes to one file.
 *
 *   before  with the shared file pointer: each call locks it, reads it, moves it
 *   after   each rank knows its offset from a prefix sum, and writes collectively
 *
 * With the shared pointer records come in the order of the calls, so each one
 * names its place; the result is the sum over records, whatever their order.
 */
#include "mpiio.h"

enum { RECORD_WORDS = 512, RECORD_BYTES = RECORD_WORDS * 8 };

static void write_at_shared_pointer(MPI_File file, const uint64_t *mine, uint64_t records)
{
    for (uint64_t k = 0; k < records; k++) {
        MPI_Status status;
        count_mpi_write(MPI_File_write_shared(file, mine + k * RECORD_WORDS, RECORD_BYTES, MPI_BYTE, &status),
                        &status, INDEPENDENT);
    }
}

static void write_at_own_offset(MPI_File file, const uint64_t *mine, uint64_t records)
{
    uint64_t bytes = records * RECORD_BYTES, before = 0;
    require_mpi(MPI_Exscan(&bytes, &before, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD), "MPI_Exscan");
    if (run.rank == 0)
        before = 0; /* MPI_Exscan leaves it undefined there */
    MPI_Status status;
    count_mpi_write(MPI_File_write_at_all(file, (MPI_Offset)before, mine, (int)bytes, MPI_BYTE, &status), &status,
                    COLLECTIVE);
}

int main(int argc, char **argv)
{
    start(argc, argv, "before after");
    uint64_t records = scaled(100);
    uint64_t *mine = new_words(records * RECORD_WORDS);
    for (uint64_t k = 0; k < records; k++) {
        uint64_t first = ((uint64_t)run.rank * records + k) * RECORD_WORDS;
        fill_words(mine + k * RECORD_WORDS, first, RECORD_WORDS);
        add_result(mine + k * RECORD_WORDS, first, RECORD_WORDS);
    }
    begin_io();
    MPI_File file;
    count_mpi_open(MPI_File_open(MPI_COMM_WORLD, in_dir("records.dat").text, MPI_MODE_CREATE | MPI_MODE_WRONLY,
                                 MPI_INFO_NULL, &file));
    if (is_variant("before"))
        write_at_shared_pointer(file, mine, records);
    else
        write_at_own_offset(file, mine, records);
    count_mpi_close(MPI_File_close(&file));
    end_io();
    free(mine);
    add_file("records.dat");
    add_fact("record_bytes", RECORD_BYTES);
    if (is_variant("before"))
        expect("shared-file-pointer",
               "all ranks append with one shared pointer; a prefix sum of sizes gives each rank its offset");
    else
        expect("none", "one collective call with explicit offsets");
    finish("shared_pointer");
}
