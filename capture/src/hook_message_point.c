/* Messages from one rank to another, probes, starts of requests. */
#include "hook_message.h"

/* Of a receive from anybody, who it was: needs a status. */
#define STATUS_ROOM 64
typedef char diya_status_room[STATUS_ROOM] __attribute__((aligned(8)));
#define OWN_STATUS(own, status, is_wanted)                                                                             \
    diya_status_room own;                                                                                              \
    bool is_own = (is_wanted) && diya_mpi_is_no_status(status, DIYA_CALLER);                                           \
    void *shown = is_own ? own : (status)

#define SEND(name, number, large, KEY)                                                                                 \
    MESSAGE(name, KEY, (const void *buffer, number count, uintptr_t type, int peer, int tag, uintptr_t comm),          \
            (buffer, count, type, peer, tag, comm), ON(comm), PEER(peer), TAG(tag), BYTES(count, type), END)
MESSAGE_COUNTS(SEND, MPI_Send, MPI_SEND)
MESSAGE_COUNTS(SEND, MPI_Bsend, MPI_BSEND)
MESSAGE_COUNTS(SEND, MPI_Ssend, MPI_SSEND)
MESSAGE_COUNTS(SEND, MPI_Rsend, MPI_RSEND)

#define BEGIN(name, number, large, KEY, role, is_persistent)                                                           \
    MESSAGE_TIMED(                                                                                                     \
        name, KEY, count >= DIYA_MESSAGE_TIMED_COUNT,                                                                  \
        (const void *buffer, number count, uintptr_t type, int peer, int tag, uintptr_t comm, void *request),          \
        (buffer, count, type, peer, tag, comm, request), ON(comm), PEER(peer), TAG(tag), BYTES(count, type),           \
        END_BEGUN(role, is_persistent, request))
MESSAGE_COUNTS(BEGIN, MPI_Isend, MPI_ISEND, DIYA_ROLE_SEND, false)
MESSAGE_COUNTS(BEGIN, MPI_Ibsend, MPI_IBSEND, DIYA_ROLE_SEND, false)
MESSAGE_COUNTS(BEGIN, MPI_Issend, MPI_ISSEND, DIYA_ROLE_SEND, false)
MESSAGE_COUNTS(BEGIN, MPI_Irsend, MPI_IRSEND, DIYA_ROLE_SEND, false)
MESSAGE_COUNTS(BEGIN, MPI_Irecv, MPI_IRECV, DIYA_ROLE_RECEIVE, false)
MESSAGE_COUNTS(BEGIN, MPI_Send_init, MPI_SEND_INIT, DIYA_ROLE_SEND, true)
MESSAGE_COUNTS(BEGIN, MPI_Bsend_init, MPI_BSEND_INIT, DIYA_ROLE_SEND, true)
MESSAGE_COUNTS(BEGIN, MPI_Ssend_init, MPI_SSEND_INIT, DIYA_ROLE_SEND, true)
MESSAGE_COUNTS(BEGIN, MPI_Rsend_init, MPI_RSEND_INIT, DIYA_ROLE_SEND, true)
MESSAGE_COUNTS(BEGIN, MPI_Recv_init, MPI_RECV_INIT, DIYA_ROLE_RECEIVE, true)

#define IMRECV(name, number, large, KEY)                                                                               \
    MESSAGE(name, KEY, (void *buffer, number count, uintptr_t type, void *matched, void *request),                     \
            (buffer, count, type, matched, request), BYTES(count, type), END_BEGUN(DIYA_ROLE_RECEIVE, false, request))
MESSAGE_COUNTS(IMRECV, MPI_Imrecv, MPI_IMRECV)

#define MRECV(name, number, large, KEY)                                                                                \
    MESSAGE(name, KEY, (void *buffer, number count, uintptr_t type, void *matched, void *status),                      \
            (buffer, count, type, matched, status), BYTES(count, type), END)
