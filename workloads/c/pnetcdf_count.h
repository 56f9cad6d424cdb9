/* Counting of PnetCDF calls. */
#ifndef WORKLOAD_PNETCDF_COUNT_H
#define WORKLOAD_PNETCDF_COUNT_H

#include "answer.h"

#include <pnetcdf.h>

static inline void nc_good(int error, const char *what)
{
    if (error == NC_NOERR)
        return;
    fprintf(stderr, "%s: %s\n", what, ncmpi_strerror(error));
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static inline void count_nc_create(int error)
{
    nc_good(error, "ncmpi_create");
    counts_all_of(PNETCDF);
    count(PNETCDF, opens, 1);
}

static inline void count_nc_close(int error)
{
    nc_good(error, "ncmpi_close");
    count(PNETCDF, closes, 1);
}

/* A put says whether, not how much: on success it is all of the box. */
static inline void count_nc_put(int error, uint64_t bytes, bool is_collective)
{
    nc_good(error, "ncmpi_put");
    count_write(PNETCDF, (int64_t)bytes);
    count(PNETCDF, collective_writes, is_collective);
}

static inline void count_nc_iput(int error, uint64_t bytes)
{
    nc_good(error, "ncmpi_iput");
    count_write(PNETCDF, (int64_t)bytes);
    count(PNETCDF, nonblocking_writes, 1);
}

/* Bytes of the file before a variable: variables of bytes lie there as they are. */
static inline uint64_t variable_offset(int file, int variable)
{
    MPI_Offset offset = 0;
    nc_good(ncmpi_inq_varoffset(file, variable, &offset), "ncmpi_inq_varoffset");
    return (uint64_t)offset;
}

#endif
