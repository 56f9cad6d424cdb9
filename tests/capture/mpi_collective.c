/* Every rank writes small pieces collectively, in turn with the others, and rank 0 says what
 * the hint romio_cb_write is:  mpi_collective FILE CALLS */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 4096 };

int main(int count, char **arguments)
{
    MPI_Init(&count, &arguments);
    int rank, ranks, is_set = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    static char piece[PIECE];
    memset(piece, 'a' + rank, sizeof piece);
    MPI_File file;
    if (MPI_File_open(MPI_COMM_WORLD, arguments[1], MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file))
        return 1;
    for (long i = 0; i < atol(arguments[2]); i++)
        MPI_File_write_at_all(file, ((MPI_Offset)i * ranks + rank) * PIECE, piece, PIECE, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_Info hints;
    MPI_File_get_info(file, &hints);
    char value[MPI_MAX_INFO_VAL + 1] = "none";
    MPI_Info_get(hints, "romio_cb_write", MPI_MAX_INFO_VAL, value, &is_set);
    if (rank == 0)
        puts(value);
    MPI_Info_free(&hints);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
