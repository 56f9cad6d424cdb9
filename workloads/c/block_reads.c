/* A cube of cells is read in blocks: each rank needs one slab of each plane.
 *
 *   before   serialized: one rank after another reads its rows, one by one
 *   grouped  one rank of each pair reads for both and hands over
 *   after    all ranks read their block by one collective call on a subarray
 */
#include "mpiio.h"

struct cube {
    int planes, rows, cells;    /* whole cube; a cell is one word */
    int first_cell, cells_here; /* this rank's slab of each row */
};

static void read_rows(MPI_File file, const struct cube *cube, int rank, uint64_t *block)
{
    int lines = cube->planes * cube->rows;
    for (int line = 0; line < lines; line++) {
        MPI_Status status;
        MPI_Offset offset = ((MPI_Offset)line * cube->cells + (MPI_Offset)rank * cube->cells_here) * 8;
        count_mpi_read(MPI_File_read_at(file, offset, block + (size_t)line * (size_t)cube->cells_here,
                                        cube->cells_here * 8, MPI_BYTE, &status),
                       &status, INDEPENDENT);
    }
}

static void read_in_turn(MPI_File file, const struct cube *cube, uint64_t *block)
{
    for (int turn = 0; turn < run.nprocs; turn++) {
        if (turn == run.rank)
            read_rows(file, cube, run.rank, block);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

static void read_in_groups(MPI_File file, const struct cube *cube, uint64_t *block, int words)
{
    int partner = run.rank ^ 1;
    if (run.rank % 2 == 1) {
        MPI_Recv(block, words, MPI_UINT64_T, partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        return;
    }
    if (partner < run.nprocs) {
        read_rows(file, cube, partner, block);
        MPI_Send(block, words, MPI_UINT64_T, partner, 0, MPI_COMM_WORLD);
    }
    read_rows(file, cube, run.rank, block);
}

static void read_together(MPI_File file, const struct cube *cube, uint64_t *block, int words)
{
    int whole[3] = {cube->planes, cube->rows, cube->cells};
    int part[3] = {cube->planes, cube->rows, cube->cells_here};
    int from[3] = {0, 0, cube->first_cell};
    MPI_Datatype slab;
    MPI_Type_create_subarray(3, whole, part, from, MPI_ORDER_C, MPI_UINT64_T, &slab);
    MPI_Type_commit(&slab);
    count_mpi_view(MPI_File_set_view(file, 0, MPI_UINT64_T, slab, "native", MPI_INFO_NULL));
    MPI_Status status;
    count_mpi_read(MPI_File_read_all(file, block, words, MPI_UINT64_T, &status), &status, COLLECTIVE);
    MPI_Type_free(&slab);
}

int main(int argc, char **argv)
{
    start(argc, argv, "before grouped after");
    struct cube cube = {.planes = (int)scaled(8), .rows = 64, .cells_here = 256};
    cube.cells = cube.cells_here * run.nprocs;
    cube.first_cell = cube.cells_here * run.rank;
    uint64_t lines = (uint64_t)cube.planes * (uint64_t)cube.rows;
    uint64_t words = lines * (uint64_t)cube.cells_here;
    if (run.rank == 0)
        raw_input(in_dir("cube.dat").text, 0, words * (uint64_t)run.nprocs);
    uint64_t *block = new_words(words);
    begin_io();
    MPI_File file;
    count_mpi_open(
        MPI_File_open(MPI_COMM_WORLD, in_dir("cube.dat").text, MPI_MODE_RDONLY, MPI_INFO_NULL, &file));
    if (is_variant("before"))
        read_in_turn(file, &cube, block);
    else if (is_variant("grouped"))
        read_in_groups(file, &cube, block, (int)words);
    else
        read_together(file, &cube, block, (int)words);
    count_mpi_close(MPI_File_close(&file));
    end_io();
    for (uint64_t line = 0; line < lines; line++)
        add_result(block + line * (uint64_t)cube.cells_here,
                   line * (uint64_t)cube.cells + (uint64_t)cube.first_cell, (uint64_t)cube.cells_here);
    free(block);
    add_result_file("cube.dat", 0, words * (uint64_t)run.nprocs * 8);
    if (is_variant("before"))
        expect("serialized-reads",
               "ranks read one after another in small pieces; read the blocks collectively");
    else if (is_variant("grouped"))
        expect("small-independent-requests", "half of the ranks read all data in small pieces");
    else
        expect("none", "one collective read of a subarray per rank");
    finish("block_reads");
}
