/* Descriptors: which file, and at which position.
 *
 * An entry is one word, file << 32 | description, so that threads see all of
 * it or nothing. Descriptors that were dup'd share a description and with it
 * the position. Where somebody else may move the position (a forked process,
 * a FILE on the same descriptor, O_APPEND) the kernel is asked: one lseek.
 */
#include "descriptors.h"
#include "files.h"
#include "state.h"
#include "system.h"
#include "tiny.h"

#include <string.h>

/* --- descriptions --------------------------------------------------------- */

static struct diya_description *description_at(uint32_t index)
{
    return index == 0 ? NULL : &diya_process->descriptions[index];
}

/* A stack of free indices; the count in the upper half of its head distinguishes
 * states of the stack with the same top. */
static DIYA_RARELY uint32_t take_shared_description(void)
{
    struct diya_process *process = diya_process;
    uint64_t head = __atomic_load_n(&process->free_descriptions, __ATOMIC_ACQUIRE);
    while ((uint32_t)head != 0) {
        uint32_t next = __atomic_load_n(&process->descriptions[(uint32_t)head].next_free, __ATOMIC_RELAXED);
        uint64_t popped = ((head >> 32) + 1) << 32 | next;
        if (__atomic_compare_exchange_n(&process->free_descriptions, &head, popped, false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_ACQUIRE))
            return (uint32_t)head;
    }
    uint32_t fresh = __atomic_fetch_add(&process->used_descriptions, 1, __ATOMIC_RELAXED);
    if (fresh < process->description_limit)
        return fresh;
    __atomic_fetch_sub(&process->used_descriptions, 1, __ATOMIC_RELAXED);
    return 0;
}

static DIYA_RARELY void give_shared_description(uint32_t index)
{
    struct diya_process *process = diya_process;
    uint64_t head = __atomic_load_n(&process->free_descriptions, __ATOMIC_ACQUIRE);
    uint64_t pushed;
    do {
        __atomic_store_n(&process->descriptions[index].next_free, (uint32_t)head, __ATOMIC_RELAXED);
        pushed = ((head >> 32) + 1) << 32 | index;
    } while (!__atomic_compare_exchange_n(&process->free_descriptions, &head, pushed, false, __ATOMIC_ACQ_REL,
                                          __ATOMIC_ACQUIRE));
}

/* The thread keeps a few free ones for itself: a program that opens and closes files
 * one after the other does not touch what all threads share. */
static DIYA_OFTEN uint32_t take_description(void)
{
    struct diya_thread *thread = diya_tls.thread;
    uint64_t generation = diya_enter();
    uint32_t kept = thread->free_descriptions;
    uint32_t index = kept > 0 ? thread->free_description[kept - 1] : 0;
    thread->free_descriptions = kept > 0 ? kept - 1 : 0;
    diya_leave(generation);
    return index != 0 ? index : take_shared_description();
}

static DIYA_OFTEN void give_description(uint32_t index)
{
    struct diya_thread *thread = diya_tls.thread;
    uint64_t generation = diya_enter();
    uint32_t kept = thread->free_descriptions;
    bool has_room = kept < DIYA_KEPT_DESCRIPTIONS;
    if (has_room) {
        thread->free_description[kept] = index;
        thread->free_descriptions = kept + 1;
    }
    diya_leave(generation);
    if (!has_room)
        give_shared_description(index);
}

void diya_descriptors_thread_ends(struct diya_thread *thread)
{
    while (thread->free_descriptions > 0)
        give_shared_description(thread->free_description[--thread->free_descriptions]);
}

/* Locked instructions take as long as all the rest: who has the only reference needs none. */
static DIYA_OFTEN void release_description(uint32_t index)
{
    if (index == 0)
        return;
    uint32_t *descriptors = &description_at(index)->descriptors;
    if (__atomic_load_n(descriptors, __ATOMIC_ACQUIRE) == 1 ||
        __atomic_sub_fetch(descriptors, 1, __ATOMIC_ACQ_REL) == 0)
        give_description(index);
}

/* --- entries ------------------------------------------------------------------ */

/* A vfork child has descriptors of its own but our memory: it must not write. */
static bool is_tracked(int fd)
{
    return diya_descriptor_tracked(fd);
}

