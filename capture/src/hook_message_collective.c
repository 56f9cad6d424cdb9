/* Collective calls on data, blocking and not. `bytes`: this rank's own part. */
#include "hook_message.h"

/* What a rank sends; with MPI_IN_PLACE that lies where it receives, and the other
 * arguments say nothing. */
#define PART(sent, sent_count, sent_type, count, type)                                                                 \
    facts.bytes = diya_message_is_in_place(sent) ? diya_message_bytes(error, count, type, message.caller)              \
                                                 : diya_message_bytes(error, sent_count, sent_type, message.caller)

/* The sum of counts, one for each rank. */
static int64_t sum_int(const int *counts, uint32_t ranks)
{
    int64_t sum = 0;
    for (uint32_t i = 0; counts != NULL && i < ranks; i++)
        sum += counts[i];
    return sum;
}

static int64_t sum_int64_t(const int64_t *counts, uint32_t ranks)
{
    int64_t sum = 0;
    for (uint32_t i = 0; counts != NULL && i < ranks; i++)
        sum += counts[i];
    return sum;
}
#define ALL(number, counts) (error == 0 ? sum_##number(counts, diya_communicator_size(comm, message.caller)) : 0)
#define ALL_EQUAL(count) ((int64_t)(count) * (error == 0 ? diya_communicator_size(comm, message.caller) : 0))

/* Makes MPI_X, MPI_X_c, MPI_Ix and MPI_Ix_c. A shape is given the end of the parameters and of the
 * arguments, and what to do at the end. */
#define KINDS(shape, X, Ix, KEY, IKEY)                                                                                 \
    shape(X, int, int, KEY, , , END) shape(X##_c, int64_t, intptr_t, KEY, , , END) shape(                              \
        Ix, int, int, IKEY, REQUEST_PARAMETER, REQUEST_ARGUMENT, END_BEGUN(DIYA_ROLE_COLLECTIVE, false, request))      \
        shape(Ix##_c, int64_t, intptr_t, IKEY, REQUEST_PARAMETER, REQUEST_ARGUMENT,                                    \
              END_BEGUN(DIYA_ROLE_COLLECTIVE, false, request))
#define REQUEST_PARAMETER , void *request
#define REQUEST_ARGUMENT , request

MESSAGE(MPI_Barrier, MPI_BARRIER, (uintptr_t comm), (comm), ON_ALL(comm), END)
MESSAGE(MPI_Ibarrier, MPI_IBARRIER, (uintptr_t comm, void *request), (comm, request), ON_ALL(comm),
        END_BEGUN(DIYA_ROLE_COLLECTIVE, false, request))

#define BCAST(name, number, large, KEY, parameter, argument, end)                                                      \
    MESSAGE(name, KEY, (void *buffer, number count, uintptr_t type, int root, uintptr_t comm parameter),               \
            (buffer, count, type, root, comm argument), ON_ALL(comm), PEER(root), BYTES(count, type), end)
KINDS(BCAST, MPI_Bcast, MPI_Ibcast, MPI_BCAST, MPI_IBCAST)

#define GATHER(name, number, large, KEY, parameter, argument, end)                                                     \
    MESSAGE(name, KEY,                                                                                                 \
            (const void *sent, number sent_count, uintptr_t sent_type, void *received, number count, uintptr_t type,   \
             int root, uintptr_t comm parameter),                                                                      \
            (sent, sent_count, sent_type, received, count, type, root, comm argument), ON_ALL(comm), PEER(root),       \
            PART(sent, sent_count, sent_type, count, type), end)
KINDS(GATHER, MPI_Gather, MPI_Igather, MPI_GATHER, MPI_IGATHER)

#define GATHERV(name, number, large, KEY, parameter, argument, end)                                                    \
    MESSAGE(name, KEY,                                                                                                 \
            (const void *sent, number sent_count, uintptr_t sent_type, void *received, const number *counts,           \
             const large *places, uintptr_t type, int root, uintptr_t comm parameter),                                 \
            (sent, sent_count, sent_type, received, counts, places, type, root, comm argument), ON_ALL(comm),          \
            PEER(root), PART(sent, sent_count, sent_type, 0, type), end)
KINDS(GATHERV, MPI_Gatherv, MPI_Igatherv, MPI_GATHERV, MPI_IGATHERV)

/* The receive buffer of the root may be MPI_IN_PLACE. */
#define SCATTER(name, number, large, KEY, parameter, argument, end)                                                    \
    MESSAGE(name, KEY,                                                                                                 \
            (const void *sent, number sent_count, uintptr_t sent_type, void *received, number count, uintptr_t type,   \
             int root, uintptr_t comm parameter),                                                                      \
            (sent, sent_count, sent_type, received, count, type, root, comm argument), ON_ALL(comm), PEER(root),       \
            PART(received, count, type, sent_count, sent_type), end)
