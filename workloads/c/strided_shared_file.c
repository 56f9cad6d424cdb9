/* Ranks write the rows of a table in turn: 24,000 B of each row belong to a rank.
 *
 *   before      one independent request per piece: small, strided, shared
 *   collective  the same pieces as one file view and collective calls, with
 *               the library's own choice of hints
 *   unmerged    collective with hints that turn collective buffering and data sieving off
 *   after       collective with hints: collective buffering on, data sieving off
 */
#include "mpiio.h"

enum { PIECE_WORDS = 3000, PIECE_BYTES = PIECE_WORDS * 8, ROWS_PER_CALL = 16 };

static void write_pieces(MPI_File file, const uint64_t *mine, uint64_t rows)
{
    for (uint64_t row = 0; row < rows; row++) {
        MPI_Status status;
        MPI_Offset offset = (MPI_Offset)((row * (uint64_t)run.nprocs + (uint64_t)run.rank) * PIECE_BYTES);
        count_mpi_write(
            MPI_File_write_at(file, offset, mine + row * PIECE_WORDS, PIECE_BYTES, MPI_BYTE, &status),
            &status, INDEPENDENT);
    }
    /* A contiguous independent request reaches the file system as it is. */
    predict_bytes_written(rows * PIECE_BYTES);
}

static void write_view(MPI_File file, const uint64_t *mine, uint64_t rows)
{
    MPI_Datatype column;
    MPI_Type_vector((int)rows, PIECE_BYTES, PIECE_BYTES * run.nprocs, MPI_BYTE, &column);
    MPI_Type_commit(&column);
    count_mpi_view(MPI_File_set_view(file, (MPI_Offset)run.rank * PIECE_BYTES, MPI_BYTE, column, "native",
                                     MPI_INFO_NULL));
    for (uint64_t row = 0; row < rows; row += ROWS_PER_CALL) {
        MPI_Status status;
        uint64_t now = rows - row < ROWS_PER_CALL ? rows - row : ROWS_PER_CALL;
        count_mpi_write(
            MPI_File_write_all(file, mine + row * PIECE_WORDS, (int)(now * PIECE_BYTES), MPI_BYTE, &status),
            &status, COLLECTIVE);
    }
    MPI_Type_free(&column);
}

int main(int argc, char **argv)
{
    start(argc, argv, "before collective unmerged after");
    uint64_t rows = scaled(64);
    uint64_t *mine = new_words(rows * PIECE_WORDS);
    for (uint64_t row = 0; row < rows; row++) {
        uint64_t first = (row * (uint64_t)run.nprocs + (uint64_t)run.rank) * PIECE_WORDS;
        fill_words(mine + row * PIECE_WORDS, first, PIECE_WORDS);
        add_result(mine + row * PIECE_WORDS, first, PIECE_WORDS);
    }
    MPI_Info hints = MPI_INFO_NULL;
    if (is_variant("after")) {
        MPI_Info_create(&hints);
        MPI_Info_set(hints, "romio_cb_write", "enable");
        MPI_Info_set(hints, "romio_ds_write", "disable");
        MPI_Info_set(hints, "cb_nodes", "1");
        MPI_Info_set(hints, "cb_buffer_size", "4194304");
    }
    if (is_variant("unmerged")) {
        MPI_Info_create(&hints);
        MPI_Info_set(hints, "romio_cb_write", "disable");
        MPI_Info_set(hints, "romio_ds_write", "disable");
    }
    begin_io();
    MPI_File file;
    count_mpi_open(MPI_File_open(MPI_COMM_WORLD, in_dir("table.dat").text, MPI_MODE_CREATE | MPI_MODE_WRONLY,
                                 hints, &file));
    if (is_variant("before"))
        write_pieces(file, mine, rows);
    else
        write_view(file, mine, rows);
    count_mpi_close(MPI_File_close(&file));
    end_io();
    if (hints != MPI_INFO_NULL)
        MPI_Info_free(&hints);
    free(mine);
    add_result_file("table.dat", 0, rows * (uint64_t)run.nprocs * PIECE_BYTES);
    add_fact("request_bytes", PIECE_BYTES);
    if (is_variant("before"))
        expect("small-independent-requests",
               "small strided independent writes to a shared file; use a file view and collective writes");
    else if (is_variant("unmerged"))
        expect("collective-buffering-off", "hints keep collective writes in small pieces; leave them out");
    else
        expect("none", "collective writes; few large requests reach the file system");
    finish("strided_shared_file");
}
