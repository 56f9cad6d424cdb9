/* The opening and the end of files of MPI-IO, and of the program. */
#include "mpi_file.h"

#include <stdlib.h>

static bool is_anything_asked(void)
{
    return apply_is_asked(APPLY_mpi_hint) || apply_is_asked(APPLY_mpi_collect);
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
    return error != 0 ? error : delayed;
}
MPI_HOOK(File_close, (uintptr_t *handle), (real, caller, handle))

/* What a program leaves open at the end is not lost. */
static void write_open_files(const void *caller)
{
    const struct mpi_library *mpi = apply_mpi_file_is_any() ? apply_mpi(caller) : NULL;
    int is_initialized = 0, is_finalized = 1;
    if (mpi == NULL || mpi->Initialized(&is_initialized) != 0 || mpi->Finalized(&is_finalized) != 0 ||
        !is_initialized || is_finalized)
        return;
    struct mpi_file *file;
    while ((file = apply_mpi_file_take_any()) != NULL) {
        pthread_mutex_lock(&file->lock);
        apply_mpi_write_alone(mpi, file);
        pthread_mutex_unlock(&file->lock);
        tell_ignored(file);
    }
}

/* A program that ends without MPI_Finalize is wrong, but its writes would be there. */
__attribute__((destructor)) static void write_at_exit(void)
{
    struct mpi_scope scope;
    if (!apply_mpi_file_is_any())
        return;
    if (apply_mpi_enter(&scope, NULL))
        write_open_files(NULL);
    apply_mpi_leave(&scope);
}

static int call_Finalize(int (*real)(void), const void *caller)
{
    struct mpi_scope scope;
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
    if (apply_mpi_enter(&scope, caller))
        write_open_files(caller);
    int error = real(comm, code);
    apply_mpi_leave(&scope);
    return error;
}
MPI_HOOK(Abort, (uintptr_t comm, int code), (real, caller, comm, code))
