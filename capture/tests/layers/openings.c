/* Openings by all ranks, by each alone, and of a file that is not there.
 * Arguments: folder. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    char path[600];
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(path, sizeof path, "%s/together", argv[1]);
    int failed = MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file) != 0;
    failed |= MPI_File_close(&file) != 0;
    snprintf(path, sizeof path, "%s/alone%d", argv[1], rank);
    failed |= MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file) != 0;
    failed |= MPI_File_close(&file) != 0;
    snprintf(path, sizeof path, "%s/missing", argv[1]);
    failed |= MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &file) == 0;
    MPI_Finalize();
    return failed;
}
