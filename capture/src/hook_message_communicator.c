/* Communicators made and given up; windows of one-sided messages and their epochs. */
#include "hook_message.h"

/* The end of a call that all ranks of `comm` make, and that has made another one. */
#define MADE(made)                                                                                                     \
    diya_message_end(&message, error, &facts);                                                                         \
    if (error == 0)                                                                                                    \
    diya_communicator_made((uintptr_t)diya_message_written(made, message.caller), false, message.caller)

#define MAKES(name, KEY, parameters, arguments) MESSAGE(name, KEY, parameters, arguments, ON_ALL(comm); MADE(made))

MAKES(MPI_Comm_dup, MPI_COMM_DUP, (uintptr_t comm, void *made), (comm, made))
MAKES(MPI_Comm_dup_with_info, MPI_COMM_DUP_WITH_INFO, (uintptr_t comm, uintptr_t info, void *made), (comm, info, made))
MAKES(MPI_Comm_split, MPI_COMM_SPLIT, (uintptr_t comm, int color, int key, void *made), (comm, color, key, made))
MAKES(MPI_Comm_split_type, MPI_COMM_SPLIT_TYPE, (uintptr_t comm, int type, int key, uintptr_t info, void *made),
      (comm, type, key, info, made))
MAKES(MPI_Comm_create, MPI_COMM_CREATE, (uintptr_t comm, uintptr_t group, void *made), (comm, group, made))
MAKES(MPI_Cart_create, MPI_CART_CREATE,
      (uintptr_t comm, int dimensions, const int *sizes, const int *periods, int reorder, void *made),
      (comm, dimensions, sizes, periods, reorder, made))
MAKES(MPI_Cart_sub, MPI_CART_SUB, (uintptr_t comm, const int *kept, void *made), (comm, kept, made))
MAKES(MPI_Graph_create, MPI_GRAPH_CREATE,
      (uintptr_t comm, int nodes, const int *index, const int *edges, int reorder, void *made),
      (comm, nodes, index, edges, reorder, made))
MAKES(MPI_Dist_graph_create, MPI_DIST_GRAPH_CREATE,
      (uintptr_t comm, int number, const int *sources, const int *degrees, const int *targets, const int *weights,
       uintptr_t info, int reorder, void *made),
      (comm, number, sources, degrees, targets, weights, info, reorder, made))
MAKES(MPI_Dist_graph_create_adjacent, MPI_DIST_GRAPH_CREATE_ADJACENT,
      (uintptr_t comm, int in, const int *sources, const int *source_weights, int out, const int *targets,
       const int *target_weights, uintptr_t info, int reorder, void *made),
      (comm, in, sources, source_weights, out, targets, target_weights, info, reorder, made))
MAKES(MPI_Intercomm_merge, MPI_INTERCOMM_MERGE, (uintptr_t comm, int high, void *made), (comm, high, made))
MAKES(MPI_Comm_spawn, MPI_COMM_SPAWN,
      (const char *command, char **arguments, int number, uintptr_t info, int root, uintptr_t comm, void *made,
       int *errors),
      (command, arguments, number, info, root, comm, made, errors))
MAKES(MPI_Comm_spawn_multiple, MPI_COMM_SPAWN_MULTIPLE,
      (int count, char **commands, char ***arguments, const int *numbers, const void *infos, int root, uintptr_t comm,
       void *made, int *errors),
      (count, commands, arguments, numbers, infos, root, comm, made, errors))
MAKES(MPI_Comm_accept, MPI_COMM_ACCEPT, (const char *port, uintptr_t info, int root, uintptr_t comm, void *made),
      (port, info, root, comm, made))
MAKES(MPI_Comm_connect, MPI_COMM_CONNECT, (const char *port, uintptr_t info, int root, uintptr_t comm, void *made),
      (port, info, root, comm, made))

/* Not all ranks of `comm` take part. */
MESSAGE(MPI_Comm_create_group, MPI_COMM_CREATE_GROUP, (uintptr_t comm, uintptr_t group, int tag, void *made),
        (comm, group, tag, made), ON(comm);
        MADE(made))
MESSAGE(MPI_Intercomm_create, MPI_INTERCOMM_CREATE,
        (uintptr_t comm, int leader, uintptr_t between, int other_leader, int tag, void *made),
        (comm, leader, between, other_leader, tag, made), ON_ALL(comm);
        MADE(made))

/* The new one may be used when the request is completed: it is made known then. */
MESSAGE(MPI_Comm_idup, MPI_COMM_IDUP, (uintptr_t comm, void *made, void *request), (comm, made, request), ON_ALL(comm),
        END_BEGUN(DIYA_ROLE_COLLECTIVE, false, request))

/* What is given up has no handle afterwards. Also behind other hooks it is forgotten: its
 * handle may come again. */
