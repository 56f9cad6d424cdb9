/* What a recorder of messages may stumble over: threads, cancelled and persistent requests,
 * inter-communicators, thousands of communicators, empty and unused arguments. Prints "done". */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, ranks, provided;

static void *in_thread(void *argument)
{
    MPI_Comm *own = argument;
    int value = 0, other = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
    for (int i = 0; i < 500; i++) {
        MPI_Sendrecv(&rank, 1, MPI_INT, other, 0, &value, 1, MPI_INT, before, 0, *own, MPI_STATUS_IGNORE);
        MPI_Barrier(*own);
    }
    return NULL;
}

static void threads(void)
{
    MPI_Comm own[2];
    pthread_t thread;
    MPI_Comm_dup(MPI_COMM_WORLD, &own[0]);
    MPI_Comm_dup(MPI_COMM_WORLD, &own[1]);
    pthread_create(&thread, NULL, in_thread, &own[0]);
    in_thread(&own[1]);
    pthread_join(thread, NULL);
    MPI_Comm_free(&own[0]);
    MPI_Comm_free(&own[1]);
}

static void requests(void)
{
    int value = 0, flag;
    MPI_Request request;
    MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE); /* MPI_REQUEST_NULL by now */
    MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE);
    MPI_Isend(&rank, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
    MPI_Request pair[2];
    MPI_Send_init(&rank, 1, MPI_INT, (rank + 1) % ranks, 5, MPI_COMM_WORLD, &pair[0]);
    MPI_Recv_init(&value, 1, MPI_INT, (rank + ranks - 1) % ranks, 5, MPI_COMM_WORLD, &pair[1]);
    for (int i = 0; i < 100; i++) {
        MPI_Startall(2, pair);
        MPI_Waitall(2, pair, MPI_STATUSES_IGNORE);
    }
    MPI_Request_free(&pair[0]);
    MPI_Request_free(&pair[1]);
    MPI_Request many[200];
    for (int i = 0; i < 100; i++) {
        MPI_Irecv(&value, 1, MPI_INT, (rank + ranks - 1) % ranks, i, MPI_COMM_WORLD, &many[i]);
        MPI_Isend(&rank, 1, MPI_INT, (rank + 1) % ranks, i, MPI_COMM_WORLD, &many[100 + i]);
    }
    int index, done, indices[200];
    MPI_Waitany(200, many, &index, MPI_STATUS_IGNORE);
    MPI_Waitsome(200, many, &done, indices, MPI_STATUSES_IGNORE);
    do
        MPI_Testall(200, many, &flag, MPI_STATUSES_IGNORE);
    while (!flag);
}

static void communicators(void)
{
    for (int i = 0; i < 3000; i++) {
        MPI_Comm one;
        MPI_Comm_split(MPI_COMM_WORLD, i % 3 == 0 ? MPI_UNDEFINED : rank % 2, rank, &one);
        if (one != MPI_COMM_NULL)
            MPI_Comm_free(&one);
    }
    MPI_Comm half, between, merged;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 1, &between);
    int value = rank;
    MPI_Bcast(&value, 1, MPI_INT, rank % 2 == 0 ? (rank == 0 ? MPI_ROOT : MPI_PROC_NULL) : 0, between);
    MPI_Barrier(between);
    MPI_Intercomm_merge(between, rank % 2, &merged);
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM, merged);
    MPI_Comm_free(&merged);
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);
}

static void in_place(void)
{
    int *all = calloc((size_t)ranks * 2, sizeof *all), *counts = malloc((size_t)ranks * sizeof *counts);
    int *places = malloc((size_t)ranks * sizeof *places);
    for (int i = 0; i < ranks; i++)
        counts[i] = 2, places[i] = 2 * i;
    /* What is not significant may be anything. */
    if (rank == 0) {
        MPI_Gather(MPI_IN_PLACE, -1, MPI_DATATYPE_NULL, all, 2, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Gatherv(MPI_IN_PLACE, -1, MPI_DATATYPE_NULL, all, counts, places, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Scatter(all, 2, MPI_INT, MPI_IN_PLACE, -1, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
        MPI_Scatterv(all, counts, places, MPI_INT, MPI_IN_PLACE, -1, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
    } else {
        MPI_Gather(all, 2, MPI_INT, NULL, -1, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
        MPI_Gatherv(all, 2, MPI_INT, NULL, NULL, NULL, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
        MPI_Scatter(NULL, -1, MPI_DATATYPE_NULL, all, 2, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Scatterv(NULL, NULL, NULL, MPI_DATATYPE_NULL, all, 2, MPI_INT, 0, MPI_COMM_WORLD);
    }
    MPI_Allgather(MPI_IN_PLACE, -1, MPI_DATATYPE_NULL, all, 2, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgatherv(MPI_IN_PLACE, -1, MPI_DATATYPE_NULL, all, counts, places, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoall(MPI_IN_PLACE, -1, MPI_DATATYPE_NULL, all, 2, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, all, counts, places, MPI_INT, MPI_COMM_WORLD);
    free(all), free(counts), free(places);
}

static void errors(void)
{
    int value = 0;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (MPI_Send(&value, 1, MPI_INT, ranks + 7, 0, MPI_COMM_WORLD) == MPI_SUCCESS ||
        MPI_Bcast(&value, 1, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD) == MPI_SUCCESS)
        printf("no error?\n");
}

int main(int count, char **arguments)
{
    MPI_Init_thread(&count, &arguments, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    requests();
    communicators();
    in_place();
    if (provided == MPI_THREAD_MULTIPLE)
        threads();
    errors();
    MPI_Finalize();
    if (rank == 0)
        printf("done\n");
    return 0;
}