static DIYA_OFTEN void set_entry(int fd, uint64_t entry)
{
    uint64_t before = __atomic_exchange_n(&diya_process->fds[fd], entry, __ATOMIC_ACQ_REL);
    struct diya_description *description = description_at((uint32_t)before);
    /* dup2(file, 1), or close(1) and open: the stream's calls go elsewhere now. */
    if (description != NULL && __atomic_load_n(&description->flags, __ATOMIC_RELAXED) & DIYA_FD_STREAM)
        __atomic_fetch_add(&diya_streams_epoch, 1, __ATOMIC_RELEASE);
    release_description((uint32_t)before);
}

static DIYA_OFTEN uint32_t new_description(uint32_t flags)
{
    uint32_t index = take_description();
    if (index != 0) {
        struct diya_description *description = description_at(index);
        description->position = 0;
        description->flags = flags;
        description->epoch = __atomic_load_n(&diya_process->fork_epoch, __ATOMIC_RELAXED);
        __atomic_store_n(&description->descriptors, 1, __ATOMIC_RELEASE);
    }
    return index;
}

DIYA_OFTEN void diya_descriptor_opened(int fd, uint32_t file, int open_flags)
{
    if (!is_tracked(fd))
        return;
    uint32_t flags = ((uint32_t)open_flags & DIYA_FD_COSTLY) | (open_flags & O_APPEND ? DIYA_FD_APPEND : 0) |
                     (diya_process->file_facts[file].kind == DIYA_NAME_FILE ? DIYA_FD_SEEKABLE : 0);
    uint64_t entry = (uint64_t)file << 32 | new_description(flags);
    /* As a rule nothing is there, and no other thread knows the descriptor yet. */
    if (__builtin_expect(__atomic_load_n(&diya_process->fds[fd], __ATOMIC_ACQUIRE) == 0, 1))
        __atomic_store_n(&diya_process->fds[fd], entry, __ATOMIC_RELEASE);
    else
        set_entry(fd, entry);
}

void (*diya_descriptor_watcher)(int fd);

DIYA_OFTEN void diya_descriptor_closed(int fd)
{
    void (*watcher)(int) = __atomic_load_n(&diya_descriptor_watcher, __ATOMIC_RELAXED);
    if (__builtin_expect(watcher != NULL, 0))
        watcher(fd);
    if (is_tracked(fd) && __atomic_load_n(&diya_process->fds[fd], __ATOMIC_RELAXED) != 0)
        set_entry(fd, 0);
}

void diya_descriptors_closed(unsigned first, unsigned last)
{
    if (last >= diya_process->fd_limit)
        last = diya_process->fd_limit - 1;
    /* Far fewer are in use than may be: stop where none was ever seen. */
    for (unsigned fd = first, unused = 0; fd <= last && unused < 65536; fd++) {
        unused = diya_process->fds[fd] == 0 ? unused + 1 : 0;
        diya_descriptor_closed((int)fd);
    }
}

void diya_descriptor_duplicated(int from, int to)
{
    if (!is_tracked(from) || !is_tracked(to) || from == to)
        return;
    uint64_t entry = __atomic_load_n(&diya_process->fds[from], __ATOMIC_ACQUIRE);
    struct diya_description *description = description_at((uint32_t)entry);
    if (description != NULL)
        __atomic_fetch_add(&description->descriptors, 1, __ATOMIC_RELAXED);
    set_entry(to, entry);
}

static struct diya_description *seen_description(int fd)
{
    uint64_t entry = is_tracked(fd) ? __atomic_load_n(&diya_process->fds[fd], __ATOMIC_ACQUIRE) : 0;
    return description_at((uint32_t)entry);
}

void diya_descriptor_shared(int fd)
{
    struct diya_description *description = seen_description(fd);
    if (description != NULL)
        __atomic_fetch_or(&description->flags, DIYA_FD_SHARED, __ATOMIC_RELAXED);
}

uint32_t diya_descriptor_streams(int fd, bool is_shared)
{
    uint64_t entry = is_tracked(fd) ? __atomic_load_n(&diya_process->fds[fd], __ATOMIC_ACQUIRE) : 0;
    struct diya_description *description = description_at((uint32_t)entry);
    if (description != NULL)
        __atomic_fetch_or(&description->flags, DIYA_FD_STREAM | (is_shared ? DIYA_FD_SHARED : 0), __ATOMIC_RELAXED);
    return (uint32_t)entry;
}

