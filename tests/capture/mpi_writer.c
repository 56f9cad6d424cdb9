/* Every rank writes 8 bytes so many times to a file of its own, then kills
 * itself:  mpi_writer FILE CALLS */
#include <fcntl.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int count, char **arguments)
{
    MPI_Init(&count, &arguments);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char path[4096];
    snprintf(path, sizeof path, "%s.%d", arguments[1], rank);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    long calls = atol(arguments[2]);
    for (long i = 0; i < calls; i++)
        if (write(fd, "12345678", 8) != 8)
            return 1;
    /* The first death makes the launcher end the others. */
    MPI_Barrier(MPI_COMM_WORLD);
    kill(getpid(), SIGKILL);
    return 0;
}
