/* POSIX: directories. Reads of entries come in thousands and take nanoseconds:
 * they are joined into run records (tiny.c). */
#include "core.h"
#include "descriptors.h"
#include "posix.h"
#include "tiny.h"

#include <dirent.h>

/* --- open and close ----------------------------------------------------------- */

static void opened(struct diya_call *call, enum diya_function function, uint32_t file, DIR *stream)
{
    struct diya_event event = DIYA_EVENT(function);
    event.file = file;
    event.done = stream == NULL ? -(int64_t)call->saved_errno : 0;
    if (stream != NULL && file != 0)
        diya_handle_bind(DIYA_HANDLE_DIRECTORY, (uintptr_t)stream, file);
    diya_end(call, &event);
}

DIYA_EXPORT DIR *opendir(const char *path)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(opendir)(path);
    DIR *returned = DIYA_REAL(opendir)(path);
    diya_returned(&call);
    bool is_readable = returned != NULL || call.saved_errno != EFAULT;
    uint32_t file = is_readable ? diya_file_of_path_kind(path, DIYA_NAME_DIRECTORY) : 0;
    opened(&call, DIYA_F_OPENDIR, file, returned);
    return returned;
}

DIYA_EXPORT DIR *fdopendir(int fd)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(fdopendir)(fd);
    DIR *returned = DIYA_REAL(fdopendir)(fd);
    diya_returned(&call);
    opened(&call, DIYA_F_FDOPENDIR, diya_file_of_fd(fd), returned);
    return returned;
}

DIYA_EXPORT int closedir(DIR *stream)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(closedir)(stream);
    struct diya_event event = DIYA_EVENT(DIYA_F_CLOSEDIR);
    event.file = diya_handle_unbind(DIYA_HANDLE_DIRECTORY, (uintptr_t)stream);
    if (stream != NULL)
        diya_descriptor_closed(dirfd(stream));
    int returned = DIYA_REAL(closedir)(stream);
    diya_returned(&call);
    event.done = posix_outcome(&call, returned);
    diya_end(&call, &event);
    return returned;
}

/* --- entries --------------------------------------------------------------------- */

static uint32_t directory_of(const void *stream)
{
    return diya_handle_find(DIYA_HANDLE_DIRECTORY, (uintptr_t)stream);
}

static void listed(struct diya_call *call, enum diya_function function, const DIR *stream, int64_t done)
{
    struct diya_event event = DIYA_EVENT(function);
    event.file = directory_of(stream);
    event.done = done;
    diya_end_tiny(call, &event, stream, NULL);
}

DIYA_EXPORT struct dirent *readdir(DIR *stream)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(readdir)(stream);
    struct dirent *returned = DIYA_REAL(readdir)(stream);
    diya_returned(&call);
    listed(&call, DIYA_F_READDIR, stream, 0);
    return returned;
}
DIYA_EXPORT struct dirent64 *readdir64(DIR *stream) __attribute__((alias("readdir")));

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* programs still call it */
DIYA_EXPORT int readdir_r(DIR *restrict stream, struct dirent *restrict entry, struct dirent **restrict result)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(readdir_r)(stream, entry, result);
    int returned = DIYA_REAL(readdir_r)(stream, entry, result);
    diya_returned(&call);
    listed(&call, DIYA_F_READDIR_R, stream, diya_done_code(returned));
    return returned;
}
DIYA_EXPORT int readdir64_r(DIR *restrict stream, struct dirent64 *restrict entry, struct dirent64 **restrict result)
    __attribute__((alias("readdir_r")));
#pragma GCC diagnostic pop

DIYA_EXPORT ssize_t getdents64(int fd, void *buffer, size_t bytes)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(getdents64)(fd, buffer, bytes);
    ssize_t returned = DIYA_REAL(getdents64)(fd, buffer, bytes);
    diya_returned(&call);
    posix_on_fd(&call, DIYA_F_GETDENTS, fd, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT ssize_t getdirentries(int fd, char *restrict buffer, size_t bytes, off_t *restrict base)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(getdirentries)(fd, buffer, bytes, base);
    ssize_t returned = DIYA_REAL(getdirentries)(fd, buffer, bytes, base);
    diya_returned(&call);
    posix_on_fd(&call, DIYA_F_GETDENTS, fd, posix_outcome(&call, returned));
    return returned;
}
DIYA_EXPORT ssize_t getdirentries64(int fd, char *restrict buffer, size_t bytes, off64_t *restrict base)
    __attribute__((alias("getdirentries")));

DIYA_EXPORT void rewinddir(DIR *stream)
{
    struct diya_call call;
    if (!diya_begin(&call)) {
        DIYA_REAL(rewinddir)(stream);
        return;
    }
    DIYA_REAL(rewinddir)(stream);
    diya_returned(&call);
    listed(&call, DIYA_F_REWINDDIR, stream, 0);
}

DIYA_EXPORT void seekdir(DIR *stream, long place)
{
    struct diya_call call;
    if (!diya_begin(&call)) {
        DIYA_REAL(seekdir)(stream, place);
        return;
    }
    DIYA_REAL(seekdir)(stream, place);
    diya_returned(&call);
    listed(&call, DIYA_F_SEEKDIR, stream, 0);
}

DIYA_EXPORT long telldir(DIR *stream)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(telldir)(stream);
    long returned = DIYA_REAL(telldir)(stream);
    diya_returned(&call);
    listed(&call, DIYA_F_TELLDIR, stream, posix_outcome(&call, returned));
    return returned;
}
