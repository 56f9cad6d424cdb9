/* Reads and writes of MPI-IO from Fortran. */
#include "fortran_mpi.h"

/* The count: 32 bits, or 64 in the names that end in _c. */
struct count {
    void *at;
    bool is_large;
};

typedef void (*implicit_function)(int32_t *, void *, void *, int32_t *, void *, int32_t *);
typedef void (*explicit_function)(int32_t *, int64_t *, void *, void *, int32_t *, void *, int32_t *);
typedef void (*implicit_begin_function)(int32_t *, void *, void *, int32_t *, int32_t *);
typedef void (*explicit_begin_function)(int32_t *, int64_t *, void *, void *, int32_t *, int32_t *);
typedef void (*split_end_function)(int32_t *, void *, void *, int32_t *);

/* Which of the arguments after the type it is. */
enum last_argument { STATUS, REQUEST };

/* The status is not looked at: its layout and the address that means "none"
 * differ by module. A read that succeeded counts as complete. */
static void end_data(struct diya_mpi_call *mpi, const int32_t *error, struct count count, const int32_t *type,
                     enum last_argument last, const void *argument)
{
    int code = fortran_returned(mpi, error);
    if (code == 0 && last == REQUEST)
        diya_mpi_request_started(mpi, diya_mpi_from_fortran(DIYA_MPI_REQUEST, *(const int32_t *)argument, mpi->caller));
    uintptr_t handle = code == 0 ? diya_mpi_from_fortran(DIYA_MPI_TYPE, *type, mpi->caller) : 0;
    int64_t items = count.is_large ? *(const int64_t *)count.at : *(const int32_t *)count.at;
    diya_mpi_end_data(mpi, code, items, handle, NULL);
}

static void call_implicit(implicit_function real, uint16_t function, enum diya_mpi_pointer pointer,
                          enum last_argument last, const void *caller, int32_t *file, void *buffer, struct count count,
                          int32_t *type, void *argument, int32_t *error)
{
    struct diya_mpi_call mpi;
    bool is_recorded = fortran_begin_file(&mpi, function, file, pointer, 0, caller);
    real(file, buffer, count.at, type, argument, error);
    if (is_recorded)
        end_data(&mpi, error, count, type, last, argument);
}

static void call_explicit(explicit_function real, uint16_t function, enum last_argument last, const void *caller,
                          int32_t *file, int64_t *offset, void *buffer, struct count count, int32_t *type,
                          void *argument, int32_t *error)
{
    struct diya_mpi_call mpi;
    bool is_recorded = fortran_begin_file(&mpi, function, file, DIYA_MPI_EXPLICIT, *offset, caller);
    real(file, offset, buffer, count.at, type, argument, error);
    if (is_recorded)
        end_data(&mpi, error, count, type, last, argument);
}

static void call_implicit_begin(implicit_begin_function real, uint16_t function, enum diya_mpi_pointer pointer,
                                const void *caller, int32_t *file, void *buffer, struct count count, int32_t *type,
                                int32_t *error)
{
    struct diya_mpi_call mpi;
    bool is_recorded = fortran_begin_file(&mpi, function, file, pointer, 0, caller);
    real(file, buffer, count.at, type, error);
    if (is_recorded)
        end_data(&mpi, error, count, type, STATUS, NULL);
}

