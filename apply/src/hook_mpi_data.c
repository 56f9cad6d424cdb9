/* Reads and writes of MPI-IO, for mpi_collect: what has to be written before them.
 *
 * A function is a line in the lists at the end. Each has a twin with a 64-bit count (MPI 4)
 * that ends in _c.
 */
#include "mpi_file.h"

enum manner {
    ALONE,    /* one rank calls: what it gathered goes first */
    TOGETHER, /* all ranks call, and may wait for each other */
    REQUEST,  /* begins without waiting: no view may be set until it is complete */
    SHARED,   /* moves the shared file pointer, which a view would reset */
    SHARED_TOGETHER,
};

/* Calls of all ranks may wait for each other, so the lock is not held meanwhile. */
static bool is_of_all(enum manner manner)
{
    return manner == TOGETHER || manner == SHARED_TOGETHER;
}

/* A view may not be set while a request is under way, and would reset the shared pointer
 * (MPI 4.0, section 14.3): then nothing is gathered any more. */
static int stop_for(const struct mpi_library *mpi, struct mpi_file *file, enum manner manner)
{
    const char *why = manner == REQUEST                               ? "the program uses non-blocking calls on it"
                      : manner == SHARED || manner == SHARED_TOGETHER ? "the program uses its shared file pointer"
                                                                      : NULL;
    return why != NULL ? apply_mpi_stop(mpi, file, why) : 0;
}

static int before(struct mpi_file *file, enum manner manner, bool uses_position, const void *caller)
{
    const struct mpi_library *mpi = apply_mpi(caller);
    pthread_mutex_lock(&file->lock);
    int error = stop_for(mpi, file, manner);
    int failed = is_of_all(manner) ? 0 : apply_mpi_write_alone(mpi, file);
    pthread_mutex_unlock(&file->lock);
    error = error != 0 ? error : failed;
    failed = is_of_all(manner) ? apply_mpi_write_together(mpi, file) : 0;
    error = error != 0 ? error : failed;
    pthread_mutex_lock(&file->lock);
    failed = uses_position ? apply_mpi_settle_position(mpi, file) : 0;
    pthread_mutex_unlock(&file->lock);
    return error != 0 ? error : failed;
}

struct transfer {
    enum manner manner;
    bool is_write; /* one that can be gathered */
    bool has_offset;
    int64_t offset;
    void *buffer;
    int64_t count;
    uintptr_t type;
    void *last; /* status or request; of the first half of a split call nothing */
};

/* true: the call is done. */
static bool is_taken(struct mpi_file *file, const struct transfer *transfer, const void *caller, int *delayed)
{
    if (file == NULL)
        return false;
    if (!transfer->is_write || !file->gathers) {
        *delayed = before(file, transfer->manner, !transfer->has_offset, caller);
        return false;
    }
    const struct mpi_library *mpi = apply_mpi(caller);
    if (apply_mpi_take(mpi, file, transfer->has_offset ? &transfer->offset : NULL, transfer->buffer, transfer->count,
                       transfer->type, transfer->last, delayed))
        return true;
    int failed = transfer->has_offset ? 0 : apply_mpi_settle_position(mpi, file);
    *delayed = *delayed != 0 ? *delayed : failed;
    return false;
}

#define MPI_ERR_COUNT 2 /* the same in all families */

/* A library of before MPI 4 has no twin, but a program that looks for it finds ours. */
#define CALL_SMALL(small, ...)                                                                                         \
    uintptr_t made = 0;                                                                                                \
    if (count != (int)count && !apply_mpi_large_type(apply_mpi(caller), count, type, &made))                           \
        return MPI_ERR_COUNT;                                                                                          \
    int items = made != 0 ? 1 : (int)count;                                                                            \
    uintptr_t of = made != 0 ? made : type;                                                                            \
    int error = small(__VA_ARGS__);                                                                                    \
    if (made != 0)                                                                                                     \
        apply_mpi(caller)->Type_free(&made);                                                                           \
    return error;

#define TRANSFER(how, can_gather, with_offset, at)                                                                     \
    struct mpi_scope scope;                                                                                            \
    int delayed = 0, error = 0;                                                                                        \
    struct mpi_file *mine = apply_mpi_enter(&scope, caller) ? apply_mpi_file_find(file) : NULL;                        \
    struct transfer transfer = {.manner = how,                                                                         \
                                .is_write = can_gather,                                                                \
                                .has_offset = with_offset,                                                             \
                                .offset = at,                                                                          \
                                .buffer = buffer,                                                                      \
                                .count = count,                                                                        \
                                .type = type,                                                                          \
                                .last = last};                                                                         \
    bool is_held = mine != NULL && mine->takes_part && !is_of_all(how);                                                \
    if (is_held)                                                                                                       \
        pthread_mutex_lock(&mine->lock);                                                                               \
    if (!is_taken(mine, &transfer, caller, &delayed))                                                                  \
        error = HAND_ON;                                                                                               \
    if (is_held)                                                                                                       \
        pthread_mutex_unlock(&mine->lock);                                                                             \
    apply_mpi_leave(&scope);                                                                                           \
    return error != 0 ? error : delayed;

/* f(file, buffer, count, type, last). The first half of a split call has no last argument:
 * what is in its register is handed on. */
