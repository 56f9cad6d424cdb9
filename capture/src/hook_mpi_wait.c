/* Completion of non-blocking MPI-IO.
 *
 * Programs wait for messages far more often than for files: with no file
 * request under way these hooks cost one load and a branch. Which requests a
 * call completed is read off the array: MPI replaces them with
 * MPI_REQUEST_NULL. So neither flags nor statuses need to be looked at.
 */
#include "hook_message_call.h"

#ifndef DIYA_PMPI

#define NO_FILE_REQUEST UINT64_MAX

static int64_t requests_under_way;

void diya_mpi_request_started(const struct diya_mpi_call *mpi, uintptr_t request)
{
    uint64_t key = diya_mpi_handle(request, mpi->caller);
    if (mpi->file == 0)
        return;
    if (diya_handle_unbind(DIYA_HANDLE_MPI_REQUEST, key) != 0)
        __atomic_fetch_sub(&requests_under_way, 1, __ATOMIC_RELAXED); /* freed, never waited for */
    if (diya_handle_bind(DIYA_HANDLE_MPI_REQUEST, key, mpi->file))
        __atomic_fetch_add(&requests_under_way, 1, __ATOMIC_RELAXED);
}

static uint64_t request_at(const struct diya_mpi_wait *wait, uint32_t at)
{
    return wait->width == 4 ? ((const uint32_t *)wait->requests)[at] : ((const uint64_t *)wait->requests)[at];
}

/* What the request is bound as: in Fortran the array holds other numbers. */
static uint64_t key_of(const struct diya_mpi_wait *wait, uint64_t request)
{
    if (!wait->is_fortran)
        return request;
    return diya_mpi_handle(diya_mpi_from_fortran(DIYA_MPI_REQUEST, (int32_t)request, wait->mpi.caller),
                           wait->mpi.caller);
}

bool diya_mpi_begin_wait(struct diya_mpi_wait *wait, uint16_t function, const void *requests, int count,
                         bool is_fortran, const void *caller)
{
    if (__atomic_load_n(&requests_under_way, __ATOMIC_RELAXED) <= 0 || count <= 0)
        return false;
    if (!diya_mpi_begin(&wait->mpi, function, caller))
        return false;
    wait->requests = requests;
    wait->is_fortran = is_fortran;
    wait->width = is_fortran || diya_mpi_family(caller) == DIYA_MPI_MPICH ? 4 : 8;
    wait->count = (uint32_t)count < DIYA_MPI_WAIT_KEPT ? (uint32_t)count : DIYA_MPI_WAIT_KEPT;
    uint32_t known = 0;
    for (uint32_t at = 0; at < wait->count; at++) {
        wait->before[at] = request_at(wait, at);
        wait->key[at] = key_of(wait, wait->before[at]);
        if (diya_handle_find(DIYA_HANDLE_MPI_REQUEST, wait->key[at]) == 0)
            wait->key[at] = NO_FILE_REQUEST;
        else
            known++;
    }
    if (known == 0) {
        diya_mpi_returned(&wait->mpi);
        diya_cancel(&wait->mpi.call);
        return false;
    }
    wait->mpi.call.start = diya_ticks();
    return true;
}

void diya_mpi_end_wait(struct diya_mpi_wait *wait, int error)
{
    diya_mpi_returned(&wait->mpi);
    struct diya_event event = DIYA_EVENT(wait->mpi.function);
    event.has_aux = true;
    for (uint32_t at = 0; at < wait->count; at++) {
        if (wait->key[at] == NO_FILE_REQUEST || request_at(wait, at) == wait->before[at])
            continue;
        uint32_t file = diya_handle_unbind(DIYA_HANDLE_MPI_REQUEST, wait->key[at]);
        if (file == 0)
            continue;
        __atomic_fetch_sub(&requests_under_way, 1, __ATOMIC_RELAXED);
        event.file = event.file == 0 ? file : event.file;
        event.aux++;
    }
    if (event.aux == 0)
        diya_cancel(&wait->mpi.call);
    else
        diya_mpi_end(&wait->mpi, error, &event);
}

#endif

/* --- the hooks: `requests` and how many there are. With no file among them they wait for messages. */

#define WAIT(name, KEY, parameters, arguments, number, is_for_all)                                                     \
    DIYA_EXPORT int name parameters                                                                                    \
    {                                                                                                                  \
        __typeof__(&name) real = DIYA_LAYER_REAL(name, DIYA_CALLER);                                                   \
        struct diya_mpi_wait wait;                                                                                     \
        struct diya_message_wait message;                                                                              \
        if (diya_mpi_begin_wait(&wait, DIYA_F_##KEY, requests, number, false, DIYA_CALLER)) {                          \
            int error = real arguments;                                                                                \
            diya_mpi_end_wait(&wait, error);                                                                           \
            return error;                                                                                              \
        }                                                                                                              \
        if (!diya_message_wait_begin(&message, requests, number, DIYA_CALLER))                                         \
            return real arguments;                                                                                     \
        int error = real arguments;                                                                                    \
        diya_message_wait_end(&message, error, DIYA_M_##KEY, is_for_all);                                              \
        return error;                                                                                                  \
    }

WAIT(MPI_Wait, MPI_WAIT, (void *requests, void *status), (requests, status), 1, true)
WAIT(MPI_Waitall, MPI_WAITALL, (int count, void *requests, void *statuses), (count, requests, statuses), count, true)
WAIT(MPI_Waitany, MPI_WAITANY, (int count, void *requests, int *index, void *status), (count, requests, index, status),
     count, false)
WAIT(MPI_Waitsome, MPI_WAITSOME, (int count, void *requests, int *done, int *indices, void *statuses),
     (count, requests, done, indices, statuses), count, false)
WAIT(MPI_Test, MPI_TEST, (void *requests, int *flag, void *status), (requests, flag, status), 1, false)
WAIT(MPI_Testall, MPI_TESTALL, (int count, void *requests, int *flag, void *statuses),
     (count, requests, flag, statuses), count, false)
WAIT(MPI_Testany, MPI_TESTANY, (int count, void *requests, int *index, int *flag, void *status),
     (count, requests, index, flag, status), count, false)
WAIT(MPI_Testsome, MPI_TESTSOME, (int count, void *requests, int *done, int *indices, void *statuses),
     (count, requests, done, indices, statuses), count, false)
