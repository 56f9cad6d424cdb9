/* MPI-IO from Fortran, while independent writes are gathered.
 *
 * The library's Fortran functions call its functions in C, where our hooks are, and translate
 * handles and status. The recorder's Fortran hooks are in front of them and would record
 * writes that are only gathered, and not those that are made. So they are passed by: the
 * recorder sees what our hooks in C hand on. One function has several names, by compiler and
 * module (capture/src/fortran_mpi.h). All arguments are addresses, eight at most; those that a
 * function does not have are handed on unread.
 */
#include "mpi.h"

typedef void (*function)(void *, void *, void *, void *, void *, void *, void *, void *);

static function target(void **slot, const char *name)
{
    void *found = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
    if (found == NULL && apply_is_asked(APPLY_mpi_collect))
        found = apply_layer_past(name);
    if (found == NULL)
        found = apply_layer_next(name, NULL);
    __atomic_store_n(slot, found, __ATOMIC_RELEASE);
    return (function)found;
}

#define FORWARD(symbol)                                                                                                \
    APPLY_EXPORT void symbol(void *a, void *b, void *c, void *d, void *e, void *f, void *g, void *h);                  \
    void symbol(void *a, void *b, void *c, void *d, void *e, void *f, void *g, void *h)                                \
    {                                                                                                                  \
        static void *slot;                                                                                             \
        const void *before = apply_layer_for(APPLY_CALLER);                                                            \
        target(&slot, #symbol)(a, b, c, d, e, f, g, h);                                                                \
        apply_layer_for(before);                                                                                       \
    }

#define NAMES(lower, UPPER)                                                                                            \
    FORWARD(lower##_)                                                                                                  \
    FORWARD(lower##__)                                                                                                 \
    FORWARD(lower)                                                                                                     \
    FORWARD(UPPER)                                                                                                     \
    FORWARD(lower##_f08_)

#define DATA_NAMES(lower, UPPER)                                                                                       \
    NAMES(lower, UPPER)                                                                                                \
    FORWARD(lower##_f08ts_)                                                                                            \
    FORWARD(lower##_c_f08ts_)

NAMES(mpi_file_open, MPI_FILE_OPEN)
NAMES(mpi_file_close, MPI_FILE_CLOSE)
NAMES(mpi_file_set_view, MPI_FILE_SET_VIEW)
NAMES(mpi_file_set_info, MPI_FILE_SET_INFO)
NAMES(mpi_file_set_size, MPI_FILE_SET_SIZE)
NAMES(mpi_file_preallocate, MPI_FILE_PREALLOCATE)
NAMES(mpi_file_sync, MPI_FILE_SYNC)
NAMES(mpi_file_get_size, MPI_FILE_GET_SIZE)
NAMES(mpi_file_set_atomicity, MPI_FILE_SET_ATOMICITY)
NAMES(mpi_file_seek, MPI_FILE_SEEK)
NAMES(mpi_file_seek_shared, MPI_FILE_SEEK_SHARED)

#define TRANSFERS(verb, VERB)                                                                                          \
    DATA_NAMES(mpi_file_##verb, MPI_FILE_##VERB)                                                                       \
    DATA_NAMES(mpi_file_##verb##_all, MPI_FILE_##VERB##_ALL)                                                           \
    DATA_NAMES(mpi_file_##verb##_shared, MPI_FILE_##VERB##_SHARED)                                                     \
    DATA_NAMES(mpi_file_##verb##_ordered, MPI_FILE_##VERB##_ORDERED)                                                   \
    DATA_NAMES(mpi_file_##verb##_at, MPI_FILE_##VERB##_AT)                                                             \
    DATA_NAMES(mpi_file_##verb##_at_all, MPI_FILE_##VERB##_AT_ALL)                                                     \
    DATA_NAMES(mpi_file_##verb##_all_begin, MPI_FILE_##VERB##_ALL_BEGIN)                                               \
    DATA_NAMES(mpi_file_##verb##_ordered_begin, MPI_FILE_##VERB##_ORDERED_BEGIN)                                       \
    DATA_NAMES(mpi_file_##verb##_at_all_begin, MPI_FILE_##VERB##_AT_ALL_BEGIN)                                         \
    DATA_NAMES(mpi_file_i##verb, MPI_FILE_I##VERB)                                                                     \
    DATA_NAMES(mpi_file_i##verb##_all, MPI_FILE_I##VERB##_ALL)                                                         \
    DATA_NAMES(mpi_file_i##verb##_shared, MPI_FILE_I##VERB##_SHARED)                                                   \
    DATA_NAMES(mpi_file_i##verb##_at, MPI_FILE_I##VERB##_AT)                                                           \
    DATA_NAMES(mpi_file_i##verb##_at_all, MPI_FILE_I##VERB##_AT_ALL)

TRANSFERS(read, READ)
TRANSFERS(write, WRITE)
