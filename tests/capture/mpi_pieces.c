/* Every rank writes requests of many large pieces independently, in turn with the others:
 *   mpi_pieces FILE REQUESTS */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 256 << 10, PIECES = 16 };

int main(int count, char **arguments)
{
    MPI_Init(&count, &arguments);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Datatype pieces, request;
    MPI_Type_vector(PIECES, PIECE, PIECE * ranks, MPI_BYTE, &pieces);
    MPI_Type_create_resized(pieces, 0, (MPI_Aint)PIECE * PIECES * ranks, &request);
    MPI_Type_commit(&request);
    MPI_File file;
    if (MPI_File_open(MPI_COMM_WORLD, arguments[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file))
        return 1;
    MPI_File_set_view(file, (MPI_Offset)rank * PIECE, MPI_BYTE, request, "native", MPI_INFO_NULL);
    char *data = malloc((size_t)PIECE * PIECES);
    memset(data, 'a' + rank, (size_t)PIECE * PIECES);
    for (long i = 0; i < atol(arguments[2]); i++)
        MPI_File_write(file, data, PIECE * PIECES, MPI_BYTE, MPI_STATUS_IGNORE);
    free(data);
    MPI_File_close(&file);
    MPI_Type_free(&request);
    MPI_Type_free(&pieces);
    MPI_Finalize();
    return 0;
}