MESSAGE_COUNTS(MRECV, MPI_Mrecv, MPI_MRECV)

#define FROM(peer, status) facts.peer = (peer) >= 0 ? (peer) : diya_mpi_source(status, message.caller)

#define RECV(name, number, large, KEY)                                                                                 \
    DIYA_EXPORT int name(void *buffer, number count, uintptr_t type, int peer, int tag, uintptr_t comm, void *status)  \
    {                                                                                                                  \
        __typeof__(&name) real = DIYA_LAYER_REAL(name, DIYA_CALLER);                                                   \
        struct diya_message message;                                                                                   \
        if (!diya_message_begin(&message, DIYA_CALLER))                                                                \
            return real(buffer, count, type, peer, tag, comm, status);                                                 \
        OWN_STATUS(own, status, peer < 0);                                                                             \
        int error = real(buffer, count, type, peer, tag, comm, shown);                                                 \
        struct diya_message_facts facts = DIYA_MESSAGE_FACTS(DIYA_M_##KEY);                                            \
        ON(comm), TAG(tag), BYTES(count, type);                                                                        \
        FROM(peer, error == 0 ? shown : NULL);                                                                         \
        END;                                                                                                           \
        return error;                                                                                                  \
    }
MESSAGE_COUNTS(RECV, MPI_Recv, MPI_RECV)

#define SENDRECV(name, number, large, KEY)                                                                             \
    MESSAGE(name, KEY,                                                                                                 \
            (const void *sent, number sent_count, uintptr_t sent_type, int to, int sent_tag, void *received,           \
             number count, uintptr_t type, int peer, int tag, uintptr_t comm, void *status),                           \
            (sent, sent_count, sent_type, to, sent_tag, received, count, type, peer, tag, comm, status), ON(comm),     \
            FROM(peer, error == 0 ? status : NULL), TAG(tag), BYTES(sent_count, sent_type), END)
MESSAGE_COUNTS(SENDRECV, MPI_Sendrecv, MPI_SENDRECV)

#define REPLACE(name, number, large, KEY)                                                                              \
    MESSAGE(name, KEY,                                                                                                 \
            (void *buffer, number count, uintptr_t type, int to, int sent_tag, int peer, int tag, uintptr_t comm,      \
             void *status),                                                                                            \
            (buffer, count, type, to, sent_tag, peer, tag, comm, status), ON(comm),                                    \
            FROM(peer, error == 0 ? status : NULL), TAG(tag), BYTES(count, type), END)
MESSAGE_COUNTS(REPLACE, MPI_Sendrecv_replace, MPI_SENDRECV_REPLACE)

/* --- probes, starts ------------------------------------------------------------------------ */

MESSAGE(MPI_Probe, MPI_PROBE, (int peer, int tag, uintptr_t comm, void *status), (peer, tag, comm, status), ON(comm),
        FROM(peer, error == 0 ? status : NULL), TAG(tag), END)
MESSAGE(MPI_Mprobe, MPI_MPROBE, (int peer, int tag, uintptr_t comm, void *matched, void *status),
        (peer, tag, comm, matched, status), ON(comm), FROM(peer, error == 0 ? status : NULL), TAG(tag), END)
MESSAGE(MPI_Iprobe, MPI_IPROBE, (int peer, int tag, uintptr_t comm, int *flag, void *status),
        (peer, tag, comm, flag, status), ON(comm), PEER(peer), TAG(tag), END)
MESSAGE(MPI_Improbe, MPI_IMPROBE, (int peer, int tag, uintptr_t comm, int *flag, void *matched, void *status),
        (peer, tag, comm, flag, matched, status), ON(comm), PEER(peer), TAG(tag), END)
MESSAGE(MPI_Start, MPI_START, (void *request), (request), END)
MESSAGE(MPI_Startall, MPI_STARTALL, (int count, void *requests), (count, requests), END)
