/* MPI-IO calls that move no data, and MPI_Init, from Fortran. */
#include "fortran_mpi.h"

#include <string.h>

#define PATH_BYTES 4097

/* A Fortran text has blanks around it and no end. Its length comes as an int
 * or a size_t, depending on the compiler; the lower half is right for both. */
static const char *path_of(char path[PATH_BYTES], const char *text, uintptr_t hidden_length)
{
    int32_t length = (int32_t)hidden_length;
    while (length > 0 && text[length - 1] == ' ')
        length--;
    while (length > 0 && *text == ' ') {
        text++;
        length--;
    }
    length = length < PATH_BYTES - 1 ? length : PATH_BYTES - 1;
    memcpy(path, text, length > 0 ? (size_t)length : 0);
    path[length > 0 ? length : 0] = 0;
    return path;
}

#define OPEN(symbol, KEY, unused)                                                                                      \
    DIYA_EXPORT void symbol(int32_t *comm, char *text, int32_t *amode, int32_t *info, int32_t *file, int32_t *error,   \
                            uintptr_t length)                                                                          \
    {                                                                                                                  \
        call_open(DIYA_LAYER_REAL(symbol, DIYA_CALLER), DIYA_CALLER, comm, text, amode, info, file, error, length);    \
    }
typedef void (*open_function)(int32_t *, char *, int32_t *, int32_t *, int32_t *, int32_t *, uintptr_t);

static void call_open(open_function real, const void *caller, int32_t *comm, char *text, int32_t *amode, int32_t *info,
                      int32_t *file, int32_t *error, uintptr_t length)
{
    struct diya_mpi_call mpi;
    bool is_recorded = fortran_begin(&mpi, DIYA_F_MPI_FILE_OPEN, caller);
    real(comm, text, amode, info, file, error, length);
    if (!is_recorded)
        return;
    char path[PATH_BYTES];
    int code = fortran_returned(&mpi, error);
    uintptr_t handle = code == 0 ? diya_mpi_from_fortran(DIYA_MPI_FILE, *file, caller) : 0;
    uintptr_t of = code == 0 ? diya_mpi_from_fortran(DIYA_MPI_COMM, *comm, caller) : 0;
    diya_mpi_end_open(&mpi, code, of, path_of(path, text, length), *amode, handle);
}

#define DELETE(symbol, KEY, unused)                                                                                    \
    DIYA_EXPORT void symbol(char *text, int32_t *info, int32_t *error, uintptr_t length)                               \
    {                                                                                                                  \
        call_delete(DIYA_LAYER_REAL(symbol, DIYA_CALLER), DIYA_CALLER, text, info, error, length);                     \
    }
typedef void (*delete_function)(char *, int32_t *, int32_t *, uintptr_t);

static void call_delete(delete_function real, const void *caller, char *text, int32_t *info, int32_t *error,
                        uintptr_t length)
{
    struct diya_mpi_call mpi;
    bool is_recorded = fortran_begin(&mpi, DIYA_F_MPI_FILE_DELETE, caller);
    real(text, info, error, length);
    if (!is_recorded)
        return;
    char path[PATH_BYTES];
    int code = fortran_returned(&mpi, error);
    diya_mpi_end_delete(&mpi, code, path_of(path, text, length));
}

#define CLOSE(symbol, KEY, unused)                                                                                     \
    DIYA_EXPORT void symbol(int32_t *file, int32_t *error)                                                             \
    {                                                                                                                  \
        call_close(DIYA_LAYER_REAL(symbol, DIYA_CALLER), DIYA_CALLER, file, error);                                    \
    }
typedef void (*close_function)(int32_t *, int32_t *);

static void call_close(close_function real, const void *caller, int32_t *file, int32_t *error)
{
    struct diya_mpi_call mpi;
    bool is_recorded = fortran_begin_file(&mpi, DIYA_F_MPI_FILE_CLOSE, file, DIYA_MPI_NO_OFFSET, 0, caller);
    real(file, error);
    if (is_recorded)
        diya_mpi_end_close(&mpi, fortran_returned(&mpi, error));
}

#define VIEW(symbol, KEY, unused)                                                                                      \
    DIYA_EXPORT void symbol(int32_t *file, int64_t *displacement, int32_t *etype, int32_t *filetype,                   \
                            char *representation, int32_t *info, int32_t *error, uintptr_t length)                     \
    {                                                                                                                  \
        call_view(DIYA_LAYER_REAL(symbol, DIYA_CALLER), DIYA_CALLER, file, displacement, etype, filetype,              \
                  representation, info, error, length);                                                                \
    }
