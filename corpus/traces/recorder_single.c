/* One rank, a loop in a loop: rules of the grammar that hold rules. */
#include <fcntl.h>
#include <mpi.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    char block[1000];
    memset(block, 'x', sizeof block);
    int fd = open("loops.dat", O_CREAT | O_RDWR | O_TRUNC, 0644);
    for (int i = 0; i < 50; i++) {
        lseek(fd, i * 4000, SEEK_SET);
        for (int j = 0; j < 3; j++)
            if (write(fd, block, 1000) != 1000) return 1;
        if (pread(fd, block, 500, i * 4000) != 500) return 1;
    }
    fsync(fd);
    close(fd);
    MPI_Finalize();
    return 0;
}