#define IMPLICIT_AS(prefix, name, how, can_gather)                                                                     \
    APPLY_EXPORT int prefix##name(uintptr_t file, void *buffer, int count, uintptr_t type, void *last);                \
    int prefix##name(uintptr_t file, void *buffer, int count, uintptr_t type, void *last)                              \
    {                                                                                                                  \
        static void *slot;                                                                                             \
        const void *caller = APPLY_CALLER;                                                                             \
        __typeof__(&prefix##name) real = (__typeof__(&prefix##name))apply_mpi_next(&slot, #prefix #name, caller);      \
        TRANSFER(how, can_gather, false, 0)                                                                            \
    }                                                                                                                  \
    APPLY_EXPORT int prefix##name##_c(uintptr_t file, void *buffer, int64_t count, uintptr_t type, void *last);        \
    int prefix##name##_c(uintptr_t file, void *buffer, int64_t count, uintptr_t type, void *last)                      \
    {                                                                                                                  \
        static void *slot;                                                                                             \
        const void *caller = APPLY_CALLER;                                                                             \
        __typeof__(&prefix##name##_c) real =                                                                           \
            (__typeof__(&prefix##name##_c))apply_mpi_next(&slot, #prefix #name "_c", caller);                          \
        if (real == NULL) {                                                                                            \
            CALL_SMALL(prefix##name, file, buffer, items, of, last)                                                    \
        }                                                                                                              \
        TRANSFER(how, can_gather, false, 0)                                                                            \
    }

/* f(file, offset, buffer, count, type, last) */
#define EXPLICIT_AS(prefix, name, how, can_gather)                                                                     \
    APPLY_EXPORT int prefix##name(uintptr_t file, int64_t offset, void *buffer, int count, uintptr_t type,             \
                                  void *last);                                                                         \
    int prefix##name(uintptr_t file, int64_t offset, void *buffer, int count, uintptr_t type, void *last)              \
    {                                                                                                                  \
        static void *slot;                                                                                             \
        const void *caller = APPLY_CALLER;                                                                             \
        __typeof__(&prefix##name) real = (__typeof__(&prefix##name))apply_mpi_next(&slot, #prefix #name, caller);      \
        TRANSFER(how, can_gather, true, offset)                                                                        \
    }                                                                                                                  \
    APPLY_EXPORT int prefix##name##_c(uintptr_t file, int64_t offset, void *buffer, int64_t count, uintptr_t type,     \
                                      void *last);                                                                     \
    int prefix##name##_c(uintptr_t file, int64_t offset, void *buffer, int64_t count, uintptr_t type, void *last)      \
    {                                                                                                                  \
        static void *slot;                                                                                             \
        const void *caller = APPLY_CALLER;                                                                             \
        __typeof__(&prefix##name##_c) real =                                                                           \
            (__typeof__(&prefix##name##_c))apply_mpi_next(&slot, #prefix #name "_c", caller);                          \
        if (real == NULL) {                                                                                            \
            CALL_SMALL(prefix##name, file, offset, buffer, items, of, last)                                            \
        }                                                                                                              \
        TRANSFER(how, can_gather, true, offset)                                                                        \
    }

#define BOTH(shape, name, how, can_gather) shape(MPI_, name, how, can_gather) shape(PMPI_, name, how, can_gather)

#define FUNCTIONS(verb, can_gather)                                                                                    \
    BOTH(IMPLICIT_AS, File_##verb, ALONE, can_gather)                                                                  \
    BOTH(IMPLICIT_AS, File_##verb##_all, TOGETHER, false)                                                              \
    BOTH(IMPLICIT_AS, File_##verb##_all_begin, TOGETHER, false)                                                        \
    BOTH(IMPLICIT_AS, File_i##verb, REQUEST, false)                                                                    \
    BOTH(IMPLICIT_AS, File_i##verb##_all, REQUEST, false)                                                              \
    BOTH(IMPLICIT_AS, File_##verb##_shared, SHARED, false)                                                             \
    BOTH(IMPLICIT_AS, File_i##verb##_shared, SHARED, false)                                                            \
    BOTH(IMPLICIT_AS, File_##verb##_ordered, SHARED_TOGETHER, false)                                                   \
    BOTH(IMPLICIT_AS, File_##verb##_ordered_begin, SHARED_TOGETHER, false)

/* The calls with an explicit offset have no file pointer to follow. */
#define EXPLICIT_FUNCTIONS(verb, can_gather)                                                                           \
    BOTH(EXPLICIT_AS, File_##verb##_at, ALONE, can_gather)                                                             \
    BOTH(EXPLICIT_AS, File_##verb##_at_all, TOGETHER, false)                                                           \
    BOTH(EXPLICIT_AS, File_##verb##_at_all_begin, TOGETHER, false)                                                     \
    BOTH(EXPLICIT_AS, File_i##verb##_at, REQUEST, false)                                                               \
    BOTH(EXPLICIT_AS, File_i##verb##_at_all, REQUEST, false)

#define HAND_ON real(file, buffer, count, type, last)
FUNCTIONS(read, false)
FUNCTIONS(write, true)
#undef HAND_ON

#define HAND_ON real(file, offset, buffer, count, type, last)
EXPLICIT_FUNCTIONS(read, false)
EXPLICIT_FUNCTIONS(write, true)
#undef HAND_ON

static int call_File_seek_shared(int (*real)(uintptr_t, int64_t, int), const void *caller, uintptr_t handle,
                                 int64_t offset, int whence)
{
    struct mpi_scope scope;
    struct mpi_file *file = apply_mpi_enter(&scope, caller) ? apply_mpi_file_find(handle) : NULL;
    int delayed = file != NULL ? before(file, SHARED_TOGETHER, false, caller) : 0;
    int error = real(handle, offset, whence);
    apply_mpi_leave(&scope);
    return error != 0 ? error : delayed;
}
MPI_HOOK(File_seek_shared, (uintptr_t handle, int64_t offset, int whence), (real, caller, handle, offset, whence))
