/* Which files may have gathered writes: nobody else may be able to see that they come later.
 *
 * Whether another descriptor of the process is of the same file is asked when a descriptor
 * begins to gather, and again whenever a file is opened while one gathers. So programs that
 * do no small writes pay nothing. */
#include "watch.h"
#include "account.h"
#include "child.h"
#include "others.h"
#include "own_code.h"
#include "signals.h"

#include "../../capture/src/system.h"

#include <stdio.h>
#include <string.h>
#include <sys/vfs.h>

enum {
    AUTO_ROOM = 1 << 20,
    LEAST_ROOM = 4096,
    MOST_ROOM = 64 << 20,
    AUTO_NEEDED = 16, /* small writes in a row */
    MOST_NEEDED = 4096,
};
/* Below this a full file system is near: an error has to come with the write that meets it. */
#define LEAST_FREE_BYTES ((uint64_t)256 << 20)

static uint32_t needed = AUTO_NEEDED, began;
static const char *nothing_since;

const char *apply_path_of_fd(int fd, char *room)
{
    char link[32];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    long length = sys_readlink(link, room, APPLY_PATH_ROOM - 1);
    room[length > 0 ? length : 0] = '\0';
    return room;
}

bool apply_is_file(int fd)
{
    struct apply_descriptor *descriptor = apply_descriptor(fd);
    if (descriptor != NULL && descriptor->kind != APPLY_KIND_UNKNOWN)
        return descriptor->kind == APPLY_KIND_FILE;
    struct stat status;
    bool is_file = sys_fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
    if (descriptor != NULL)
        descriptor->kind = is_file ? APPLY_KIND_FILE : APPLY_KIND_OTHER;
    return is_file;
}

/* --- opened ---------------------------------------------------------------------------- */

static void refuse(int fd, const char *why)
{
    char path[APPLY_PATH_ROOM];
    apply_refused(APPLY_write_buffer, apply_path_of_fd(fd, path), why);
}

/* A descriptor of a file that another one gathers for. */
static bool is_second(int fd)
{
    struct stat status;
    bool is_found = false;
    if (sys_fstat(fd, &status) != 0 || !S_ISREG(status.st_mode))
        return false;
    for (int other = 0; other <= apply_highest(); other++) {
        struct apply_descriptor *descriptor = &apply_descriptors[other];
        if (other == fd || apply_watch_of(descriptor) != APPLY_GATHERS || descriptor->inode != status.st_ino ||
            descriptor->device != status.st_dev)
            continue;
        apply_drop(other);
        is_found = true;
    }
    return is_found;
}

static bool is_created(int flags)
{
    return (flags & O_TRUNC) != 0 || (flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL) ||
           (flags & O_TMPFILE) == O_TMPFILE;
}

void apply_watch_opened(int fd, int flags, const char *path, const void *caller)
{
    struct apply_descriptor *descriptor = apply_descriptor(fd);
    bool is_named_at_all = apply_is_asked(APPLY_write_buffer);
    if (descriptor == NULL || !(apply_is_auto() || is_named_at_all) || apply_is_child_in_our_memory())
        return;
    apply_seen(fd);
    bool is_alone = __atomic_load_n(&apply_gatherers, __ATOMIC_ACQUIRE) == 0 || !is_second(fd);
    const char *value = is_named_at_all ? apply_value(APPLY_write_buffer, path) : NULL;
    if (flags == -1 || (flags & O_ACCMODE) == O_RDONLY || (flags & O_PATH) == O_PATH || apply_is_stopped())
        return;
    if (value == NULL && (!apply_is_auto() || !is_created(flags)))
        return;
    bool is_auto_value = value == NULL || strcmp(value, "auto") == 0;
    uint64_t room = is_auto_value ? AUTO_ROOM : apply_bytes(APPLY_write_buffer, path);
    const char *why = NULL;
    if (!is_alone)
        why = "another descriptor of the program is of the same file";
    else if ((flags & (O_SYNC | O_DSYNC)) != 0)
        why = "O_SYNC: each write has to be on the disk";
    else if ((flags & O_DIRECT) != 0)
        why = "O_DIRECT: the program asks for no buffer";
    else if (apply_has_mpi() && apply_is_mpi_code(caller))
        why = "the MPI library opened it: it orders its own requests";
    if (why != NULL || room == 0) {
        if (why != NULL && value != NULL)
            apply_refused(APPLY_write_buffer, path, why);
        return;
    }
    descriptor->room = (uint32_t)(room < LEAST_ROOM ? LEAST_ROOM : room > MOST_ROOM ? MOST_ROOM : room);
    descriptor->is_append = (flags & O_APPEND) != 0;
    descriptor->is_named = value != NULL;
    descriptor->is_explicit = false;
    descriptor->run = 0;
    descriptor->needed = value != NULL ? 1 : needed;
    descriptor->position = descriptor->is_append ? -1 : 0;
    descriptor->follow = 0;
    descriptor->last_ms = 0;
    descriptor->fill = 0;
    descriptor->error = 0;
    __atomic_store_n(&descriptor->watch, APPLY_WATCHED, __ATOMIC_RELEASE);
}

