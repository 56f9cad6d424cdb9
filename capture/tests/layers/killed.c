/* Every rank makes the same number of small writes; then all are killed.
 * Arguments: file, writes. */
#define _GNU_SOURCE
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    MPI_File file;
    int rank, writes = argc > 2 ? atoi(argv[2]) : 0;
    char block[8] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    for (int i = 0; i < writes; i++)
        MPI_File_write_at(file, ((MPI_Offset)rank * writes + i) * 8, block, 8, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    kill(getpid(), SIGKILL);
    return 0;
}
