/* What the traces tmio_ranks.json and tmio_lines.jsonl are of; two ranks. With -DFLUSH it is
 * linked with TMIO and writes its trace in two parts, as JSON lines. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#ifdef FLUSH
void iotrace_summary(void);
#else
#define iotrace_summary()
#endif

int main(int count, char **words)
{
    MPI_Init(&count, &words);
    int rank, size = 100000;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char *first = malloc(size), *second = malloc(size);
    memset(first, 1, size);
    memset(second, 2, size);
    MPI_File file;
    MPI_Request requests[2];
    MPI_Status status[2];
    MPI_File_open(MPI_COMM_WORLD, "shared.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    for (int i = 0; i < 5 - rank; i++)
        MPI_File_write_at(file, (MPI_Offset)(2 * i + rank) * size, first, size, MPI_BYTE, status);
    iotrace_summary();
    MPI_File_iwrite_at(file, (MPI_Offset)(20 + rank) * size, first, size, MPI_BYTE, &requests[0]);
    MPI_File_iwrite_at(file, (MPI_Offset)(30 + rank) * size, second, size / 2, MPI_BYTE, &requests[1]);
    MPI_Waitall(2, requests, status);
    for (int i = 0; i < 3; i++)
        MPI_File_read_at_all(file, (MPI_Offset)(2 * i + rank) * size, first, size / 2, MPI_BYTE, status);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
