/* MPI_Init and MPI_Finalize: who this process is among the ranks. */
#include "hook_mpi.h"

#ifndef DIYA_PMPI

void diya_mpi_end_init(struct diya_mpi_call *mpi, int error)
{
    diya_mpi_returned(mpi);
    if (error == 0)
        diya_mpi_write_process(mpi->caller);
    struct diya_event event = DIYA_EVENT(mpi->function);
    diya_mpi_end(mpi, error, &event);
}

void diya_mpi_end_finalize(struct diya_mpi_call *mpi, int error)
{
    diya_mpi_returned(mpi);
    struct diya_event event = DIYA_EVENT(DIYA_F_MPI_FINALIZE);
    event.done = error == 0 ? 0 : -EIO; /* MPI is gone: nothing may be asked any more */
    diya_end(&mpi->call, &event);
}

#endif

DIYA_EXPORT int MPI_Init(int *count, char ***arguments)
{
    __typeof__(&MPI_Init) real = DIYA_LAYER_REAL(MPI_Init, DIYA_CALLER);
    struct diya_mpi_call mpi;
    if (!diya_mpi_begin(&mpi, DIYA_F_MPI_INIT, DIYA_CALLER))
        return real(count, arguments);
    int error = real(count, arguments);
    diya_mpi_end_init(&mpi, error);
    return error;
}

DIYA_EXPORT int MPI_Init_thread(int *count, char ***arguments, int required, int *provided)
{
    __typeof__(&MPI_Init_thread) real = DIYA_LAYER_REAL(MPI_Init_thread, DIYA_CALLER);
    struct diya_mpi_call mpi;
    if (!diya_mpi_begin(&mpi, DIYA_F_MPI_INIT_THREAD, DIYA_CALLER))
        return real(count, arguments, required, provided);
    int error = real(count, arguments, required, provided);
    diya_mpi_end_init(&mpi, error);
    return error;
}

DIYA_EXPORT int MPI_Finalize(void)
{
    __typeof__(&MPI_Finalize) real = DIYA_LAYER_REAL(MPI_Finalize, DIYA_CALLER);
    struct diya_mpi_call mpi;
    if (!diya_mpi_begin(&mpi, DIYA_F_MPI_FINALIZE, DIYA_CALLER))
        return real();
    int error = real();
    diya_mpi_end_finalize(&mpi, error);
    return error;
}
