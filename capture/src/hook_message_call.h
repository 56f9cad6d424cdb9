/* Messages of MPI: calls that move data between ranks or wait for them.
 *
 * A program may send millions of small ones, so a hook here costs two readings of the
 * clock and a few additions. Only a call that waits (or each, where the user asks) gets a
 * record; all are counted by function and communicator.
 */
#ifndef DIYA_HOOK_MESSAGE_CALL_H
#define DIYA_HOOK_MESSAGE_CALL_H

#include "generated/diya_messages.h"
#include "hook_mpi.h"
#include "hook_message_group.h"
#include "process.h"
#include "settings.h"

struct diya_message {
    uint64_t start; /* 0: not timed */
    const void *caller;
};

#define DIYA_MESSAGE_NO_RANK (-1)
#define DIYA_MESSAGE_PEERS 16u /* of one wait that are written */

/* What a hook knows of its call. */
struct diya_message_facts {
    uint16_t function; /* enum diya_message_function */
    uint8_t role;      /* enum diya_message_role */
    bool is_collective, is_window;
    uint8_t peer_count;
    int32_t peer, tag;      /* -1: none */
    uintptr_t communicator; /* or window; 0: none */
    uint32_t number;        /* of the communicator, where it has no handle here */
    uint32_t sequence;
    uint64_t bytes;
    const int32_t *peers;
};
#define DIYA_MESSAGE_FACTS(function_number)                                                                            \
    {.function = (function_number), .peer = DIYA_MESSAGE_NO_RANK, .tag = DIYA_MESSAGE_NO_RANK}

/* Where the stack is in the outermost hook of messages; 0: in none. An error handler may leave
 * hooks by longjmp: then a later hook lies above. */
extern DIYA_HIDDEN _Thread_local uintptr_t diya_message_frame __attribute__((tls_model("initial-exec")));

/* A call that begins a request returns at once, unless it moves much: reading the clock twice would
 * cost a fifth of it. */
#define DIYA_MESSAGE_TIMED_COUNT 4096

/* False: only forward. Where another hook of MPI is outside, its record says it all. */
static inline __attribute__((always_inline)) bool diya_message_begin_timed(struct diya_message *message, bool is_timed,
                                                                           const void *caller)
{
    if (diya_settings.messages == DIYA_MESSAGES_OFF)
        return false;
    if (diya_mpi_inside != 0 && (diya_message_frame == 0 || (uintptr_t)message < diya_message_frame))
        return false;
    if (__builtin_expect(diya_tls.generation != diya_generation_now(), 0) && !diya_begin_slow((uintptr_t)message))
        return false;
    diya_mpi_inside = 1;
    diya_message_frame = (uintptr_t)message;
    message->caller = caller;
    message->start = is_timed || diya_settings.messages == DIYA_MESSAGES_ALL ? diya_ticks() : 0;
    return true;
}

static inline __attribute__((always_inline)) bool diya_message_begin(struct diya_message *message, const void *caller)
{
    return diya_message_begin_timed(message, true, caller);
}

/* The end: `error` is what MPI returned. Keeps errno. */
DIYA_HIDDEN void diya_message_end(const struct diya_message *message, int error,
                                  const struct diya_message_facts *facts);

/* Bytes of a rank's own part; `count` of -1: not known. */
DIYA_HIDDEN uint64_t diya_message_bytes(int error, int64_t count, uintptr_t type, const void *caller);

/* --- requests (hook_message_request.c) ------------------------------------------------------ */

struct diya_message_request {
    uint8_t role;
    bool is_persistent;
    int32_t peer; /* or, of a collective call, its sequence */
    uint32_t communicator;
};
DIYA_HIDDEN void diya_message_request_made(uint64_t request, const struct diya_message_request *facts);

/* A handle that MPI has written. */
static inline uint64_t diya_message_written(const void *handle, const void *caller)
{
    return diya_mpi_family(caller) == DIYA_MPI_MPICH ? *(const uint32_t *)handle : *(const uint64_t *)handle;
}

/* The end of a call that began a request. */
DIYA_HIDDEN void diya_message_end_begun(const struct diya_message *message, int error, struct diya_message_facts *facts,
                                        enum diya_message_role role, bool is_persistent, const void *request);

/* Requests that a wait is given, as they were before it. */
#define DIYA_MESSAGE_WAITED 64u
struct diya_message_wait {
    struct diya_message message;
    const void *array;
    bool is_narrow; /* requests are integers of 32 bits */
    uint32_t count;
    uint64_t requests[DIYA_MESSAGE_WAITED];
};
DIYA_HIDDEN bool diya_message_wait_begin(struct diya_message_wait *wait, const void *requests, int count,
                                         const void *caller);
DIYA_HIDDEN void diya_message_wait_end(struct diya_message_wait *wait, int error, uint16_t function, bool is_for_all);

#endif
