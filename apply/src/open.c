/* Before an open: its absolute path, and flags that a setting changes. After it: what is watched. */
#include "open.h"
#include "account.h"
#include "real.h"
#include "watch.h"

#include "../../capture/src/probe.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

static size_t folder_of(int dirfd, char *room)
{
    if (dirfd != AT_FDCWD)
        return strlen(apply_path_of_fd(dirfd, room));
    long bytes = diya_syscall(SYS_getcwd, (long)room, APPLY_PATH_ROOM, 0, 0, 0, 0);
    return bytes > 0 ? (size_t)bytes - 1 : 0;
}

const char *apply_absolute_path(int dirfd, const char *path, char *room)
{
    size_t used = path[0] == '/' ? 0 : folder_of(dirfd, room);
    for (const char *part = path; *part != '\0';) {
        part += strspn(part, "/");
        size_t length = strcspn(part, "/");
        if (length == 2 && part[0] == '.' && part[1] == '.') {
            while (used > 0 && room[--used] != '/')
                continue;
        } else if (length > 0 && !(length == 1 && part[0] == '.')) {
            if (used + length + 2 > APPLY_PATH_ROOM)
                return NULL;
            if (used == 0 || room[used - 1] != '/')
                room[used++] = '/';
            memcpy(room + used, part, length);
            used += length;
        }
        part += length;
    }
    room[used] = '\0';
    return room;
}

/* NULL: nothing depends on it, or there is none. */
static const char *path_if_asked(int dirfd, const char *path, char *room)
{
    bool is_asked =
        apply_is_asked(APPLY_write_buffer) || apply_is_asked(APPLY_read_ahead) || apply_is_asked(APPLY_no_fsync);
    struct diya_probe probe = {0};
    if (!is_asked || path == NULL || !diya_readable_text(&probe, path, APPLY_PATH_ROOM))
        return NULL;
    return apply_absolute_path(dirfd, path, room);
}

int apply_before_open(int dirfd, const char *path, int flags)
{
    apply_flush_all();
    if ((flags & (O_SYNC | O_DSYNC)) == 0 || !apply_is_asked(APPLY_no_fsync))
        return flags;
    char room[APPLY_PATH_ROOM];
    int saved_errno = errno;
    const char *absolute = path_if_asked(dirfd, path, room);
    const char *value = absolute == NULL ? NULL : apply_value(APPLY_no_fsync, absolute);
    errno = saved_errno;
    if (value == NULL || strcmp(value, "on") != 0)
        return flags;
    apply_used(APPLY_no_fsync, value, absolute);
    return flags & ~(O_SYNC | O_DSYNC);
}

/* The kernel itself reads ahead of sequential reads, and ceases after random ones. It knows
 * no more by our word unless the user knows better: so never by auto. */
static void advise(int fd, int flags, const char *path)
{
    const char *value = apply_value(APPLY_read_ahead, path);
    if (value == NULL || (flags & O_ACCMODE) == O_WRONLY || (flags & O_PATH) != 0)
        return;
    if (!apply_is_file(fd)) {
        apply_refused(APPLY_read_ahead, path, "it is no regular file");
        return;
    }
    bool is_random = strcmp(value, "random") == 0;
    int error = is_random || strcmp(value, "sequential") == 0
                    ? REAL(posix_fadvise)(fd, 0, 0, is_random ? POSIX_FADV_RANDOM : POSIX_FADV_SEQUENTIAL)
                    : EINVAL;
    if (error == 0)
        apply_used(APPLY_read_ahead, value, path);
    else
        apply_refused(APPLY_read_ahead, path,
                      error == EINVAL ? "the value is neither sequential nor random" : "the system refused it");
}

void apply_opened(int fd, int dirfd, const char *path, int flags, const void *caller)
{
    char room[APPLY_PATH_ROOM];
    int saved_errno = errno;
    const char *absolute = path_if_asked(dirfd, path, room);
    apply_watch_opened(fd, caller == NULL ? -1 : flags, absolute, caller);
    if (apply_is_asked(APPLY_read_ahead))
        advise(fd, flags, absolute);
    errno = saved_errno;
}