KINDS(SCATTER, MPI_Scatter, MPI_Iscatter, MPI_SCATTER, MPI_ISCATTER)

#define SCATTERV(name, number, large, KEY, parameter, argument, end)                                                   \
    MESSAGE(name, KEY,                                                                                                 \
            (const void *sent, const number *counts, const large *places, uintptr_t sent_type, void *received,         \
             number count, uintptr_t type, int root, uintptr_t comm parameter),                                        \
            (sent, counts, places, sent_type, received, count, type, root, comm argument), ON_ALL(comm), PEER(root),   \
            PART(received, count, type, 0, type), end)
KINDS(SCATTERV, MPI_Scatterv, MPI_Iscatterv, MPI_SCATTERV, MPI_ISCATTERV)

#define REDUCE(name, number, large, KEY, parameter, argument, end)                                                     \
    MESSAGE(name, KEY,                                                                                                 \
            (const void *sent, void *received, number count, uintptr_t type, uintptr_t operation, int root,            \
             uintptr_t comm parameter),                                                                                \
            (sent, received, count, type, operation, root, comm argument), ON_ALL(comm), PEER(root),                   \
            BYTES(count, type), end)
KINDS(REDUCE, MPI_Reduce, MPI_Ireduce, MPI_REDUCE, MPI_IREDUCE)

#define ALLREDUCE(name, number, large, KEY, parameter, argument, end)                                                  \
    MESSAGE(name, KEY,                                                                                                 \
            (const void *sent, void *received, number count, uintptr_t type, uintptr_t operation,                      \
             uintptr_t comm parameter),                                                                                \
            (sent, received, count, type, operation, comm argument), ON_ALL(comm), BYTES(count, type), end)
KINDS(ALLREDUCE, MPI_Allreduce, MPI_Iallreduce, MPI_ALLREDUCE, MPI_IALLREDUCE)
KINDS(ALLREDUCE, MPI_Scan, MPI_Iscan, MPI_SCAN, MPI_ISCAN)
KINDS(ALLREDUCE, MPI_Exscan, MPI_Iexscan, MPI_EXSCAN, MPI_IEXSCAN)

#define REDUCE_BLOCK(name, number, large, KEY, parameter, argument, end)                                               \
    MESSAGE(name, KEY,                                                                                                 \
            (const void *sent, void *received, number count, uintptr_t type, uintptr_t operation,                      \
             uintptr_t comm parameter),                                                                                \
            (sent, received, count, type, operation, comm argument), ON_ALL(comm), BYTES(ALL_EQUAL(count), type), end)
KINDS(REDUCE_BLOCK, MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block, MPI_REDUCE_SCATTER_BLOCK,
      MPI_IREDUCE_SCATTER_BLOCK)

#define REDUCE_SCATTER(name, number, large, KEY, parameter, argument, end)                                             \
    MESSAGE(name, KEY,                                                                                                 \
            (const void *sent, void *received, const number *counts, uintptr_t type, uintptr_t operation,              \
             uintptr_t comm parameter),                                                                                \
            (sent, received, counts, type, operation, comm argument), ON_ALL(comm), BYTES(ALL(number, counts), type),  \
            end)
KINDS(REDUCE_SCATTER, MPI_Reduce_scatter, MPI_Ireduce_scatter, MPI_REDUCE_SCATTER, MPI_IREDUCE_SCATTER)

#define ALLGATHER(name, number, large, KEY, parameter, argument, end)                                                  \
    MESSAGE(name, KEY,                                                                                                 \
            (const void *sent, number sent_count, uintptr_t sent_type, void *received, number count, uintptr_t type,   \
             uintptr_t comm parameter),                                                                                \
            (sent, sent_count, sent_type, received, count, type, comm argument), ON_ALL(comm),                         \
            PART(sent, sent_count, sent_type, count, type), end)
KINDS(ALLGATHER, MPI_Allgather, MPI_Iallgather, MPI_ALLGATHER, MPI_IALLGATHER)

#define ALLGATHERV(name, number, large, KEY, parameter, argument, end)                                                 \
    MESSAGE(name, KEY,                                                                                                 \
            (const void *sent, number sent_count, uintptr_t sent_type, void *received, const number *counts,           \
             const large *places, uintptr_t type, uintptr_t comm parameter),                                           \
            (sent, sent_count, sent_type, received, counts, places, type, comm argument), ON_ALL(comm),                \
            PART(sent, sent_count, sent_type, 0, type), end)
KINDS(ALLGATHERV, MPI_Allgatherv, MPI_Iallgatherv, MPI_ALLGATHERV, MPI_IALLGATHERV)

