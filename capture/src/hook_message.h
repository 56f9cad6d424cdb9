/* The hooks of messages: MPI_ here, PMPI_ by hook_pmpi.c. */
#ifndef DIYA_HOOK_MESSAGE_H
#define DIYA_HOOK_MESSAGE_H

#include "hook_message_call.h"

/* A hook; the last arguments are statements that fill `facts` in after the call. */
#define MESSAGE(name, KEY, parameters, arguments, ...)                                                                 \
    MESSAGE_TIMED(name, KEY, true, parameters, arguments, __VA_ARGS__)
#define MESSAGE_TIMED(name, KEY, is_timed, parameters, arguments, ...)                                                 \
    DIYA_EXPORT int name parameters                                                                                    \
    {                                                                                                                  \
        __typeof__(&name) real = DIYA_LAYER_REAL(name, DIYA_CALLER);                                                   \
        struct diya_message message;                                                                                   \
        if (!diya_message_begin_timed(&message, is_timed, DIYA_CALLER))                                                \
            return real arguments;                                                                                     \
        int error = real arguments;                                                                                    \
        struct diya_message_facts facts = DIYA_MESSAGE_FACTS(DIYA_M_##KEY);                                            \
        __VA_ARGS__;                                                                                                   \
        return error;                                                                                                  \
    }

/* Both sizes of counts that MPI has. */
#define MESSAGE_COUNTS(shape, name, ...)                                                                               \
    shape(name, int, int, __VA_ARGS__) shape(name##_c, int64_t, intptr_t, __VA_ARGS__)

#define END diya_message_end(&message, error, &facts)
#define END_BEGUN(role, is_persistent, request)                                                                        \
    diya_message_end_begun(&message, error, &facts, role, is_persistent, request)
#define BYTES(count, type) facts.bytes = diya_message_bytes(error, count, type, message.caller)
#define ON(comm) facts.communicator = (comm)
#define ON_ALL(comm) facts.communicator = (comm), facts.is_collective = true

/* MPI_PROC_NULL, MPI_ANY_SOURCE, MPI_ROOT and MPI_ANY_TAG are negative. */
#define PEER(rank) facts.peer = (rank) >= 0 ? (rank) : DIYA_MESSAGE_NO_RANK
#define TAG(number) facts.tag = (number) >= 0 ? (number) : DIYA_MESSAGE_NO_RANK

/* MPI_IN_PLACE: -1 in MPICH, else 1. */
static inline bool diya_message_is_in_place(const void *buffer)
{
    return (uintptr_t)buffer == 1 || (uintptr_t)buffer == UINTPTR_MAX;
}

#endif
