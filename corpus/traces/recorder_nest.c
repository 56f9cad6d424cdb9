/* Two or more ranks write one file with MPI-IO, and each reads and writes files of its own. */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    char block[4096];
    memset(block, 'a' + rank, sizeof block);

    /* 4 blocks of 4 KiB of each rank, interleaved; then all of them with one collective call. */
    MPI_File shared;
    MPI_File_open(MPI_COMM_WORLD, "shared.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &shared);
    for (int i = 0; i < 4; i++)
        MPI_File_write_at(shared, (MPI_Offset)(i * size + rank) * 4096, block, 4096, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_read_at_all(shared, (MPI_Offset)rank * 4096, block, 4096, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_close(&shared);

    /* 100 small records of 40 bytes one after the other, then 10 of them read back. */
    char name[64];
    sprintf(name, "own file %d.dat", rank);
    int fd = open(name, O_CREAT | O_RDWR | O_TRUNC, 0644);
    for (int i = 0; i < 100; i++)
        if (write(fd, block, 40) != 40) return 1;
    lseek(fd, 0, SEEK_SET);
    for (int i = 0; i < 10; i++)
        if (read(fd, block, 40) != 40) return 1;
    if (pwrite(fd, block, 512, 8192) != 512) return 1;
    close(fd);

    /* A read at the end of a file: 1000 bytes are asked for, 100 are there. */
    sprintf(name, "short%d.dat", rank);
    FILE *stream = fopen(name, "w");
    fwrite(block, 10, 10, stream);
    fclose(stream);
    fd = open(name, O_RDONLY);
    ssize_t got = read(fd, block, 1000);
    close(fd);
    fd = open("absent.dat", O_RDONLY);
    unlink(name);
    MPI_Finalize();
    return got == 100 && fd < 0 ? 0 : 1;
}
