/* Ten patterns of waiting between three ranks, in the order of the lines of main, each with a delay
 * of DELAY on one rank. Prints what rank 1 did, by function: calls and bytes of its own part.
 *
 *     messages        the patterns
 *     messages many   a million small messages between ranks 0 and 1
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int rank, ranks;
static char buffer[1 << 20];

static void late(int who)
{
    struct timespec delay = {.tv_nsec = 300 * 1000 * 1000};
    if (rank == who)
        nanosleep(&delay, NULL);
}

static void together(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

static void point_to_point(void)
{
    late(1); /* late sender */
    if (rank == 1)
        MPI_Send(buffer, 100, MPI_CHAR, 0, 7, MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Recv(buffer, 100, MPI_CHAR, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    together();
    late(0); /* late receiver: too much to be buffered */
    if (rank == 1)
        MPI_Ssend(buffer, sizeof buffer, MPI_CHAR, 0, 8, MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Recv(buffer, sizeof buffer, MPI_CHAR, 1, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    together();
    MPI_Request requests[2]; /* a wait for the left neighbour, which is late */
    MPI_Irecv(buffer, 1, MPI_INT, (rank + ranks - 1) % ranks, 9, MPI_COMM_WORLD, &requests[0]);
    late(0);
    MPI_Isend(buffer + 64, 1, MPI_INT, (rank + 1) % ranks, 9, MPI_COMM_WORLD, &requests[1]);
    MPI_Status statuses[2];
    MPI_Waitall(2, requests, statuses);
    together();
    if (rank == 0)
        late(0), MPI_Send(buffer, 1, MPI_INT, 1, 10, MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_Probe(0, 10, MPI_COMM_WORLD, &statuses[0]);
        MPI_Recv(buffer, 1, MPI_INT, 0, 10, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    together();
}

static void collective(MPI_Comm pair)
{
    late(2);
    MPI_Barrier(MPI_COMM_WORLD);
    late(0);
    MPI_Bcast(buffer, 1000, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    together();
    late(1);
    MPI_Reduce(rank == 0 ? MPI_IN_PLACE : buffer, buffer + 65536, 10, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    together();
    late(1);
    MPI_Allreduce(MPI_IN_PLACE, buffer, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    late(1);
    MPI_Alltoall(buffer, 5, MPI_INT, buffer + 65536, 5, MPI_INT, MPI_COMM_WORLD);
    if (pair != MPI_COMM_NULL) {
        late(1);
        MPI_Allgather(buffer, 2, MPI_INT, buffer + 65536, 2, MPI_INT, pair);
    }
    MPI_Request request;
    late(0);
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void window(void)
{
    MPI_Win memory;
    MPI_Win_create(buffer, 1000, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory);
    late(2);
    MPI_Win_fence(0, memory);
    MPI_Win_free(&memory);
}

static void many(void)
{
    for (int i = 0; i < 1000000; i++) {
        if (rank == 0)
            MPI_Send(buffer, 8, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
        if (rank == 1)
            MPI_Recv(buffer, 8, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

int main(int count, char **arguments)
{
    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (count > 1 && strcmp(arguments[1], "many") == 0) {
        many();
    } else {
        MPI_Comm pair;
        MPI_Comm_split(MPI_COMM_WORLD, rank < 2 ? 0 : MPI_UNDEFINED, rank, &pair);
        point_to_point();
        collective(pair);
        window();
        if (pair != MPI_COMM_NULL)
            MPI_Comm_free(&pair);
    }
    MPI_Finalize();
    return 0;
}