#define ALLTOALL(name, number, large, KEY, parameter, argument, end)                                                   \
    MESSAGE(name, KEY,                                                                                                 \
            (const void *sent, number sent_count, uintptr_t sent_type, void *received, number count, uintptr_t type,   \
             uintptr_t comm parameter),                                                                                \
            (sent, sent_count, sent_type, received, count, type, comm argument), ON_ALL(comm),                         \
            PART(sent, ALL_EQUAL(sent_count), sent_type, ALL_EQUAL(count), type), end)
KINDS(ALLTOALL, MPI_Alltoall, MPI_Ialltoall, MPI_ALLTOALL, MPI_IALLTOALL)

#define ALLTOALLV(name, number, large, KEY, parameter, argument, end)                                                  \
    MESSAGE(name, KEY,                                                                                                 \
            (const void *sent, const number *sent_counts, const large *sent_places, uintptr_t sent_type,               \
             void *received, const number *counts, const large *places, uintptr_t type, uintptr_t comm parameter),     \
            (sent, sent_counts, sent_places, sent_type, received, counts, places, type, comm argument), ON_ALL(comm),  \
            PART(sent, ALL(number, sent_counts), sent_type, ALL(number, counts), type), end)
KINDS(ALLTOALLV, MPI_Alltoallv, MPI_Ialltoallv, MPI_ALLTOALLV, MPI_IALLTOALLV)

/* One type for each rank: the bytes are not added up. */
#define ALLTOALLW(name, number, large, KEY, parameter, argument, end)                                                  \
    MESSAGE(name, KEY,                                                                                                 \
            (const void *sent, const number *sent_counts, const large *sent_places, const void *sent_types,            \
             void *received, const number *counts, const large *places, const void *types, uintptr_t comm parameter),  \
            (sent, sent_counts, sent_places, sent_types, received, counts, places, types, comm argument),              \
            ON_ALL(comm), end)
KINDS(ALLTOALLW, MPI_Alltoallw, MPI_Ialltoallw, MPI_ALLTOALLW, MPI_IALLTOALLW)

/* --- neighbours of a topology ------------------------------------------------------------- */

#define NEIGHBOUR(name, number, large, KEY)                                                                            \
    MESSAGE(name, KEY,                                                                                                 \
            (const void *sent, number sent_count, uintptr_t sent_type, void *received, number count, uintptr_t type,   \
             uintptr_t comm),                                                                                          \
            (sent, sent_count, sent_type, received, count, type, comm), ON_ALL(comm), BYTES(sent_count, sent_type),    \
            END)
MESSAGE_COUNTS(NEIGHBOUR, MPI_Neighbor_allgather, MPI_NEIGHBOR_ALLGATHER)
MESSAGE_COUNTS(NEIGHBOUR, MPI_Neighbor_alltoall, MPI_NEIGHBOR_ALLTOALL)

#define NEIGHBOUR_GATHERV(name, number, large, KEY)                                                                    \
    MESSAGE(name, KEY,                                                                                                 \
            (const void *sent, number sent_count, uintptr_t sent_type, void *received, const number *counts,           \
             const large *places, uintptr_t type, uintptr_t comm),                                                     \
            (sent, sent_count, sent_type, received, counts, places, type, comm), ON_ALL(comm),                         \
            BYTES(sent_count, sent_type), END)
MESSAGE_COUNTS(NEIGHBOUR_GATHERV, MPI_Neighbor_allgatherv, MPI_NEIGHBOR_ALLGATHERV)

#define NEIGHBOUR_V(name, number, large, KEY)                                                                          \
    MESSAGE(name, KEY,                                                                                                 \
            (const void *sent, const number *sent_counts, const large *sent_places, uintptr_t sent_type,               \
             void *received, const number *counts, const large *places, uintptr_t type, uintptr_t comm),               \
            (sent, sent_counts, sent_places, sent_type, received, counts, places, type, comm), ON_ALL(comm), END)
MESSAGE_COUNTS(NEIGHBOUR_V, MPI_Neighbor_alltoallv, MPI_NEIGHBOR_ALLTOALLV)

/* Its places are addresses in both sizes. */
#define NEIGHBOUR_W(name, number, large, KEY)                                                                          \
    MESSAGE(name, KEY,                                                                                                 \
            (const void *sent, const number *sent_counts, const intptr_t *sent_places, const void *sent_types,         \
             void *received, const number *counts, const intptr_t *places, const void *types, uintptr_t comm),         \
            (sent, sent_counts, sent_places, sent_types, received, counts, places, types, comm), ON_ALL(comm), END)
MESSAGE_COUNTS(NEIGHBOUR_W, MPI_Neighbor_alltoallw, MPI_NEIGHBOR_ALLTOALLW)
