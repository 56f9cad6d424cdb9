/* MPI-IO calls on open files that move no data. */
#include "mpi_file.h"

/* The error of delayed writes, unless the call has one of its own. */
static int first_of(int error, int delayed)
{
    return error != 0 ? error : delayed;
}

/* --- view and hints ---------------------------------------------------------------------- */

typedef int (*view_function)(uintptr_t, int64_t, uintptr_t, uintptr_t, const char *, uintptr_t);

/* Hints that were ignored when the file was opened are tried once more. */
static int view_applied(const struct mpi_library *mpi, view_function real, struct mpi_file *file, int64_t displacement,
                        uintptr_t etype, uintptr_t filetype, const char *representation, uintptr_t info)
{
    file->hints_of_program |= apply_mpi_hints_in(mpi, file->path, info, apply_mpi_hints_asked(file->path));
    uint64_t wanted = file->has_tried_view ? 0 : file->hints_ignored & ~file->hints_of_program;
    file->has_tried_view = true;
    int delayed = apply_mpi_write_together(mpi, file);
    struct mpi_hints hints = apply_mpi_hints_begin(mpi, file->path, info, wanted);
    int error = real(file->handle, displacement, etype, filetype, representation, hints.info);
    apply_mpi_hints_end(mpi, &hints);
    if (error == 0 && hints.added != 0)
        file->hints_ignored = apply_mpi_hints_ignored(mpi, file, hints.added);
    pthread_mutex_lock(&file->lock);
    if (error == 0)
        apply_mpi_collect_view(mpi, file, displacement, etype, filetype, representation);
    pthread_mutex_unlock(&file->lock);
    return first_of(error, delayed);
}

static int call_File_set_view(view_function real, const void *caller, uintptr_t handle, int64_t displacement,
                              uintptr_t etype, uintptr_t filetype, const char *representation, uintptr_t info)
{
    struct mpi_scope scope;
    bool is_outer = apply_mpi_enter(&scope, caller);
    struct mpi_file *file = is_outer ? apply_mpi_file_find(handle) : NULL;
    int error = file != NULL
                    ? view_applied(apply_mpi(caller), real, file, displacement, etype, filetype, representation, info)
                    : real(handle, displacement, etype, filetype, representation, info);
    apply_mpi_leave(&scope);
    return error;
}
MPI_HOOK(File_set_view,
         (uintptr_t handle, int64_t displacement, uintptr_t etype, uintptr_t filetype, const char *representation,
          uintptr_t info),
         (real, caller, handle, displacement, etype, filetype, representation, info))

/* --- collective calls without data --------------------------------------------------------- */

#define COLLECTIVE(name, type)                                                                                         \
    static int call_##name(int (*real)(uintptr_t, type), const void *caller, uintptr_t handle, type value)             \
    {                                                                                                                  \
        struct mpi_scope scope;                                                                                        \
        struct mpi_file *file = apply_mpi_enter(&scope, caller) ? apply_mpi_file_find(handle) : NULL;                  \
        int delayed = file != NULL ? apply_mpi_write_together(apply_mpi(caller), file) : 0;                            \
        int error = real(handle, value);                                                                               \
        if (file != NULL && error == 0)                                                                                \
            after_##name(apply_mpi(caller), file, value);                                                              \
        apply_mpi_leave(&scope);                                                                                       \
        return first_of(error, delayed);                                                                               \
    }                                                                                                                  \
    MPI_HOOK(name, (uintptr_t handle, type value), (real, caller, handle, value))

static void after_File_set_size(const struct mpi_library *mpi, struct mpi_file *file, int64_t size)
{
    (void)mpi, (void)file, (void)size;
}
COLLECTIVE(File_set_size, int64_t)

#define after_File_preallocate after_File_set_size
COLLECTIVE(File_preallocate, int64_t)

