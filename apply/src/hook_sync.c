/* Calls that make data durable. What is gathered is issued first; no_fsync leaves out the rest. */
#include "account.h"
#include "real.h"
#include "watch.h"
#include "write_buffer.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* `fd` -1: of no single file. */
static void account_for(int fd, const char *value, const char *path)
{
    struct apply_descriptor *descriptor = apply_descriptor(fd);
    if (descriptor == NULL || !descriptor->is_counted)
        apply_used(APPLY_no_fsync, value, path);
    if (descriptor != NULL)
        descriptor->is_counted = true;
    apply_count(APPLY_no_fsync, 1, 0, 0);
}

static bool is_left_out(int fd)
{
    char room[APPLY_PATH_ROOM];
    int saved_errno = errno;
    const char *path = fd < 0 ? NULL : apply_path_of_fd(fd, room);
    const char *value = apply_value(APPLY_no_fsync, path);
    bool is_out = value != NULL && strcmp(value, "on") == 0;
    if (is_out)
        account_for(fd, value, path);
    errno = saved_errno;
    return is_out;
}

/* False: `errno` says what a delayed write met. */
static bool is_complete(int fd)
{
    struct apply_descriptor *descriptor = apply_watched(fd);
    apply_flush_all();
    int error = descriptor == NULL ? 0 : apply_take_error(descriptor);
    errno = error != 0 ? error : errno;
    return error == 0;
}

#define SYNCHRONIZES(name, parameters, ...)                                                                            \
    APPLY_EXPORT int name parameters                                                                                   \
    {                                                                                                                  \
        if (!is_complete(fd))                                                                                          \
            return -1;                                                                                                 \
        if (apply_is_asked(APPLY_no_fsync) && apply_is_file(fd) && is_left_out(fd))                                    \
            return 0;                                                                                                  \
        return REAL(name)(__VA_ARGS__);                                                                                \
    }

SYNCHRONIZES(fsync, (int fd), fd)
SYNCHRONIZES(fdatasync, (int fd), fd)
SYNCHRONIZES(sync_file_range, (int fd, off64_t offset, off64_t bytes, unsigned flags), fd, offset, bytes, flags)

/* The file of a mapping is not known here: only a rule for every file counts. */
APPLY_EXPORT int msync(void *start, size_t bytes, int flags)
{
    apply_flush_all();
    if ((flags & MS_SYNC) != 0 && apply_is_asked(APPLY_no_fsync) && is_left_out(-1))
        return REAL(msync)(start, bytes, (flags & ~MS_SYNC) | MS_ASYNC);
    return REAL(msync)(start, bytes, flags);
}
