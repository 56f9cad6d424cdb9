/* Completion of non-blocking MPI-IO.
 *
 * Programs wait for messages far more often than for files: with no file
 * request under way these hooks cost one load and a branch. Which requests a
 * call completed is read off the array: MPI replaces them with
 * MPI_REQUEST_NULL. So neither flags nor statuses need to be looked at.
 */
#include "hook_mpi.h"

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

/* --- the hooks: `requests` and how many there are --------------------------- */

DIYA_EXPORT int MPI_Wait(void *request, void *status)
{
    __typeof__(&MPI_Wait) real = DIYA_LAYER_REAL(MPI_Wait, DIYA_CALLER);
    struct diya_mpi_wait wait;
    if (!diya_mpi_begin_wait(&wait, DIYA_F_MPI_WAIT, request, 1, false, DIYA_CALLER))
        return real(request, status);
    int error = real(request, status);
    diya_mpi_end_wait(&wait, error);
    return error;
}

DIYA_EXPORT int MPI_Waitall(int count, void *requests, void *statuses)
{
    __typeof__(&MPI_Waitall) real = DIYA_LAYER_REAL(MPI_Waitall, DIYA_CALLER);
    struct diya_mpi_wait wait;
    if (!diya_mpi_begin_wait(&wait, DIYA_F_MPI_WAITALL, requests, count, false, DIYA_CALLER))
        return real(count, requests, statuses);
    int error = real(count, requests, statuses);
    diya_mpi_end_wait(&wait, error);
    return error;
}

DIYA_EXPORT int MPI_Waitany(int count, void *requests, int *index, void *status)
{
    __typeof__(&MPI_Waitany) real = DIYA_LAYER_REAL(MPI_Waitany, DIYA_CALLER);
    struct diya_mpi_wait wait;
    if (!diya_mpi_begin_wait(&wait, DIYA_F_MPI_WAITANY, requests, count, false, DIYA_CALLER))
        return real(count, requests, index, status);
    int error = real(count, requests, index, status);
    diya_mpi_end_wait(&wait, error);
    return error;
}

DIYA_EXPORT int MPI_Waitsome(int count, void *requests, int *done, int *indices, void *statuses)
{
    __typeof__(&MPI_Waitsome) real = DIYA_LAYER_REAL(MPI_Waitsome, DIYA_CALLER);
    struct diya_mpi_wait wait;
    if (!diya_mpi_begin_wait(&wait, DIYA_F_MPI_WAITSOME, requests, count, false, DIYA_CALLER))
        return real(count, requests, done, indices, statuses);
    int error = real(count, requests, done, indices, statuses);
    diya_mpi_end_wait(&wait, error);
    return error;
}

DIYA_EXPORT int MPI_Test(void *request, int *flag, void *status)
{
    __typeof__(&MPI_Test) real = DIYA_LAYER_REAL(MPI_Test, DIYA_CALLER);
    struct diya_mpi_wait wait;
    if (!diya_mpi_begin_wait(&wait, DIYA_F_MPI_TEST, request, 1, false, DIYA_CALLER))
        return real(request, flag, status);
    int error = real(request, flag, status);
    diya_mpi_end_wait(&wait, error);
    return error;
}

DIYA_EXPORT int MPI_Testall(int count, void *requests, int *flag, void *statuses)
{
    __typeof__(&MPI_Testall) real = DIYA_LAYER_REAL(MPI_Testall, DIYA_CALLER);
    struct diya_mpi_wait wait;
    if (!diya_mpi_begin_wait(&wait, DIYA_F_MPI_TESTALL, requests, count, false, DIYA_CALLER))
        return real(count, requests, flag, statuses);
    int error = real(count, requests, flag, statuses);
    diya_mpi_end_wait(&wait, error);
    return error;
}

DIYA_EXPORT int MPI_Testany(int count, void *requests, int *index, int *flag, void *status)
{
    __typeof__(&MPI_Testany) real = DIYA_LAYER_REAL(MPI_Testany, DIYA_CALLER);
    struct diya_mpi_wait wait;
    if (!diya_mpi_begin_wait(&wait, DIYA_F_MPI_TESTANY, requests, count, false, DIYA_CALLER))
        return real(count, requests, index, flag, status);
    int error = real(count, requests, index, flag, status);
    diya_mpi_end_wait(&wait, error);
    return error;
}

DIYA_EXPORT int MPI_Testsome(int count, void *requests, int *done, int *indices, void *statuses)
{
    __typeof__(&MPI_Testsome) real = DIYA_LAYER_REAL(MPI_Testsome, DIYA_CALLER);
    struct diya_mpi_wait wait;
    if (!diya_mpi_begin_wait(&wait, DIYA_F_MPI_TESTSOME, requests, count, false, DIYA_CALLER))
        return real(count, requests, done, indices, statuses);
    int error = real(count, requests, done, indices, statuses);
    diya_mpi_end_wait(&wait, error);
    return error;
}