typedef void (*view_function)(int32_t *, int64_t *, int32_t *, int32_t *, char *, int32_t *, int32_t *, uintptr_t);

static void call_view(view_function real, const void *caller, int32_t *file, int64_t *displacement, int32_t *etype,
                      int32_t *filetype, char *representation, int32_t *info, int32_t *error, uintptr_t length)
{
    struct diya_mpi_call mpi;
    bool is_recorded = fortran_begin_file(&mpi, DIYA_F_MPI_FILE_SET_VIEW, file, DIYA_MPI_NO_OFFSET, 0, caller);
    real(file, displacement, etype, filetype, representation, info, error, length);
    if (!is_recorded)
        return;
    int code = fortran_returned(&mpi, error);
    uintptr_t of_etype = code == 0 ? diya_mpi_from_fortran(DIYA_MPI_TYPE, *etype, caller) : 0;
    uintptr_t of_filetype = code == 0 ? diya_mpi_from_fortran(DIYA_MPI_TYPE, *filetype, caller) : 0;
    diya_mpi_end_view(&mpi, code, *displacement, of_etype, of_filetype);
}

#define INFO(symbol, KEY, unused)                                                                                      \
    DIYA_EXPORT void symbol(int32_t *file, int32_t *info, int32_t *error)                                              \
    {                                                                                                                  \
        call_info(DIYA_LAYER_REAL(symbol, DIYA_CALLER), DIYA_CALLER, file, info, error);                               \
    }
typedef void (*info_function)(int32_t *, int32_t *, int32_t *);

static void call_info(info_function real, const void *caller, int32_t *file, int32_t *info, int32_t *error)
{
    struct diya_mpi_call mpi;
    bool is_recorded = fortran_begin_file(&mpi, DIYA_F_MPI_FILE_SET_INFO, file, DIYA_MPI_NO_OFFSET, 0, caller);
    real(file, info, error);
    if (is_recorded)
        diya_mpi_end_info(&mpi, fortran_returned(&mpi, error));
}

