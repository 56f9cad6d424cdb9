/* Makes a trace of Recorder with many calls: one rank writes and reads records of one file, half of
   them one after the other, half at places that follow no pattern. */
#include <fcntl.h>
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    long calls = argc > 2 ? atol(argv[2]) : 1000000;
    char block[64] = {0};
    int fd = open(argv[1], O_CREAT | O_RDWR | O_TRUNC, 0644);
    unsigned state = 1;
    int failed = fd < 0;
    for (long call = 0; call < calls / 2; call++)
        failed |= write(fd, block, sizeof block) != sizeof block;
    for (long call = calls / 2; call < calls; call++) {
        state = state * 1664525 + 1013904223;
        off_t place = (off_t)(state >> 12) % (calls / 2) * (off_t)sizeof block;
        failed |= pread(fd, block, sizeof block, place) != sizeof block;
    }
    close(fd);
    unlink(argv[1]);
    MPI_Finalize();
    return failed;
}
