/* Ranks write columns of an array with blockio, which chooses how:  blockio_blocks FILE */
#define BLOCKIO_WITH_MPI
#include <blockio.h>

#include <stdio.h>

enum { SIDE = 64 };

int main(int argc, char **argv)
{
    int rank, ranks;
    static double values[SIDE * SIDE];
    blockio_array array = {.dims = 2, .shape = {SIDE, SIDE}};
    blockio_block block = {.count = {SIDE}};
    blockio_file *file;
    blockio_plan *plan;
    blockio_error error;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    blockio_divide(SIDE, ranks, rank, &block.start[1], &block.count[1]);
    if (argc != 2 || blockio_open_mpi(MPI_COMM_WORLD, argv[1], BLOCKIO_CREATE, NULL, &file, &error) ||
        blockio_plan_blocks(file, &array, &block, 1, &plan, &error) || blockio_write(file, plan, values, &error)) {
        fprintf(stderr, "%s\n", error.text);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    if (rank == 0)
        puts(blockio_note(plan, BLOCKIO_WRITING));
    blockio_plan_free(&plan);
    blockio_close(&file, NULL);
    MPI_Finalize();
    return 0;
}