static void call_explicit_begin(explicit_begin_function real, uint16_t function, const void *caller, int32_t *file,
                                int64_t *offset, void *buffer, struct count count, int32_t *type, int32_t *error)
{
    struct diya_mpi_call mpi;
    bool is_recorded = fortran_begin_file(&mpi, function, file, DIYA_MPI_EXPLICIT, *offset, caller);
    real(file, offset, buffer, count.at, type, error);
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

#define IMPLICIT_AS(symbol, IS_LARGE, KEY, pointer, last)                                                              \
    DIYA_EXPORT void symbol(int32_t *file, void *buffer, void *count, int32_t *type, void *argument, int32_t *error)   \
    {                                                                                                                  \
        call_implicit(DIYA_LAYER_REAL(symbol, DIYA_CALLER), DIYA_F_##KEY, pointer, last, DIYA_CALLER, file, buffer,    \
                      (struct count){count, IS_LARGE}, type, argument, error);                                         \
    }

#define EXPLICIT_AS(symbol, IS_LARGE, KEY, last)                                                                       \
    DIYA_EXPORT void symbol(int32_t *file, int64_t *offset, void *buffer, void *count, int32_t *type, void *argument,  \
                            int32_t *error)                                                                            \
    {                                                                                                                  \
        call_explicit(DIYA_LAYER_REAL(symbol, DIYA_CALLER), DIYA_F_##KEY, last, DIYA_CALLER, file, offset, buffer,     \
                      (struct count){count, IS_LARGE}, type, argument, error);                                         \
    }

#define IMPLICIT_BEGIN_AS(symbol, IS_LARGE, KEY, pointer)                                                              \
    DIYA_EXPORT void symbol(int32_t *file, void *buffer, void *count, int32_t *type, int32_t *error)                   \
    {                                                                                                                  \
        call_implicit_begin(DIYA_LAYER_REAL(symbol, DIYA_CALLER), DIYA_F_##KEY, pointer, DIYA_CALLER, file, buffer,    \
                            (struct count){count, IS_LARGE}, type, error);                                             \
    }

#define EXPLICIT_BEGIN_AS(symbol, IS_LARGE, KEY, unused)                                                               \
    DIYA_EXPORT void symbol(int32_t *file, int64_t *offset, void *buffer, void *count, int32_t *type, int32_t *error)  \
    {                                                                                                                  \
        call_explicit_begin(DIYA_LAYER_REAL(symbol, DIYA_CALLER), DIYA_F_##KEY, DIYA_CALLER, file, offset, buffer,     \
                            (struct count){count, IS_LARGE}, type, error);                                             \
    }

#define IMPLICIT(symbol, ...) IMPLICIT_AS(symbol, false, __VA_ARGS__)
#define EXPLICIT(symbol, ...) EXPLICIT_AS(symbol, false, __VA_ARGS__)
#define IMPLICIT_BEGIN(symbol, ...) IMPLICIT_BEGIN_AS(symbol, false, __VA_ARGS__)
#define EXPLICIT_BEGIN(symbol, ...) EXPLICIT_BEGIN_AS(symbol, false, __VA_ARGS__)

/* All names of a function with a count: mpi_f08 of MPICH has one more, whose count
 * has 64 bits. */
#define COUNT_NAMES(shape, lower, KEY, ...)                                                                            \
    FORTRAN_BUFFER_NAMES(shape, lower, KEY, __VA_ARGS__)                                                               \
    shape##_AS(lower##_c_f08ts_, true, KEY, __VA_ARGS__)

#define SPLIT_END(symbol, KEY, unused)                                                                                 \
    DIYA_EXPORT void symbol(int32_t *file, void *buffer, void *status, int32_t *error)                                 \
    {                                                                                                                  \
        call_split_end(DIYA_LAYER_REAL(symbol, DIYA_CALLER), DIYA_F_##KEY, DIYA_CALLER, file, buffer, status, error);  \
    }

#define HOOKS(verb, VERB)                                                                                              \
    COUNT_NAMES(IMPLICIT, mpi_file_##verb, MPI_FILE_##VERB, DIYA_MPI_INDIVIDUAL, STATUS)                               \
    COUNT_NAMES(IMPLICIT, mpi_file_##verb##_all, MPI_FILE_##VERB##_ALL, DIYA_MPI_INDIVIDUAL, STATUS)                   \
    COUNT_NAMES(IMPLICIT, mpi_file_##verb##_shared, MPI_FILE_##VERB##_SHARED, DIYA_MPI_NO_OFFSET, STATUS)              \
    COUNT_NAMES(IMPLICIT, mpi_file_##verb##_ordered, MPI_FILE_##VERB##_ORDERED, DIYA_MPI_NO_OFFSET, STATUS)            \
    COUNT_NAMES(IMPLICIT, mpi_file_i##verb, MPI_FILE_I##VERB, DIYA_MPI_INDIVIDUAL, REQUEST)                            \
    COUNT_NAMES(IMPLICIT, mpi_file_i##verb##_all, MPI_FILE_I##VERB##_ALL, DIYA_MPI_INDIVIDUAL, REQUEST)                \
    COUNT_NAMES(IMPLICIT, mpi_file_i##verb##_shared, MPI_FILE_I##VERB##_SHARED, DIYA_MPI_NO_OFFSET, REQUEST)           \
    COUNT_NAMES(EXPLICIT, mpi_file_##verb##_at, MPI_FILE_##VERB##_AT, STATUS)                                          \
    COUNT_NAMES(EXPLICIT, mpi_file_##verb##_at_all, MPI_FILE_##VERB##_AT_ALL, STATUS)                                  \
    COUNT_NAMES(EXPLICIT, mpi_file_i##verb##_at, MPI_FILE_I##VERB##_AT, REQUEST)                                       \
    COUNT_NAMES(EXPLICIT, mpi_file_i##verb##_at_all, MPI_FILE_I##VERB##_AT_ALL, REQUEST)                               \
    COUNT_NAMES(IMPLICIT_BEGIN, mpi_file_##verb##_all_begin, MPI_FILE_##VERB##_ALL_BEGIN, DIYA_MPI_INDIVIDUAL)         \
    COUNT_NAMES(IMPLICIT_BEGIN, mpi_file_##verb##_ordered_begin, MPI_FILE_##VERB##_ORDERED_BEGIN, DIYA_MPI_NO_OFFSET)  \
    COUNT_NAMES(EXPLICIT_BEGIN, mpi_file_##verb##_at_all_begin, MPI_FILE_##VERB##_AT_ALL_BEGIN, 0)                     \
    FORTRAN_BUFFER_NAMES(SPLIT_END, mpi_file_##verb##_all_end, MPI_FILE_##VERB##_ALL_END, 0)                           \
    FORTRAN_BUFFER_NAMES(SPLIT_END, mpi_file_##verb##_ordered_end, MPI_FILE_##VERB##_ORDERED_END, 0)                   \
    FORTRAN_BUFFER_NAMES(SPLIT_END, mpi_file_##verb##_at_all_end, MPI_FILE_##VERB##_AT_ALL_END, 0)

HOOKS(read, READ)
HOOKS(write, WRITE)