#define GIVES_UP(name, KEY, is_window)                                                                                 \
    DIYA_EXPORT int name(void *handle)                                                                                 \
    {                                                                                                                  \
        __typeof__(&name) real = DIYA_LAYER_REAL(name, DIYA_CALLER);                                                   \
        struct diya_message message;                                                                                   \
        uintptr_t gone = (uintptr_t)diya_message_written(handle, DIYA_CALLER);                                         \
        struct diya_message_facts facts = DIYA_MESSAGE_FACTS(DIYA_M_##KEY);                                            \
        bool is_recorded = diya_message_begin(&message, DIYA_CALLER);                                                  \
        if (is_recorded)                                                                                               \
            facts.number = diya_communicator(gone, is_window, &facts.sequence, DIYA_CALLER);                           \
        int error = real(handle);                                                                                      \
        diya_communicator_forget(gone, is_window, DIYA_CALLER);                                                        \
        if (is_recorded)                                                                                               \
            diya_message_end(&message, error, &facts);                                                                 \
        return error;                                                                                                  \
    }
GIVES_UP(MPI_Comm_free, MPI_COMM_FREE, false)
GIVES_UP(MPI_Comm_disconnect, MPI_COMM_DISCONNECT, false)
GIVES_UP(MPI_Win_free, MPI_WIN_FREE, true)

/* --- one-sided messages --------------------------------------------------------------------- */

#define WINDOW_MADE(window)                                                                                            \
    ON_ALL(comm);                                                                                                      \
    diya_message_end(&message, error, &facts);                                                                         \
    if (error == 0)                                                                                                    \
    diya_communicator_made((uintptr_t)diya_message_written(window, message.caller), true, message.caller)

#define WINDOW(name, number, large, KEY)                                                                               \
    MESSAGE(name, KEY, (void *base, intptr_t size, large unit, uintptr_t info, uintptr_t comm, void *window),          \
            (base, size, unit, info, comm, window), facts.bytes = (uint64_t)size;                                      \
            WINDOW_MADE(window))
MESSAGE_COUNTS(WINDOW, MPI_Win_create, MPI_WIN_CREATE)

#define ALLOCATE(name, number, large, KEY)                                                                             \
    MESSAGE(name, KEY, (intptr_t size, large unit, uintptr_t info, uintptr_t comm, void *base, void *window),          \
            (size, unit, info, comm, base, window), facts.bytes = (uint64_t)size;                                      \
            WINDOW_MADE(window))
MESSAGE_COUNTS(ALLOCATE, MPI_Win_allocate, MPI_WIN_ALLOCATE)
MESSAGE_COUNTS(ALLOCATE, MPI_Win_allocate_shared, MPI_WIN_ALLOCATE_SHARED)
MESSAGE(MPI_Win_create_dynamic, MPI_WIN_CREATE_DYNAMIC, (uintptr_t info, uintptr_t comm, void *window),
        (info, comm, window), WINDOW_MADE(window))

#define ON_WINDOW(window) ON(window), facts.is_window = true
MESSAGE(MPI_Win_fence, MPI_WIN_FENCE, (int assertion, uintptr_t window), (assertion, window), ON_ALL(window),
        facts.is_window = true, END)
MESSAGE(MPI_Win_lock, MPI_WIN_LOCK, (int type, int rank, int assertion, uintptr_t window),
        (type, rank, assertion, window), ON_WINDOW(window), PEER(rank), END)
MESSAGE(MPI_Win_lock_all, MPI_WIN_LOCK_ALL, (int assertion, uintptr_t window), (assertion, window), ON_WINDOW(window),
        END)
MESSAGE(MPI_Win_start, MPI_WIN_START, (uintptr_t group, int assertion, uintptr_t window), (group, assertion, window),
        ON_WINDOW(window), END)
MESSAGE(MPI_Win_post, MPI_WIN_POST, (uintptr_t group, int assertion, uintptr_t window), (group, assertion, window),
        ON_WINDOW(window), END)

#define TOWARDS(name, KEY)                                                                                             \
    MESSAGE(name, KEY, (int rank, uintptr_t window), (rank, window), ON_WINDOW(window), PEER(rank), END)
TOWARDS(MPI_Win_unlock, MPI_WIN_UNLOCK)
TOWARDS(MPI_Win_flush, MPI_WIN_FLUSH)
TOWARDS(MPI_Win_flush_local, MPI_WIN_FLUSH_LOCAL)

#define TOWARDS_ALL(name, KEY) MESSAGE(name, KEY, (uintptr_t window), (window), ON_WINDOW(window), END)
TOWARDS_ALL(MPI_Win_unlock_all, MPI_WIN_UNLOCK_ALL)
TOWARDS_ALL(MPI_Win_flush_all, MPI_WIN_FLUSH_ALL)
TOWARDS_ALL(MPI_Win_flush_local_all, MPI_WIN_FLUSH_LOCAL_ALL)
TOWARDS_ALL(MPI_Win_complete, MPI_WIN_COMPLETE)
TOWARDS_ALL(MPI_Win_wait, MPI_WIN_WAIT)
