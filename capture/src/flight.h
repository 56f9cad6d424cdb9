/* Asynchronous requests between their submission and their completion.
 *
 * A table without locks, found by who made the request (a context or ring) and by
 * the mark that comes back with its completion. It is made when the first request
 * is submitted, and empty in a forked child, whose parent gets the completions.
 */
#ifndef DIYA_FLIGHT_H
#define DIYA_FLIGHT_H

#include "base.h"

struct diya_flight {
    uint64_t owner;
    uint64_t submitted_ns;
    uint64_t requested;
    int64_t offset; /* -1: none */
    uint32_t file;
    int32_t fd;
    uint16_t function; /* of the completion; 0: none is recorded */
    bool has_size;
};

/* Before it is submitted: another thread may see it complete before the call is over. */
DIYA_HIDDEN void diya_flight_begins(uint64_t mark, const struct diya_flight *flight);

/* Takes out the request that waited longest of those with this mark. */
DIYA_HIDDEN bool diya_flight_ends(uint64_t owner, uint64_t mark, struct diya_flight *flight);

/* Its owner is gone, and with it what has not completed. */
DIYA_HIDDEN void diya_flights_forget(uint64_t owner);

/* Records a completion that a call has found: at the end of that call, with the
 * time since the submission. */
DIYA_HIDDEN void diya_flight_landed(const struct diya_call *call, const struct diya_flight *flight, int64_t result,
                                    uint64_t now_ns);
/* The file that all requests of a call are for; 0 once they differ. Begins with
 * DIYA_NO_FILE_YET. */
#define DIYA_NO_FILE_YET UINT32_MAX
static inline uint32_t diya_common_file(uint32_t so_far, uint32_t file)
{
    return so_far == DIYA_NO_FILE_YET || so_far == file ? file : 0;
}
static inline uint32_t diya_file_or_none(uint32_t so_far)
{
    return so_far == DIYA_NO_FILE_YET ? 0 : so_far;
}

/* Inside a function of libaio or liburing, whose system calls are not counted again:
 * some builds of them call syscall(). */
extern DIYA_HIDDEN _Thread_local uint32_t diya_inside_library __attribute__((tls_model("initial-exec")));

#define DIYA_INSIDE_LIBRARY(call)                                                                                      \
    (__extension__({                                                                                                   \
        diya_inside_library++;                                                                                         \
        __auto_type inside_ = (call);                                                                                  \
        diya_inside_library--;                                                                                         \
        inside_;                                                                                                       \
    }))

#endif
