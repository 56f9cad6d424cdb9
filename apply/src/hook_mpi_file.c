/* MPI-IO calls that move no data. */
#include "descriptors.h"
#include "mpi_file.h"

#include <stdlib.h>

enum { SEEK_SET_OF_MPI = 600 };

static bool is_anything_asked(void)
{
    return apply_is_asked(APPLY_mpi_hint) || apply_is_asked(APPLY_mpi_collect);
}

/* The error of delayed writes, unless the call has one of its own. */
static int first_of(int error, int delayed)
{
    return error != 0 ? error : delayed;
}

/* --- open, close ----------------------------------------------------------------------- */

typedef int (*open_function)(uintptr_t, const char *, int, uintptr_t, uintptr_t *);

static void note_hints(const struct mpi_library *mpi, struct mpi_file *file, uint64_t asked, uint64_t of_program,
                       uint64_t added)
{
    apply_mpi_hints_refused(file->path, of_program & asked, "the program sets this hint itself");
    file->hints_of_program = of_program;
    file->hints_ignored = apply_mpi_hints_ignored(mpi, file, added);
}

static int open_applied(const struct mpi_library *mpi, open_function real, const void *caller, uintptr_t comm,
                        const char *path, int amode, uintptr_t info, uintptr_t *handle)
{
    char room[APPLY_LAYER_PATH];
    const char *absolute = apply_layer_path(room, path);
    struct mpi_agreement agreement = apply_mpi_collect_agree(mpi, comm, amode, absolute, caller);
    uint64_t asked = apply_mpi_hints_asked(absolute), of_program = apply_mpi_hints_in(mpi, absolute, info, asked);
    struct mpi_hints hints = apply_mpi_hints_begin(mpi, absolute, info, asked & ~of_program);
    int error = real(comm, path, amode, hints.info, handle);
    apply_mpi_hints_end(mpi, &hints);
    bool is_known = error == 0 && (asked != 0 || agreement.comm != 0);
    struct mpi_file *file = is_known ? apply_mpi_file_add(*handle, absolute) : NULL;
    if (file != NULL)
        note_hints(mpi, file, asked, of_program, hints.added);
    apply_mpi_collect_open(mpi, &agreement, file);
    return error;
}

static int call_File_open(open_function real, const void *caller, uintptr_t comm, const char *path, int amode,
                          uintptr_t info, uintptr_t *handle)
{
    struct mpi_scope scope;
    const struct mpi_library *mpi = is_anything_asked() ? apply_mpi(caller) : NULL;
    bool is_outer = apply_mpi_enter(&scope, caller);
    int error = is_outer && mpi != NULL && path != NULL
                    ? open_applied(mpi, real, caller, comm, path, amode, info, handle)
                    : real(comm, path, amode, info, handle);
    apply_mpi_leave(&scope);
    return error;
}
MPI_HOOK(File_open, (uintptr_t comm, const char *path, int amode, uintptr_t info, uintptr_t *handle),
         (real, caller, comm, path, amode, info, handle))

static void tell_ignored(struct mpi_file *file)
{
    apply_mpi_hints_refused(file->path, file->hints_ignored, "the MPI library ignores this key");
}

static int call_File_close(int (*real)(uintptr_t *), const void *caller, uintptr_t *handle)
{
    struct mpi_scope scope;
    bool is_outer = apply_mpi_enter(&scope, caller);
    struct mpi_file *file = is_outer ? apply_mpi_file_take(*handle) : NULL;
    const struct mpi_library *mpi = file != NULL ? apply_mpi(caller) : NULL;
    int delayed = mpi != NULL ? apply_mpi_write_together(mpi, file) : 0;
    int error = real(handle);
    if (mpi != NULL) {
        tell_ignored(file);
        apply_mpi_collect_close(mpi, file);
        free(file);
    }
    apply_mpi_leave(&scope);
    return first_of(error, delayed);
}
MPI_HOOK(File_close, (uintptr_t *handle), (real, caller, handle))

/* What a program leaves open at the end is not lost. */
static void write_open_files(const void *caller)
{
    struct mpi_file *file;
    while ((file = apply_mpi_file_take_any()) != NULL) {
        apply_mpi_write_alone(apply_mpi(caller), file);
        tell_ignored(file);
    }
}