/* In the atomic mode every write is seen at once. */
static void after_File_set_atomicity(const struct mpi_library *mpi, struct mpi_file *file, int is_atomic)
{
    pthread_mutex_lock(&file->lock);
    if (is_atomic)
        apply_mpi_stop(mpi, file, "its writes are atomic");
    pthread_mutex_unlock(&file->lock);
}
COLLECTIVE(File_set_atomicity, int)

/* What the program gives later counts more than what was asked for. */
static void after_File_set_info(const struct mpi_library *mpi, struct mpi_file *file, uintptr_t info)
{
    file->hints_of_program |= apply_mpi_hints_in(mpi, file->path, info, apply_mpi_hints_asked(file->path));
}
COLLECTIVE(File_set_info, uintptr_t)

static int call_File_sync(int (*real)(uintptr_t), const void *caller, uintptr_t handle)
{
    struct mpi_scope scope;
    struct mpi_file *file = apply_mpi_enter(&scope, caller) ? apply_mpi_file_find(handle) : NULL;
    int delayed = file != NULL ? apply_mpi_write_together(apply_mpi(caller), file) : 0;
    int error = real(handle);
    apply_mpi_leave(&scope);
    return first_of(error, delayed);
}
MPI_HOOK(File_sync, (uintptr_t handle), (real, caller, handle))

/* --- size and pointers --------------------------------------------------------------------- */

static void lock_of(struct mpi_file *file)
{
    if (file != NULL)
        pthread_mutex_lock(&file->lock);
}

static void unlock_of(struct mpi_file *file)
{
    if (file != NULL)
        pthread_mutex_unlock(&file->lock);
}

static int call_File_get_size(int (*real)(uintptr_t, int64_t *), const void *caller, uintptr_t handle, int64_t *size)
{
    struct mpi_scope scope;
    struct mpi_file *file = apply_mpi_enter(&scope, caller) ? apply_mpi_file_find(handle) : NULL;
    lock_of(file);
    int delayed = file != NULL ? apply_mpi_write_alone(apply_mpi(caller), file) : 0;
    int error = real(handle, size);
    unlock_of(file);
    apply_mpi_leave(&scope);
    return first_of(error, delayed);
}
MPI_HOOK(File_get_size, (uintptr_t handle, int64_t *size), (real, caller, handle, size))

static int call_File_get_position(int (*real)(uintptr_t, int64_t *), const void *caller, uintptr_t handle,
                                  int64_t *position)
{
    struct mpi_scope scope;
    struct mpi_file *file = apply_mpi_enter(&scope, caller) ? apply_mpi_file_find(handle) : NULL;
    lock_of(file);
    bool is_ours = file != NULL && file->has_position;
    int error = is_ours ? 0 : real(handle, position);
    if (is_ours)
        *position = file->position;
    unlock_of(file);
    apply_mpi_leave(&scope);
    return error;
}
MPI_HOOK(File_get_position, (uintptr_t handle, int64_t *position), (real, caller, handle, position))

/* From the end or the position: both have to be the library's. */
static int call_File_seek(int (*real)(uintptr_t, int64_t, int), const void *caller, uintptr_t handle, int64_t offset,
                          int whence)
{
    struct mpi_scope scope;
    struct mpi_file *file = apply_mpi_enter(&scope, caller) ? apply_mpi_file_find(handle) : NULL;
    int delayed = 0;
    lock_of(file);
    if (file != NULL && whence != apply_mpi(caller)->seek_set) {
        delayed = apply_mpi_write_alone(apply_mpi(caller), file);
        delayed = first_of(delayed, apply_mpi_settle_position(apply_mpi(caller), file));
    }
    int error = real(handle, offset, whence);
    if (file != NULL && error == 0)
        file->has_position = false;
    unlock_of(file);
    apply_mpi_leave(&scope);
    return first_of(error, delayed);
}
MPI_HOOK(File_seek, (uintptr_t handle, int64_t offset, int whence), (real, caller, handle, offset, whence))
