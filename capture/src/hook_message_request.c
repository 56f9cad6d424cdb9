/* Requests of messages: whom a wait waits for.
 *
 * A table without a search: a request takes the place that its hash says, and the one that was
 * there before is not known any more. Programs have few requests at a time; where they have
 * many, some waits have no peer. */
#include "hook_message_call.h"
#include "core.h"

#define REQUESTS 8192u

static struct place {
    uint64_t request, facts;
} places[REQUESTS];

/* role in bits 61 to 62, persistence in 60, the communicator from bit 32 on, the peer below */
static uint64_t packed(const struct diya_message_request *facts)
{
    return (uint64_t)facts->role << 61 | (uint64_t)facts->is_persistent << 60 |
           (uint64_t)(facts->communicator & 0xfffffffu) << 32 | (uint32_t)facts->peer;
}

static struct diya_message_request unpacked(uint64_t facts)
{
    return (struct diya_message_request){.role = (uint8_t)(facts >> 61 & 3),
                                         .is_persistent = (facts >> 60 & 1) != 0,
                                         .communicator = (uint32_t)(facts >> 32) & 0xfffffffu,
                                         .peer = (int32_t)facts};
}

static inline struct place *place_of(uint64_t request)
{
    return &places[(uint32_t)((request * 0x9e3779b97f4a7c15u) >> 40) % REQUESTS];
}

void diya_message_request_made(uint64_t request, const struct diya_message_request *facts)
{
    struct place *place = place_of(request);
    __atomic_store_n(&place->request, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&place->facts, packed(facts), __ATOMIC_RELEASE);
    __atomic_store_n(&place->request, request, __ATOMIC_RELEASE);
}

void diya_message_end_begun(const struct diya_message *message, int error, struct diya_message_facts *facts,
                            enum diya_message_role role, bool is_persistent, const void *request)
{
    const void *caller = message->caller;
    if (error == 0) {
        if (facts->communicator != 0)
            facts->number =
                diya_communicator(facts->communicator, false, facts->is_collective ? &facts->sequence : NULL, caller);
        facts->communicator = 0;
        struct diya_message_request made = {(uint8_t)role, is_persistent, facts->peer, facts->number};
        if (role == DIYA_ROLE_COLLECTIVE)
            made.peer = (int32_t)facts->sequence;
        diya_message_request_made(diya_message_written(request, caller), &made);
    }
    diya_message_end(message, error, facts);
}

static bool take(uint64_t request, struct diya_message_request *facts)
{
    struct place *place = place_of(request);
    if (__atomic_load_n(&place->request, __ATOMIC_ACQUIRE) != request)
        return false;
    *facts = unpacked(__atomic_load_n(&place->facts, __ATOMIC_ACQUIRE));
    if (!facts->is_persistent)
        __atomic_store_n(&place->request, 0, __ATOMIC_RELAXED);
    return true;
}

/* --- waits ------------------------------------------------------------------------------ */

static inline uint64_t request_at(const struct diya_message_wait *wait, uint32_t at)
{
    return wait->is_narrow ? ((const uint32_t *)wait->array)[at] : ((const uint64_t *)wait->array)[at];
}

bool diya_message_wait_begin(struct diya_message_wait *wait, const void *requests, int count, const void *caller)
{
    if (!diya_message_begin(&wait->message, caller))
        return false;
    wait->array = requests;
    wait->is_narrow = diya_mpi_family(caller) == DIYA_MPI_MPICH;
    wait->count = count < 0 ? 0 : (uint32_t)count < DIYA_MESSAGE_WAITED ? (uint32_t)count : DIYA_MESSAGE_WAITED;
    for (uint32_t at = 0; at < wait->count; at++)
        wait->requests[at] = request_at(wait, at);
    return true;
}

struct awaited {
    struct diya_message_facts facts;
    int32_t peers[DIYA_MESSAGE_PEERS];
    bool is_mixed; /* in more than one communicator: then peers say nothing */
};

static void add_peer(struct awaited *awaited, int32_t peer)
{
    for (uint32_t i = 0; i < awaited->facts.peer_count; i++)
        if (awaited->peers[i] == peer)
            return;
    if (peer >= 0 && awaited->facts.peer_count < DIYA_MESSAGE_PEERS)
        awaited->peers[awaited->facts.peer_count++] = peer;
}

/* Receives wait for somebody; sends beside them mostly do not. */
static void add(struct awaited *awaited, const struct diya_message_request *request)
{
    struct diya_message_facts *facts = &awaited->facts;
    awaited->is_mixed |= facts->number != 0 && facts->number != request->communicator;
    if (facts->role < request->role) {
        facts->role = request->role;
        facts->peer_count = 0;
    }
    if (facts->role != request->role)
        return;
    facts->number = request->communicator;
    if (request->role == DIYA_ROLE_COLLECTIVE)
        facts->sequence = (uint32_t)request->peer;
    else
        add_peer(awaited, request->peer);
}

void diya_message_wait_end(struct diya_message_wait *wait, int error, uint16_t function, bool is_for_all)
{
    struct awaited awaited = {.facts = DIYA_MESSAGE_FACTS(function)};
    for (uint32_t at = 0; error == 0 && at < wait->count; at++) {
        struct diya_message_request request;
        /* What is completed has become MPI_REQUEST_NULL, unless it is persistent. */
        if ((is_for_all || request_at(wait, at) != wait->requests[at]) && take(wait->requests[at], &request))
            add(&awaited, &request);
    }
    if (awaited.is_mixed)
        awaited.facts = (struct diya_message_facts)DIYA_MESSAGE_FACTS(function);
    awaited.facts.peers = awaited.peers;
    if (awaited.facts.peer_count == 1) {
        awaited.facts.peer = awaited.peers[0];
        awaited.facts.peer_count = 0;
    }
    diya_message_end(&wait->message, error, &awaited.facts);
}
