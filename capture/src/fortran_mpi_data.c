/* Reads and writes of MPI-IO from Fortran. */
#include "fortran_mpi.h"

typedef void (*implicit_function)(int32_t *, void *, int32_t *, int32_t *, void *, int32_t *);
typedef void (*explicit_function)(int32_t *, int64_t *, void *, int32_t *, int32_t *, void *, int32_t *);
typedef void (*implicit_begin_function)(int32_t *, void *, int32_t *, int32_t *, int32_t *);
typedef void (*explicit_begin_function)(int32_t *, int64_t *, void *, int32_t *, int32_t *, int32_t *);
typedef void (*split_end_function)(int32_t *, void *, void *, int32_t *);

/* Which of the arguments after the type it is. */
enum last_argument { STATUS, REQUEST };

/* The status is not looked at: its layout and the address that means "none"
 * differ by module. A read that succeeded counts as complete. */
static void end_data(struct diya_mpi_call *mpi, const int32_t *error, const int32_t *count, const int32_t *type,
                     enum last_argument last, const void *argument)
{
    int code = fortran_returned(mpi, error);
    if (code == 0 && last == REQUEST)
        diya_mpi_request_started(mpi, diya_mpi_from_fortran(DIYA_MPI_REQUEST, *(const int32_t *)argument, mpi->caller));
    uintptr_t handle = code == 0 ? diya_mpi_from_fortran(DIYA_MPI_TYPE, *type, mpi->caller) : 0;
    diya_mpi_end_data(mpi, code, *count, handle, NULL);
}

static void call_implicit(implicit_function real, uint16_t function, enum diya_mpi_pointer pointer,
                          enum last_argument last, const void *caller, int32_t *file, void *buffer, int32_t *count,
                          int32_t *type, void *argument, int32_t *error)
{
    struct diya_mpi_call mpi;
    bool is_recorded = fortran_begin_file(&mpi, function, file, pointer, 0, caller);
    real(file, buffer, count, type, argument, error);
    if (is_recorded)
        end_data(&mpi, error, count, type, last, argument);
}

static void call_explicit(explicit_function real, uint16_t function, enum last_argument last, const void *caller,
                          int32_t *file, int64_t *offset, void *buffer, int32_t *count, int32_t *type, void *argument,
                          int32_t *error)
{
    struct diya_mpi_call mpi;
    bool is_recorded = fortran_begin_file(&mpi, function, file, DIYA_MPI_EXPLICIT, *offset, caller);
    real(file, offset, buffer, count, type, argument, error);
    if (is_recorded)
        end_data(&mpi, error, count, type, last, argument);
}

static void call_implicit_begin(implicit_begin_function real, uint16_t function, enum diya_mpi_pointer pointer,
                                const void *caller, int32_t *file, void *buffer, int32_t *count, int32_t *type,
                                int32_t *error)
{
    struct diya_mpi_call mpi;
    bool is_recorded = fortran_begin_file(&mpi, function, file, pointer, 0, caller);
    real(file, buffer, count, type, error);
    if (is_recorded)
        end_data(&mpi, error, count, type, STATUS, NULL);
}

static void call_explicit_begin(explicit_begin_function real, uint16_t function, const void *caller, int32_t *file,
                                int64_t *offset, void *buffer, int32_t *count, int32_t *type, int32_t *error)
{
    struct diya_mpi_call mpi;
    bool is_recorded = fortran_begin_file(&mpi, function, file, DIYA_MPI_EXPLICIT, *offset, caller);
    real(file, offset, buffer, count, type, error);
    if (is_recorded)
        end_data(&mpi, error, count, type, STATUS, NULL);
}

static void call_split_end(split_end_function real, uint16_t function, const void *caller, int32_t *file, void *buffer,
                           void *status, int32_t *error)
{
    struct diya_mpi_call mpi;
    bool is_recorded = fortran_begin_file(&mpi, function, file, DIYA_MPI_NO_OFFSET, 0, caller);
    real(file, buffer, status, error);
    if (is_recorded)
        diya_mpi_end_simple(&mpi, fortran_returned(&mpi, error), 0);
}

#define IMPLICIT(symbol, KEY, pointer, last)                                                                           \
    DIYA_EXPORT void symbol(int32_t *file, void *buffer, int32_t *count, int32_t *type, void *argument,                \
                            int32_t *error)                                                                            \
    {                                                                                                                  \
        call_implicit(DIYA_LAYER_REAL(symbol, DIYA_CALLER), DIYA_F_##KEY, pointer, last, DIYA_CALLER, file,            \
                      buffer, count, type, argument, error);                                                           \
    }

#define EXPLICIT(symbol, KEY, last)                                                                                    \
    DIYA_EXPORT void symbol(int32_t *file, int64_t *offset, void *buffer, int32_t *count, int32_t *type,               \
                            void *argument, int32_t *error)                                                            \
    {                                                                                                                  \
        call_explicit(DIYA_LAYER_REAL(symbol, DIYA_CALLER), DIYA_F_##KEY, last, DIYA_CALLER, file, offset,             \
                      buffer, count, type, argument, error);                                                           \
    }

