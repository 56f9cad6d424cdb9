/* Openings by all ranks, by each alone, and of a file that is not there; a read
 * beyond the end whose status is ignored.
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
    static char data[256];
    failed |= MPI_File_write_at(file, 0, data, 100, MPI_CHAR, MPI_STATUS_IGNORE) != 0;
    failed |= MPI_File_read_at(file, 50, data, 256, MPI_CHAR, MPI_STATUS_IGNORE) != 0;
    failed |= MPI_File_close(&file) != 0;
    snprintf(path, sizeof path, "%s/missing", argv[1]);
    failed |= MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &file) == 0;
    MPI_Finalize();
    return failed;
}
