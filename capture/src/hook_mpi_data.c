/* Reads and writes of MPI-IO.
 *
 * Six shapes of arguments; the lists at the end name the functions of each.
 * Every function has a twin with a 64-bit count (MPI 4) that ends in _c.
 */
#include "hook_mpi.h"

/* A library of before MPI 4 has no twins, but since we have, mpi4py (which looks
 * whether the symbol is there) would call them: so they do what it would have
 * done itself, with an int count of a larger type where the count is too large. */
#define RETURN_FITTED(small, count, type, ...)                                                                         \
    do {                                                                                                               \
        struct diya_mpi_fitted fitted;                                                                                 \
        if (!diya_mpi_fit(&fitted, count, type, DIYA_CALLER))                                                          \
            return MPI_ERR_COUNT;                                                                                      \
        int error_of_small = small(__VA_ARGS__);                                                                       \
        diya_mpi_release(&fitted, DIYA_CALLER);                                                                        \
        return error_of_small;                                                                                         \
    } while (0)

#define MPI_ERR_COUNT 2 /* the same in all families */

/* In place of a function that no library has. */
static int missing_function(uintptr_t first, ...)
{
    (void)first;
    return -1;
}

/* One line of a list: function, its key in schema/functions/mpiio.toml, and
 * where the data are. */

/* A status for calls that ignore theirs (0 or 1 in all families): at the end of a
 * file only it says how much was read. The largest there is has 32 bytes. */
struct any_status {
    _Alignas(16) char bytes[128];
};
static void *asked_for(void *status, struct any_status *room)
{
    return (uintptr_t)status > 1 ? status : room;
}