static int call_Finalize(int (*real)(void), const void *caller)
{
    struct mpi_scope scope;
    apply_flush_all();
    if (apply_mpi_enter(&scope, caller))
        write_open_files(caller);
    int error = real();
    apply_mpi_leave(&scope);
    return error;
}
MPI_HOOK(Finalize, (void), (real, caller))

static int call_Abort(int (*real)(uintptr_t, int), const void *caller, uintptr_t comm, int code)
{
    struct mpi_scope scope;
    apply_flush_all();
    if (apply_mpi_enter(&scope, caller))
        write_open_files(caller);
    int error = real(comm, code);
    apply_mpi_leave(&scope);
    return error;
}
MPI_HOOK(Abort, (uintptr_t comm, int code), (real, caller, comm, code))

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
    if (error == 0)
        apply_mpi_collect_view(mpi, file, displacement, etype, filetype, representation);
    return first_of(error, delayed);
}

static int call_File_set_view(view_function real, const void *caller, uintptr_t handle, int64_t displacement,
                              uintptr_t etype, uintptr_t filetype, const char *representation, uintptr_t info)
{
    struct mpi_scope scope;
    bool is_outer = apply_mpi_enter(&scope, caller);
    struct mpi_file *file = is_outer ? apply_mpi_file_find(handle) : NULL;
    int error = file != NULL ? view_applied(apply_mpi(caller), real, file, displacement, etype, filetype,
                                            representation, info)
                             : real(handle, displacement, etype, filetype, representation, info);
    apply_mpi_leave(&scope);
    return error;
}
MPI_HOOK(File_set_view, (uintptr_t handle, int64_t displacement, uintptr_t etype, uintptr_t filetype,
                         const char *representation, uintptr_t info),
         (real, caller, handle, displacement, etype, filetype, representation, info))

/* --- collective calls without data --------------------------------------------------------- */

#define COLLECTIVE(name, type)                                                                     \
    static int call_##name(int (*real)(uintptr_t, type), const void *caller, uintptr_t handle, type value) \
    {                                                                                              \
        struct mpi_scope scope;                                                                    \
        struct mpi_file *file = apply_mpi_enter(&scope, caller) ? apply_mpi_file_find(handle) : NULL; \
        int delayed = file != NULL ? apply_mpi_write_together(apply_mpi(caller), file) : 0;        \
        int error = real(handle, value);                                                           \
        if (file != NULL && error == 0)                                                            \
            after_##name(apply_mpi(caller), file, value);                                          \
        apply_mpi_leave(&scope);                                                                   \
        return first_of(error, delayed);                                                           \
    }                                                                                              \
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
    if (is_atomic)
        apply_mpi_stop(mpi, file, "its writes are atomic");
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

static int call_File_get_size(int (*real)(uintptr_t, int64_t *), const void *caller, uintptr_t handle, int64_t *size)
{
    struct mpi_scope scope;
    struct mpi_file *file = apply_mpi_enter(&scope, caller) ? apply_mpi_file_find(handle) : NULL;
    int delayed = file != NULL ? apply_mpi_write_alone(apply_mpi(caller), file) : 0;
    int error = real(handle, size);
    apply_mpi_leave(&scope);
    return first_of(error, delayed);
}
MPI_HOOK(File_get_size, (uintptr_t handle, int64_t *size), (real, caller, handle, size))

static int call_File_get_position(int (*real)(uintptr_t, int64_t *), const void *caller, uintptr_t handle,
                                  int64_t *position)
{
    struct mpi_scope scope;
    struct mpi_file *file = apply_mpi_enter(&scope, caller) ? apply_mpi_file_find(handle) : NULL;
    bool is_ours = file != NULL && file->has_position;
    int error = is_ours ? 0 : real(handle, position);
    if (is_ours)
        *position = file->position;
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
    if (file != NULL && whence != SEEK_SET_OF_MPI) {
        delayed = apply_mpi_write_alone(apply_mpi(caller), file);
        delayed = first_of(delayed, apply_mpi_settle_position(apply_mpi(caller), file));
    }
    int error = real(handle, offset, whence);
    if (file != NULL && error == 0)
        file->has_position = false;
    apply_mpi_leave(&scope);
    return first_of(error, delayed);
}
MPI_HOOK(File_seek, (uintptr_t handle, int64_t offset, int whence), (real, caller, handle, offset, whence))