void apply_watch_nothing(const char *why)
{
    nothing_since = why;
    apply_stop();
}

/* --- begins to gather, and ends ----------------------------------------------------------- */

static bool has_limit(void)
{
    return sys_file_size_limit() != RLIM_INFINITY;
}

/* The kernel's own file systems (proc, cgroup) tell no size: there, each write is a command. */
static const char *why_not_in(int fd, bool is_named)
{
    struct statfs space;
    if (diya_syscall(SYS_fstatfs, fd, (long)&space, 0, 0, 0, 0) != 0 || space.f_blocks == 0)
        return "its file system tells no size: it may be one of the kernel, where each write is a command";
    if (!is_named && (uint64_t)space.f_bavail * (uint64_t)space.f_bsize < LEAST_FREE_BYTES)
        return "the file system is nearly full: the error would come late";
    return NULL;
}

static const char *why_not(struct apply_descriptor *descriptor)
{
    struct stat status;
    int fd = apply_fd(descriptor);
    if (sys_fstat(fd, &status) != 0 || !S_ISREG(status.st_mode))
        return "it is no regular file";
    descriptor->device = status.st_dev;
    descriptor->inode = status.st_ino;
    if (apply_is_stopped())
        return nothing_since != NULL ? nothing_since : "the process ends";
    if (apply_has_other(descriptor))
        return "another descriptor of the program is of the same file";
    if (apply_is_mapped(descriptor))
        return "the program has mapped the file";
    if (descriptor->is_named)
        return why_not_in(fd, true);
    if (apply_shares_memory())
        return "the process shares memory with others, which may look at the file unseen";
    if (has_limit())
        return "the process has a limit of file sizes: the error would come late";
    return why_not_in(fd, false);
}

bool apply_may_gather(struct apply_descriptor *descriptor)
{
    const char *why = why_not(descriptor);
    if (why == NULL && !apply_begin_gathering(descriptor, descriptor->room))
        why = "the buffers have all the memory that they may have";
    if (why != NULL) {
        refuse(apply_fd(descriptor), why);
        __atomic_store_n(&descriptor->watch, APPLY_SEEN, __ATOMIC_RELEASE);
        return false;
    }
    apply_catch_signals();
    char path[APPLY_PATH_ROOM], value[16];
    snprintf(value, sizeof value, "%u", descriptor->room);
    apply_used(APPLY_write_buffer, value, apply_path_of_fd(apply_fd(descriptor), path));
    __atomic_add_fetch(&began, 1, __ATOMIC_RELAXED);
    return true;
}

void apply_gathered_little(struct apply_descriptor *descriptor)
{
    refuse(apply_fd(descriptor),
           "most writes have to be issued at once, since the program looks at the file in between");
    apply_signals signals = apply_block_signals();
    apply_end_gathering(descriptor);
    apply_unblock_signals(signals);
}

/* Files that are closed soon gain little: then more small writes are asked for first. */
void apply_gathering_over(void)
{
    uint32_t files = __atomic_load_n(&began, __ATOMIC_RELAXED);
    uint64_t saved = __atomic_load_n(&apply_saved, __ATOMIC_RELAXED);
    if (files != 0 && files % 8 == 0 && saved / files < AUTO_NEEDED && needed < MOST_NEEDED)
        needed *= 2;
}