void diya_descriptor_set(int fd, int open_flags)
{
    struct diya_description *description = seen_description(fd);
    if (description == NULL)
        return;
    if ((open_flags & O_DIRECT) != 0)
        __atomic_fetch_or(&description->flags, (uint32_t)O_DIRECT, __ATOMIC_RELAXED);
    else
        __atomic_fetch_and(&description->flags, ~(uint32_t)O_DIRECT, __ATOMIC_RELAXED);
    if ((open_flags & O_APPEND) != 0)
        __atomic_fetch_or(&description->flags, DIYA_FD_APPEND, __ATOMIC_RELAXED);
    else /* what was written in between moved the position unseen */
        __atomic_fetch_or(&description->flags, DIYA_FD_SHARED, __ATOMIC_RELAXED);
}

void diya_descriptors_inherited(void)
{
    __atomic_fetch_add(&diya_process->fork_epoch, 1, __ATOMIC_RELAXED);
}

/* --- descriptors not seen opened: inherited, from libraries, by raw calls ------- */

long diya_path_of_fd(int fd, char *path, size_t room)
{
    char link[32] = "/proc/self/fd/";
    char digits[12];
    size_t at = sizeof digits, end = 14;
    unsigned number = (unsigned)fd;
    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    memcpy(link + end, digits + at, sizeof digits - at);
    link[end + sizeof digits - at] = '\0';
    long length = sys_readlink(link, path, room - 1);
    if (length >= 0)
        path[length] = '\0';
    return length;
}

struct diya_descriptor diya_descriptor_ask(int fd)
{
    struct diya_descriptor found = {0};
    struct stat status;
    if (fd < 0 || sys_fstat(fd, &status) != 0)
        return found;
    uint64_t generation = diya_enter();
    char *path = diya_tls.thread->scratch;
    long length = diya_path_of_fd(fd, path, DIYA_PATH_ROOM);
    if (length > 0) {
        bool has_offset = S_ISREG(status.st_mode) || S_ISBLK(status.st_mode);
        found.file = diya_file_number(path, (size_t)length, 0,
                                      has_offset                ? DIYA_NAME_FILE
                                      : S_ISDIR(status.st_mode) ? DIYA_NAME_DIRECTORY
                                                                : DIYA_NAME_PIPE);
        diya_file_status(found.file, &status, path, (size_t)length);
        found.flags = has_offset ? DIYA_FD_SEEKABLE | DIYA_FD_SHARED : 0;
    }
    diya_leave(generation);
    if (is_tracked(fd)) {
        uint32_t index = new_description(found.flags);
        set_entry(fd, (uint64_t)found.file << 32 | index);
        found.description = description_at(index);
    }
    return found;
}

struct diya_descriptor diya_descriptor_of(int fd)
{
    return diya_descriptor_quickly(fd);
}

DIYA_OFTEN uint32_t diya_descriptor_known(int fd)
{
    return is_tracked(fd) ? (uint32_t)(__atomic_load_n(&diya_process->fds[fd], __ATOMIC_ACQUIRE) >> 32) : 0;
}

uint32_t diya_file_of_fd(int fd)
{
    return diya_descriptor_of(fd).file;
}

/* --- streams: the same kind of state, found by address ------------------------- */

struct diya_description *diya_stream_bind(const void *stream, uint32_t file, int64_t position)
{
    if (diya_tls.is_vfork_child)
        return NULL;
    diya_stream_unbind(stream);
    uint32_t index = new_description(0);
    if (index == 0)
        return NULL;
    struct diya_description *state = description_at(index);
    state->file = file;
    state->position = position;
    state->edge = NULL;
    if (diya_handle_bind(DIYA_HANDLE_STREAM, (uintptr_t)stream, index))
        return state;
    release_description(index);
    return NULL;
}

struct diya_description *diya_stream_find(const void *stream)
{
    return description_at(diya_handle_find(DIYA_HANDLE_STREAM, (uintptr_t)stream));
}

void diya_stream_unbind(const void *stream)
{
    if (!diya_tls.is_vfork_child)
        release_description(diya_handle_unbind(DIYA_HANDLE_STREAM, (uintptr_t)stream));
}

/* --- positions --------------------------------------------------------------------- */

int64_t diya_descriptor_ask_position(int fd, struct diya_description *description, int64_t moved)
{
    int64_t position = sys_position(fd);
    if (position < 0)
        return -1;
    if (description != NULL)
        __atomic_store_n(&description->position, position, __ATOMIC_RELAXED);
    return position - moved;
}

void diya_descriptor_moved(int fd, int64_t position)
{
    struct diya_description *description = seen_description(fd);
    if (description != NULL && position >= 0)
        __atomic_store_n(&description->position, position, __ATOMIC_RELAXED);
}
