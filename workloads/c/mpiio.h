/* Counting of MPI-IO calls: each function takes what the call returned. */
#ifndef WORKLOAD_MPIIO_H
#define WORKLOAD_MPIIO_H

#include "answer.h"

enum call_kind { INDEPENDENT, COLLECTIVE, NONBLOCKING };

static inline void require_mpi(int error, const char *what)
{
    if (error == MPI_SUCCESS)
        return;
    char text[MPI_MAX_ERROR_STRING];
    int size;
    MPI_Error_string(error, text, &size);
    fprintf(stderr, "%s: %s\n", what, text);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Bytes that a finished request moved; buffers are of MPI_BYTE or MPI_UINT64_T. */
static inline uint64_t moved_bytes(const MPI_Status *status)
{
    int count_bytes = 0;
    MPI_Get_count(status, MPI_BYTE, &count_bytes);
    require(count_bytes != MPI_UNDEFINED, "MPI_Get_count");
    return (uint64_t)count_bytes;
}

static inline void count_mpi_open(int error)
{
    require_mpi(error, "MPI_File_open");
    counts_all_of(MPIIO);
    count(MPIIO, opens, 1);
}

static inline void count_mpi_close(int error)
{
    require_mpi(error, "MPI_File_close");
    count(MPIIO, closes, 1);
}

static inline void count_mpi_view(int error)
{
    require_mpi(error, "MPI_File_set_view");
    count(MPIIO, views, 1);
}

static inline void count_mpi_write(int error, const MPI_Status *status, enum call_kind kind)
{
    require_mpi(error, "MPI_File_write");
    count_write(MPIIO, (int64_t)moved_bytes(status));
    count(MPIIO, collective_writes, kind == COLLECTIVE);
}

static inline void count_mpi_read(int error, const MPI_Status *status, enum call_kind kind)
{
    require_mpi(error, "MPI_File_read");
    count_read(MPIIO, (int64_t)moved_bytes(status));
    count(MPIIO, collective_reads, kind == COLLECTIVE);
}

/* A non-blocking write has moved its bytes when MPI_Wait returns. */
static inline void count_mpi_waited_write(int error, const MPI_Status *status)
{
    require_mpi(error, "MPI_Wait");
    count_write(MPIIO, (int64_t)moved_bytes(status));
    count(MPIIO, nonblocking_writes, 1);
}

#endif
