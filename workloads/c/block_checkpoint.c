/* Checkpoints of a field that is divided into blocks, as combustion codes such as S3D write them:
 * a shared file, in it the field with all blocks in their places.
 *
 *   before  each rank writes the rows of its block one by one, independently
 *   after   all ranks write their blocks by one collective call on a subarray
 */
#include "mpiio.h"

enum { STEPS = 4, ROWS = 64, ROW_WORDS = 64, ROW_BYTES = ROW_WORDS * 8 };

/* Ranks lie side by side in the last dimension: a row of the field has a row of each. */
static void write_rows(MPI_File file, MPI_Offset start, const uint64_t *block, uint64_t planes)
{
    for (uint64_t row = 0; row < planes * ROWS; row++) {
        MPI_Status status;
        MPI_Offset offset = start + (MPI_Offset)((row * (uint64_t)run.nprocs + (uint64_t)run.rank) * ROW_BYTES);
        count_mpi_write(MPI_File_write_at(file, offset, block + row * ROW_WORDS, ROW_BYTES, MPI_BYTE, &status),
                        &status, INDEPENDENT);
    }
    predict_bytes_written(planes * ROWS * ROW_BYTES);
}

static void write_block(MPI_File file, MPI_Offset start, const uint64_t *block, int planes)
{
    int whole[3] = {planes, ROWS, ROW_WORDS * run.nprocs};
    int part[3] = {planes, ROWS, ROW_WORDS}, from[3] = {0, 0, ROW_WORDS * run.rank};
    MPI_Datatype place;
    MPI_Type_create_subarray(3, whole, part, from, MPI_ORDER_C, MPI_UINT64_T, &place);
    MPI_Type_commit(&place);
    count_mpi_view(MPI_File_set_view(file, start, MPI_UINT64_T, place, "native", MPI_INFO_NULL));
    MPI_Status status;
    count_mpi_write(MPI_File_write_all(file, block, planes * ROWS * ROW_WORDS, MPI_UINT64_T, &status), &status,
                    COLLECTIVE);
    MPI_Type_free(&place);
}

int main(int argc, char **argv)
{
    start(argc, argv, "before after");
    uint64_t planes = scaled(8), rows = planes * ROWS, words = rows * ROW_WORDS;
    uint64_t bytes = words * (uint64_t)run.nprocs * 8;
    uint64_t *block = new_words(words);
    begin_io();
    MPI_File file;
    count_mpi_open(MPI_File_open(MPI_COMM_WORLD, in_dir("field.dat").text, MPI_MODE_CREATE | MPI_MODE_WRONLY,
                                 MPI_INFO_NULL, &file));
    for (uint64_t step = 0; step < STEPS; step++) {
        for (uint64_t row = 0; row < rows; row++) {
            uint64_t first = ((step * rows + row) * (uint64_t)run.nprocs + (uint64_t)run.rank) * ROW_WORDS;
            fill_words(block + row * ROW_WORDS, first, ROW_WORDS);
            add_result(block + row * ROW_WORDS, first, ROW_WORDS);
        }
        if (is_variant("before"))
            write_rows(file, (MPI_Offset)(step * bytes), block, planes);
        else
            write_block(file, (MPI_Offset)(step * bytes), block, (int)planes);
    }
    count_mpi_close(MPI_File_close(&file));
    end_io();
    free(block);
    add_result_file("field.dat", 0, bytes * STEPS);
    add_fact("row_bytes", ROW_BYTES);
    if (is_variant("before"))
        expect("small-independent-requests", "rows of 512 bytes are written one by one; write blocks collectively");
    else
        expect("none", "one collective write of a subarray per step");
    finish("block_checkpoint");
}