/* f(file, buffer, count, type, status) */
#define HOOK_IMPLICIT(name, small, key, pointer, status_of, count_type)                                                \
    DIYA_EXPORT int name(uintptr_t file, void *buffer, count_type count, uintptr_t type, void *status)                 \
    {                                                                                                                  \
        __typeof__(&name) real = DIYA_LAYER_ASK(__typeof__(&name), #name, DIYA_CALLER);                                \
        if (real == NULL)                                                                                              \
            RETURN_FITTED(small, count, type, file, buffer, fitted.count, fitted.type, status);                        \
        struct diya_mpi_call mpi;                                                                                      \
        if (!diya_mpi_begin_file(&mpi, DIYA_F_##key, file, pointer, 0, DIYA_CALLER))                                   \
            return real(file, buffer, count, type, status);                                                            \
        struct any_status room;                                                                                        \
        void *known = status_of(&room) != NULL ? asked_for(status, &room) : status;                                    \
        int error = real(file, buffer, count, type, known);                                                            \
        diya_mpi_end_data(&mpi, error, count, type, status_of(known));                                                 \
        return error;                                                                                                  \
    }

/* f(file, offset, buffer, count, type, status) */
#define HOOK_EXPLICIT(name, small, key, pointer, status_of, count_type)                                                \
    DIYA_EXPORT int name(uintptr_t file, int64_t offset, void *buffer, count_type count, uintptr_t type, void *status) \
    {                                                                                                                  \
        __typeof__(&name) real = DIYA_LAYER_ASK(__typeof__(&name), #name, DIYA_CALLER);                                \
        if (real == NULL)                                                                                              \
            RETURN_FITTED(small, count, type, file, offset, buffer, fitted.count, fitted.type, status);                \
        struct diya_mpi_call mpi;                                                                                      \
        if (!diya_mpi_begin_file(&mpi, DIYA_F_##key, file, pointer, offset, DIYA_CALLER))                              \
            return real(file, offset, buffer, count, type, status);                                                    \
        struct any_status room;                                                                                        \
        void *known = status_of(&room) != NULL ? asked_for(status, &room) : status;                                    \
        int error = real(file, offset, buffer, count, type, known);                                                    \
        diya_mpi_end_data(&mpi, error, count, type, status_of(known));                                                 \
        return error;                                                                                                  \
    }

/* f(file, buffer, count, type, request) */
#define HOOK_IMPLICIT_START(name, small, key, pointer, status_of, count_type)                                          \
    DIYA_EXPORT int name(uintptr_t file, void *buffer, count_type count, uintptr_t type, void *request)                \
    {                                                                                                                  \
        __typeof__(&name) real = DIYA_LAYER_ASK(__typeof__(&name), #name, DIYA_CALLER);                                \
        if (real == NULL)                                                                                              \
            RETURN_FITTED(small, count, type, file, buffer, fitted.count, fitted.type, request);                       \
        struct diya_mpi_call mpi;                                                                                      \
        if (!diya_mpi_begin_file(&mpi, DIYA_F_##key, file, pointer, 0, DIYA_CALLER))                                   \
            return real(file, buffer, count, type, request);                                                           \
        int error = real(file, buffer, count, type, request);                                                          \
        end_start(&mpi, error, count, type, request);                                                                  \
        return error;                                                                                                  \
    }

/* f(file, offset, buffer, count, type, request) */
#define HOOK_EXPLICIT_START(name, small, key, pointer, status_of, count_type)                                          \
    DIYA_EXPORT int name(uintptr_t file, int64_t offset, void *buffer, count_type count, uintptr_t type,               \
                         void *request)                                                                                \
    {                                                                                                                  \
        __typeof__(&name) real = DIYA_LAYER_ASK(__typeof__(&name), #name, DIYA_CALLER);                                \
        if (real == NULL)                                                                                              \
            RETURN_FITTED(small, count, type, file, offset, buffer, fitted.count, fitted.type, request);               \
        struct diya_mpi_call mpi;                                                                                      \
        if (!diya_mpi_begin_file(&mpi, DIYA_F_##key, file, pointer, offset, DIYA_CALLER))                              \
            return real(file, offset, buffer, count, type, request);                                                   \
        int error = real(file, offset, buffer, count, type, request);                                                  \
        end_start(&mpi, error, count, type, request);                                                                  \
        return error;                                                                                                  \
    }

/* f(file, buffer, count, type), the first half of a split call */
#define HOOK_IMPLICIT_BEGIN(name, small, key, pointer, status_of, count_type)                                          \
    DIYA_EXPORT int name(uintptr_t file, void *buffer, count_type count, uintptr_t type)                               \
    {                                                                                                                  \
        __typeof__(&name) real = DIYA_LAYER_ASK(__typeof__(&name), #name, DIYA_CALLER);                                \
        if (real == NULL)                                                                                              \
            RETURN_FITTED(small, count, type, file, buffer, fitted.count, fitted.type);                                \
        struct diya_mpi_call mpi;                                                                                      \
        if (!diya_mpi_begin_file(&mpi, DIYA_F_##key, file, pointer, 0, DIYA_CALLER))                                   \
            return real(file, buffer, count, type);                                                                    \
        int error = real(file, buffer, count, type);                                                                   \
        diya_mpi_end_data(&mpi, error, count, type, NULL);                                                             \
        return error;                                                                                                  \
    }

/* f(file, offset, buffer, count, type), the first half of a split call */
#define HOOK_EXPLICIT_BEGIN(name, small, key, pointer, status_of, count_type)                                          \
    DIYA_EXPORT int name(uintptr_t file, int64_t offset, void *buffer, count_type count, uintptr_t type)               \
    {                                                                                                                  \
        __typeof__(&name) real = DIYA_LAYER_ASK(__typeof__(&name), #name, DIYA_CALLER);                                \
        if (real == NULL)                                                                                              \
            RETURN_FITTED(small, count, type, file, offset, buffer, fitted.count, fitted.type);                        \
        struct diya_mpi_call mpi;                                                                                      \
        if (!diya_mpi_begin_file(&mpi, DIYA_F_##key, file, pointer, offset, DIYA_CALLER))                              \
            return real(file, offset, buffer, count, type);                                                            \
        int error = real(file, offset, buffer, count, type);                                                           \
        diya_mpi_end_data(&mpi, error, count, type, NULL);                                                             \
        return error;                                                                                                  \
    }

/* f(file, buffer, status), the second half of a split call */
#define HOOK_SPLIT_END(name, key)                                                                                      \
    DIYA_EXPORT int name(uintptr_t file, void *buffer, void *status)                                                   \
    {                                                                                                                  \
        __typeof__(&name) real = DIYA_LAYER_REAL(name, DIYA_CALLER);                                                   \
        struct diya_mpi_call mpi;                                                                                      \
        if (!diya_mpi_begin_file(&mpi, DIYA_F_##key, file, DIYA_MPI_NO_OFFSET, 0, DIYA_CALLER))                        \
            return real(file, buffer, status);                                                                         \
        int error = real(file, buffer, status);                                                                        \
        diya_mpi_end_simple(&mpi, error, 0);                                                                           \
        return error;                                                                                                  \
    }

static void end_start(struct diya_mpi_call *mpi, int error, int64_t count, uintptr_t type, const void *request)
{
    diya_mpi_returned(mpi);
    if (error == 0)
        diya_mpi_request_started(mpi, diya_mpi_family(mpi->caller) == DIYA_MPI_MPICH ? *(const uint32_t *)request
                                                                                     : *(const uintptr_t *)request);
    diya_mpi_end_data(mpi, error, count, type, NULL);
}

/* Reads come back short at the end of the file: ask the status how much there
 * was. A write that succeeded is complete. */
static void *of_read(void *status)
{
    return status;
}
static void *of_write(void *status)
{
    (void)status;
    return NULL;
}

#define HOOK_BOTH(shape, name, key, pointer, status_of)                                                                \
    shape(name, missing_function, key, pointer, status_of, int) shape(name##_c, name, key, pointer, status_of, int64_t)

#define HOOKS(Verb, KEY, status_of)                                                                                    \
    HOOK_BOTH(HOOK_IMPLICIT, MPI_File_##Verb, MPI_FILE_##KEY, DIYA_MPI_INDIVIDUAL, status_of)                          \
    HOOK_BOTH(HOOK_IMPLICIT, MPI_File_##Verb##_all, MPI_FILE_##KEY##_ALL, DIYA_MPI_INDIVIDUAL, status_of)              \
    HOOK_BOTH(HOOK_IMPLICIT, MPI_File_##Verb##_shared, MPI_FILE_##KEY##_SHARED, DIYA_MPI_NO_OFFSET, status_of)         \
    HOOK_BOTH(HOOK_IMPLICIT, MPI_File_##Verb##_ordered, MPI_FILE_##KEY##_ORDERED, DIYA_MPI_NO_OFFSET, status_of)       \
    HOOK_BOTH(HOOK_EXPLICIT, MPI_File_##Verb##_at, MPI_FILE_##KEY##_AT, DIYA_MPI_EXPLICIT, status_of)                  \
    HOOK_BOTH(HOOK_EXPLICIT, MPI_File_##Verb##_at_all, MPI_FILE_##KEY##_AT_ALL, DIYA_MPI_EXPLICIT, status_of)          \
    HOOK_BOTH(HOOK_IMPLICIT_START, MPI_File_i##Verb, MPI_FILE_I##KEY, DIYA_MPI_INDIVIDUAL, 0)                          \
    HOOK_BOTH(HOOK_IMPLICIT_START, MPI_File_i##Verb##_all, MPI_FILE_I##KEY##_ALL, DIYA_MPI_INDIVIDUAL, 0)              \
    HOOK_BOTH(HOOK_IMPLICIT_START, MPI_File_i##Verb##_shared, MPI_FILE_I##KEY##_SHARED, DIYA_MPI_NO_OFFSET, 0)         \
    HOOK_BOTH(HOOK_EXPLICIT_START, MPI_File_i##Verb##_at, MPI_FILE_I##KEY##_AT, DIYA_MPI_EXPLICIT, 0)                  \
    HOOK_BOTH(HOOK_EXPLICIT_START, MPI_File_i##Verb##_at_all, MPI_FILE_I##KEY##_AT_ALL, DIYA_MPI_EXPLICIT, 0)          \
    HOOK_BOTH(HOOK_IMPLICIT_BEGIN, MPI_File_##Verb##_all_begin, MPI_FILE_##KEY##_ALL_BEGIN, DIYA_MPI_INDIVIDUAL, 0)    \
    HOOK_BOTH(HOOK_IMPLICIT_BEGIN, MPI_File_##Verb##_ordered_begin, MPI_FILE_##KEY##_ORDERED_BEGIN,                    \
              DIYA_MPI_NO_OFFSET, 0)                                                                                   \
    HOOK_BOTH(HOOK_EXPLICIT_BEGIN, MPI_File_##Verb##_at_all_begin, MPI_FILE_##KEY##_AT_ALL_BEGIN, DIYA_MPI_EXPLICIT,   \
              0)                                                                                                       \
    HOOK_SPLIT_END(MPI_File_##Verb##_all_end, MPI_FILE_##KEY##_ALL_END)                                                \
    HOOK_SPLIT_END(MPI_File_##Verb##_ordered_end, MPI_FILE_##KEY##_ORDERED_END)                                        \
    HOOK_SPLIT_END(MPI_File_##Verb##_at_all_end, MPI_FILE_##KEY##_AT_ALL_END)

HOOKS(read, READ, of_read)
HOOKS(write, WRITE, of_write)