#define IMPLICIT_BEGIN(symbol, KEY, pointer)                                                                           \
    DIYA_EXPORT void symbol(int32_t *file, void *buffer, int32_t *count, int32_t *type, int32_t *error)                \
    {                                                                                                                  \
        call_implicit_begin(DIYA_LAYER_REAL(symbol, DIYA_CALLER), DIYA_F_##KEY, pointer, DIYA_CALLER, file,            \
                            buffer, count, type, error);                                                               \
    }

#define EXPLICIT_BEGIN(symbol, KEY, unused)                                                                            \
    DIYA_EXPORT void symbol(int32_t *file, int64_t *offset, void *buffer, int32_t *count, int32_t *type,               \
                            int32_t *error)                                                                            \
    {                                                                                                                  \
        call_explicit_begin(DIYA_LAYER_REAL(symbol, DIYA_CALLER), DIYA_F_##KEY, DIYA_CALLER, file, offset,             \
                            buffer, count, type, error);                                                               \
    }

#define SPLIT_END(symbol, KEY, unused)                                                                                 \
    DIYA_EXPORT void symbol(int32_t *file, void *buffer, void *status, int32_t *error)                                 \
    {                                                                                                                  \
        call_split_end(DIYA_LAYER_REAL(symbol, DIYA_CALLER), DIYA_F_##KEY, DIYA_CALLER, file, buffer, status,          \
                       error);                                                                                         \
    }

#define HOOKS(verb, VERB)                                                                                              \
    FORTRAN_BUFFER_NAMES(IMPLICIT, mpi_file_##verb, MPI_FILE_##VERB, DIYA_MPI_INDIVIDUAL, STATUS)                      \
    FORTRAN_BUFFER_NAMES(IMPLICIT, mpi_file_##verb##_all, MPI_FILE_##VERB##_ALL, DIYA_MPI_INDIVIDUAL, STATUS)          \
    FORTRAN_BUFFER_NAMES(IMPLICIT, mpi_file_##verb##_shared, MPI_FILE_##VERB##_SHARED, DIYA_MPI_NO_OFFSET, STATUS)     \
    FORTRAN_BUFFER_NAMES(IMPLICIT, mpi_file_##verb##_ordered, MPI_FILE_##VERB##_ORDERED, DIYA_MPI_NO_OFFSET, STATUS)   \
    FORTRAN_BUFFER_NAMES(IMPLICIT, mpi_file_i##verb, MPI_FILE_I##VERB, DIYA_MPI_INDIVIDUAL, REQUEST)                   \
    FORTRAN_BUFFER_NAMES(IMPLICIT, mpi_file_i##verb##_all, MPI_FILE_I##VERB##_ALL, DIYA_MPI_INDIVIDUAL, REQUEST)       \
    FORTRAN_BUFFER_NAMES(IMPLICIT, mpi_file_i##verb##_shared, MPI_FILE_I##VERB##_SHARED, DIYA_MPI_NO_OFFSET, REQUEST)  \
    FORTRAN_BUFFER_NAMES(EXPLICIT, mpi_file_##verb##_at, MPI_FILE_##VERB##_AT, STATUS)                                 \
    FORTRAN_BUFFER_NAMES(EXPLICIT, mpi_file_##verb##_at_all, MPI_FILE_##VERB##_AT_ALL, STATUS)                         \
    FORTRAN_BUFFER_NAMES(EXPLICIT, mpi_file_i##verb##_at, MPI_FILE_I##VERB##_AT, REQUEST)                              \
    FORTRAN_BUFFER_NAMES(EXPLICIT, mpi_file_i##verb##_at_all, MPI_FILE_I##VERB##_AT_ALL, REQUEST)                      \
    FORTRAN_BUFFER_NAMES(IMPLICIT_BEGIN, mpi_file_##verb##_all_begin, MPI_FILE_##VERB##_ALL_BEGIN, DIYA_MPI_INDIVIDUAL) \
    FORTRAN_BUFFER_NAMES(IMPLICIT_BEGIN, mpi_file_##verb##_ordered_begin, MPI_FILE_##VERB##_ORDERED_BEGIN,             \
                  DIYA_MPI_NO_OFFSET)                                                                                  \
    FORTRAN_BUFFER_NAMES(EXPLICIT_BEGIN, mpi_file_##verb##_at_all_begin, MPI_FILE_##VERB##_AT_ALL_BEGIN, 0)            \
    FORTRAN_BUFFER_NAMES(SPLIT_END, mpi_file_##verb##_all_end, MPI_FILE_##VERB##_ALL_END, 0)                           \
    FORTRAN_BUFFER_NAMES(SPLIT_END, mpi_file_##verb##_ordered_end, MPI_FILE_##VERB##_ORDERED_END, 0)                   \
    FORTRAN_BUFFER_NAMES(SPLIT_END, mpi_file_##verb##_at_all_end, MPI_FILE_##VERB##_AT_ALL_END, 0)

HOOKS(read, READ)
HOOKS(write, WRITE)