/* With a size: set_size, preallocate; get_size gives it back. */
#define SIZE(symbol, KEY, is_given)                                                                                    \
    DIYA_EXPORT void symbol(int32_t *file, int64_t *size, int32_t *error)                                              \
    {                                                                                                                  \
        call_size(DIYA_LAYER_REAL(symbol, DIYA_CALLER), DIYA_F_##KEY, is_given, DIYA_CALLER, file, size, error);       \
    }
typedef void (*size_function)(int32_t *, int64_t *, int32_t *);

static void call_size(size_function real, uint16_t function, bool is_given, const void *caller, int32_t *file,
                      int64_t *size, int32_t *error)
{
    struct diya_mpi_call mpi;
    bool is_recorded = fortran_begin_file(&mpi, function, file, DIYA_MPI_NO_OFFSET, 0, caller);
    real(file, size, error);
    if (is_recorded)
        diya_mpi_end_simple(&mpi, fortran_returned(&mpi, error), is_given ? (uint64_t)*size : 0);
}

#define SYNC(symbol, KEY, unused)                                                                                      \
    DIYA_EXPORT void symbol(int32_t *file, int32_t *error)                                                             \
    {                                                                                                                  \
        call_sync(DIYA_LAYER_REAL(symbol, DIYA_CALLER), DIYA_CALLER, file, error);                                     \
    }

static void call_sync(close_function real, const void *caller, int32_t *file, int32_t *error)
{
    struct diya_mpi_call mpi;
    bool is_recorded = fortran_begin_file(&mpi, DIYA_F_MPI_FILE_SYNC, file, DIYA_MPI_NO_OFFSET, 0, caller);
    real(file, error);
    if (is_recorded)
        diya_mpi_end_simple(&mpi, fortran_returned(&mpi, error), 0);
}

#define FLAG(symbol, KEY, unused)                                                                                      \
    DIYA_EXPORT void symbol(int32_t *file, int32_t *flag, int32_t *error)                                              \
    {                                                                                                                  \
        call_flag(DIYA_LAYER_REAL(symbol, DIYA_CALLER), DIYA_CALLER, file, flag, error);                               \
    }

static void call_flag(info_function real, const void *caller, int32_t *file, int32_t *flag, int32_t *error)
{
    struct diya_mpi_call mpi;
    bool is_recorded = fortran_begin_file(&mpi, DIYA_F_MPI_FILE_SET_ATOMICITY, file, DIYA_MPI_NO_OFFSET, 0, caller);
    real(file, flag, error);
    if (is_recorded)
        diya_mpi_end_flag(&mpi, fortran_returned(&mpi, error), *flag);
}

#define SEEK(symbol, KEY, unused)                                                                                      \
    DIYA_EXPORT void symbol(int32_t *file, int64_t *offset, int32_t *whence, int32_t *error)                           \
    {                                                                                                                  \
        call_seek(DIYA_LAYER_REAL(symbol, DIYA_CALLER), DIYA_F_##KEY, DIYA_CALLER, file, offset, whence, error);       \
    }
typedef void (*seek_function)(int32_t *, int64_t *, int32_t *, int32_t *);

static void call_seek(seek_function real, uint16_t function, const void *caller, int32_t *file, int64_t *offset,
                      int32_t *whence, int32_t *error)
{
    struct diya_mpi_call mpi;
    bool is_recorded = fortran_begin_file(&mpi, function, file, DIYA_MPI_NO_OFFSET, 0, caller);
    real(file, offset, whence, error);
    if (is_recorded)
        diya_mpi_end_seek(&mpi, fortran_returned(&mpi, error), *offset, *whence);
}

#define INIT(symbol, KEY, unused)                                                                                      \
    DIYA_EXPORT void symbol(int32_t *error)                                                                            \
    {                                                                                                                  \
        call_init(DIYA_LAYER_REAL(symbol, DIYA_CALLER), DIYA_F_##KEY, DIYA_CALLER, error);                             \
    }
typedef void (*init_function)(int32_t *);

static void call_init(init_function real, uint16_t function, const void *caller, int32_t *error)
{
    struct diya_mpi_call mpi;
    bool is_recorded = fortran_begin(&mpi, function, caller);
    real(error);
    if (!is_recorded)
        return;
    int code = fortran_returned(&mpi, error);
    if (function == DIYA_F_MPI_INIT)
        diya_mpi_end_init(&mpi, code);
    else
        diya_mpi_end_finalize(&mpi, code);
}

#define INIT_THREAD(symbol, KEY, unused)                                                                               \
    DIYA_EXPORT void symbol(int32_t *required, int32_t *provided, int32_t *error)                                      \
    {                                                                                                                  \
        call_init_thread(DIYA_LAYER_REAL(symbol, DIYA_CALLER), DIYA_CALLER, required, provided, error);                \
    }

static void call_init_thread(info_function real, const void *caller, int32_t *required, int32_t *provided,
                             int32_t *error)
{
    struct diya_mpi_call mpi;
    bool is_recorded = fortran_begin(&mpi, DIYA_F_MPI_INIT_THREAD, caller);
    real(required, provided, error);
    if (is_recorded)
        diya_mpi_end_init(&mpi, fortran_returned(&mpi, error));
}

FORTRAN_NAMES(OPEN, mpi_file_open, MPI_FILE_OPEN, 0)
FORTRAN_NAMES(DELETE, mpi_file_delete, MPI_FILE_DELETE, 0)
FORTRAN_NAMES(CLOSE, mpi_file_close, MPI_FILE_CLOSE, 0)
FORTRAN_NAMES(VIEW, mpi_file_set_view, MPI_FILE_SET_VIEW, 0)
FORTRAN_NAMES(INFO, mpi_file_set_info, MPI_FILE_SET_INFO, 0)
FORTRAN_NAMES(SIZE, mpi_file_set_size, MPI_FILE_SET_SIZE, true)
FORTRAN_NAMES(SIZE, mpi_file_preallocate, MPI_FILE_PREALLOCATE, true)
FORTRAN_NAMES(SIZE, mpi_file_get_size, MPI_FILE_GET_SIZE, false)
FORTRAN_NAMES(SYNC, mpi_file_sync, MPI_FILE_SYNC, 0)
FORTRAN_NAMES(FLAG, mpi_file_set_atomicity, MPI_FILE_SET_ATOMICITY, 0)
FORTRAN_NAMES(SEEK, mpi_file_seek, MPI_FILE_SEEK, 0)
FORTRAN_NAMES(SEEK, mpi_file_seek_shared, MPI_FILE_SEEK_SHARED, 0)
FORTRAN_NAMES(INIT, mpi_init, MPI_INIT, 0)
FORTRAN_NAMES(INIT, mpi_finalize, MPI_FINALIZE, 0)
FORTRAN_NAMES(INIT_THREAD, mpi_init_thread, MPI_INIT_THREAD, 0)
