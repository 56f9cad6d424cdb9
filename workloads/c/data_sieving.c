/* Ranks write short pieces with gaps between them, through a file view.
 *
 *   before    independent calls: ROMIO reads a large block, changes the pieces
 *             in it and writes it back, so a program that only writes also reads
 *   unsieved  the same without sieving: each piece is a request of its own
 *   after     collective calls: the pieces of all ranks close each other's gaps
 * Other MPI-IO implementations (OMPIO of Open MPI) do not sieve writes.
 */
#include "mpiio.h"

enum { PIECE_WORDS = 128, PIECE_BYTES = PIECE_WORDS * 8, PIECES_PER_CALL = 32 };

/* The pieces of a rank are every nprocs-th one of the file. */
static uint64_t first_word(uint64_t piece)
{
    return (piece * (uint64_t)run.nprocs + (uint64_t)run.rank) * PIECE_WORDS;
}

int main(int argc, char **argv)
{
    start(argc, argv, "before unsieved after");
    uint64_t pieces = scaled(8) * PIECES_PER_CALL;
    uint64_t *mine = new_words(pieces * PIECE_WORDS);
    for (uint64_t piece = 0; piece < pieces; piece++) {
        fill_words(mine + piece * PIECE_WORDS, first_word(piece), PIECE_WORDS);
        add_result(mine + piece * PIECE_WORDS, first_word(piece), PIECE_WORDS);
    }
    MPI_Info hints;
    MPI_Info_create(&hints);
    MPI_Info_set(hints, "romio_ds_write", is_variant("before") ? "enable" : "disable");
    MPI_Datatype every_nth;
    MPI_Type_vector((int)pieces, PIECE_BYTES, PIECE_BYTES * run.nprocs, MPI_BYTE, &every_nth);
    MPI_Type_commit(&every_nth);
    begin_io();
    MPI_File file;
    count_mpi_open(MPI_File_open(MPI_COMM_WORLD, in_dir("pieces.dat").text, MPI_MODE_CREATE | MPI_MODE_RDWR,
                                 hints, &file));
    count_mpi_view(
        MPI_File_set_view(file, (MPI_Offset)run.rank * PIECE_BYTES, MPI_BYTE, every_nth, "native", hints));
    for (uint64_t piece = 0; piece < pieces; piece += PIECES_PER_CALL) {
        MPI_Status status;
        const uint64_t *from = mine + piece * PIECE_WORDS;
        int bytes = PIECES_PER_CALL * PIECE_BYTES;
        if (is_variant("after"))
            count_mpi_write(MPI_File_write_all(file, from, bytes, MPI_BYTE, &status), &status, COLLECTIVE);
        else
            count_mpi_write(MPI_File_write(file, from, bytes, MPI_BYTE, &status), &status, INDEPENDENT);
    }
    count_mpi_close(MPI_File_close(&file));
    end_io();
    MPI_Type_free(&every_nth);
    MPI_Info_free(&hints);
    free(mine);
    add_result_file("pieces.dat", 0, pieces * PIECE_BYTES * (uint64_t)run.nprocs);
    if (is_variant("before"))
        expect("data-sieving",
               "a program that only writes also reads: read-modify-write of blocks; write collectively");
    else if (is_variant("unsieved"))
        expect("small-independent-requests",
               "each piece of 1 KiB is a request; collective writes would join them");
    else
        expect("none", "collective writes; nothing is read");
    finish("data_sieving");
}
