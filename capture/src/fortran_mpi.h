/* MPI-IO from Fortran: mpif.h, `use mpi`, mpi_f08.
 *
 * Every argument is an address, handles are 32-bit integers (in mpi_f08 a type
 * of one integer), and the lengths of texts follow at the end. One function
 * has several names, by compiler and module:
 *
 *   mpi_file_read_  mpi_file_read__  mpi_file_read  MPI_FILE_READ   mpif.h, mpi
 *   mpi_file_read_f08_                    mpi_f08 of Open MPI
 *   mpi_file_read_f08ts_                  mpi_f08 of MPICH, calls with a buffer
 *
 * There the buffer is a descriptor; it is handed on unread.
 */
#ifndef DIYA_FORTRAN_MPI_H
#define DIYA_FORTRAN_MPI_H

#include "hook_mpi.h"

/* Makes the hooks of all names of a function with the macro of its shape. */
#define FORTRAN_NAMES(shape, lower, KEY, ...)                                                                          \
    shape(lower##_, KEY, __VA_ARGS__) shape(lower##__, KEY, __VA_ARGS__) shape(lower, KEY, __VA_ARGS__)                \
        shape(KEY, KEY, __VA_ARGS__) shape(lower##_f08_, KEY, __VA_ARGS__)

/* The same for a function with a buffer. */
#define FORTRAN_BUFFER_NAMES(shape, lower, KEY, ...)                                                                   \
    FORTRAN_NAMES(shape, lower, KEY, __VA_ARGS__)                                                                      \
    shape(lower##_f08ts_, KEY, __VA_ARGS__)

/* Starts the record of a call on a file; false: only forward. What MPI does
 * inside is not recorded again until fortran_returned. */
static inline bool fortran_begin_file(struct diya_mpi_call *mpi, uint16_t function, const int32_t *file,
                                      enum diya_mpi_pointer pointer, int64_t offset, const void *caller)
{
    uintptr_t handle = diya_mpi_from_fortran(DIYA_MPI_FILE, *file, caller);
    if (!diya_mpi_begin_file(mpi, function, handle, pointer, offset, caller))
        return false;
    diya_mpi_inside++;
    return true;
}

static inline bool fortran_begin(struct diya_mpi_call *mpi, uint16_t function, const void *caller)
{
    if (!diya_mpi_begin(mpi, function, caller))
        return false;
    diya_mpi_inside++;
    return true;
}

/* The error code; it may be left out in mpi_f08, and then is not known. */
static inline int fortran_returned(struct diya_mpi_call *mpi, const int32_t *error)
{
    diya_mpi_returned(mpi);
    diya_mpi_inside--;
    return error != NULL ? *error : 0;
}

#endif
