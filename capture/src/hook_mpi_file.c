/* MPI-IO calls on files that move no data. */
#include "hook_mpi.h"

DIYA_EXPORT int MPI_File_open(uintptr_t comm, const char *path, int amode, uintptr_t info, uintptr_t *file)
{
    __typeof__(&MPI_File_open) real = DIYA_LAYER_REAL(MPI_File_open, DIYA_CALLER);
    struct diya_mpi_call mpi;
    if (!diya_mpi_begin(&mpi, DIYA_F_MPI_FILE_OPEN, DIYA_CALLER))
        return real(comm, path, amode, info, file);
    int error = real(comm, path, amode, info, file);
    diya_mpi_end_open(&mpi, error, comm, path, amode, error == 0 ? *file : 0);
    return error;
}

DIYA_EXPORT int MPI_File_close(uintptr_t *file)
{
    __typeof__(&MPI_File_close) real = DIYA_LAYER_REAL(MPI_File_close, DIYA_CALLER);
    struct diya_mpi_call mpi;
    if (!diya_mpi_begin_file(&mpi, DIYA_F_MPI_FILE_CLOSE, *file, DIYA_MPI_NO_OFFSET, 0, DIYA_CALLER))
        return real(file);
    int error = real(file);
    diya_mpi_end_close(&mpi, error);
    return error;
}

DIYA_EXPORT int MPI_File_delete(const char *path, uintptr_t info)
{
    __typeof__(&MPI_File_delete) real = DIYA_LAYER_REAL(MPI_File_delete, DIYA_CALLER);
    struct diya_mpi_call mpi;
    if (!diya_mpi_begin(&mpi, DIYA_F_MPI_FILE_DELETE, DIYA_CALLER))
        return real(path, info);
    int error = real(path, info);
    diya_mpi_end_delete(&mpi, error, path);
    return error;
}

DIYA_EXPORT int MPI_File_set_view(uintptr_t file, int64_t displacement, uintptr_t etype, uintptr_t filetype,
                                  const char *representation, uintptr_t info)
{
    __typeof__(&MPI_File_set_view) real = DIYA_LAYER_REAL(MPI_File_set_view, DIYA_CALLER);
    struct diya_mpi_call mpi;
    if (!diya_mpi_begin_file(&mpi, DIYA_F_MPI_FILE_SET_VIEW, file, DIYA_MPI_NO_OFFSET, 0, DIYA_CALLER))
        return real(file, displacement, etype, filetype, representation, info);
    int error = real(file, displacement, etype, filetype, representation, info);
    diya_mpi_end_view(&mpi, error, displacement, etype, filetype);
    return error;
}

DIYA_EXPORT int MPI_File_set_info(uintptr_t file, uintptr_t info)
{
    __typeof__(&MPI_File_set_info) real = DIYA_LAYER_REAL(MPI_File_set_info, DIYA_CALLER);
    struct diya_mpi_call mpi;
    if (!diya_mpi_begin_file(&mpi, DIYA_F_MPI_FILE_SET_INFO, file, DIYA_MPI_NO_OFFSET, 0, DIYA_CALLER))
        return real(file, info);
    int error = real(file, info);
    diya_mpi_end_info(&mpi, error);
    return error;
}

DIYA_EXPORT int MPI_File_set_size(uintptr_t file, int64_t size)
{
    __typeof__(&MPI_File_set_size) real = DIYA_LAYER_REAL(MPI_File_set_size, DIYA_CALLER);
    struct diya_mpi_call mpi;
    if (!diya_mpi_begin_file(&mpi, DIYA_F_MPI_FILE_SET_SIZE, file, DIYA_MPI_NO_OFFSET, 0, DIYA_CALLER))
        return real(file, size);
    int error = real(file, size);
    diya_mpi_end_simple(&mpi, error, (uint64_t)size);
    return error;
}

DIYA_EXPORT int MPI_File_preallocate(uintptr_t file, int64_t size)
{
    __typeof__(&MPI_File_preallocate) real = DIYA_LAYER_REAL(MPI_File_preallocate, DIYA_CALLER);
    struct diya_mpi_call mpi;
    if (!diya_mpi_begin_file(&mpi, DIYA_F_MPI_FILE_PREALLOCATE, file, DIYA_MPI_NO_OFFSET, 0, DIYA_CALLER))
        return real(file, size);
    int error = real(file, size);
    diya_mpi_end_simple(&mpi, error, (uint64_t)size);
    return error;
}

DIYA_EXPORT int MPI_File_sync(uintptr_t file)
{
    __typeof__(&MPI_File_sync) real = DIYA_LAYER_REAL(MPI_File_sync, DIYA_CALLER);
    struct diya_mpi_call mpi;
    if (!diya_mpi_begin_file(&mpi, DIYA_F_MPI_FILE_SYNC, file, DIYA_MPI_NO_OFFSET, 0, DIYA_CALLER))
        return real(file);
    int error = real(file);
    diya_mpi_end_simple(&mpi, error, 0);
    return error;
}

DIYA_EXPORT int MPI_File_get_size(uintptr_t file, int64_t *size)
{
    __typeof__(&MPI_File_get_size) real = DIYA_LAYER_REAL(MPI_File_get_size, DIYA_CALLER);
    struct diya_mpi_call mpi;
    if (!diya_mpi_begin_file(&mpi, DIYA_F_MPI_FILE_GET_SIZE, file, DIYA_MPI_NO_OFFSET, 0, DIYA_CALLER))
        return real(file, size);
    int error = real(file, size);
    diya_mpi_end_simple(&mpi, error, 0);
    return error;
}

DIYA_EXPORT int MPI_File_set_atomicity(uintptr_t file, int flag)
{
    __typeof__(&MPI_File_set_atomicity) real = DIYA_LAYER_REAL(MPI_File_set_atomicity, DIYA_CALLER);
    struct diya_mpi_call mpi;
    if (!diya_mpi_begin_file(&mpi, DIYA_F_MPI_FILE_SET_ATOMICITY, file, DIYA_MPI_NO_OFFSET, 0, DIYA_CALLER))
        return real(file, flag);
    int error = real(file, flag);
    diya_mpi_end_flag(&mpi, error, flag);
    return error;
}

DIYA_EXPORT int MPI_File_seek(uintptr_t file, int64_t offset, int whence)
{
    __typeof__(&MPI_File_seek) real = DIYA_LAYER_REAL(MPI_File_seek, DIYA_CALLER);
    struct diya_mpi_call mpi;
    if (!diya_mpi_begin_file(&mpi, DIYA_F_MPI_FILE_SEEK, file, DIYA_MPI_NO_OFFSET, 0, DIYA_CALLER))
        return real(file, offset, whence);
    int error = real(file, offset, whence);
    diya_mpi_end_seek(&mpi, error, offset, whence);
    return error;
}

DIYA_EXPORT int MPI_File_seek_shared(uintptr_t file, int64_t offset, int whence)
{
    __typeof__(&MPI_File_seek_shared) real = DIYA_LAYER_REAL(MPI_File_seek_shared, DIYA_CALLER);
    struct diya_mpi_call mpi;
    if (!diya_mpi_begin_file(&mpi, DIYA_F_MPI_FILE_SEEK_SHARED, file, DIYA_MPI_NO_OFFSET, 0, DIYA_CALLER))
        return real(file, offset, whence);
    int error = real(file, offset, whence);
    diya_mpi_end_seek(&mpi, error, offset, whence);
    return error;
}
