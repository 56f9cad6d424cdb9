/* The table of descriptors: gathered bytes are issued, dropped, or kept across a fork here, within the
 * lock of the descriptor. */
#include "descriptors.h"
#include "account.h"
#include "memory.h"
#include "real.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

struct apply_descriptor apply_descriptors[APPLY_DESCRIPTORS];
uint32_t apply_dirty, apply_gatherers;
uint64_t apply_saved;

/* Which descriptors gather: number + 1, 0 for none. */
static uint32_t gathering[APPLY_GATHERING];
static uint32_t used_places;
static int highest;
static bool is_stopped;

int apply_highest(void)
{
    return __atomic_load_n(&highest, __ATOMIC_RELAXED);
}

/* It was closed in a way that is not seen here: nobody can get these bytes any more. */
static void discard(struct apply_descriptor *descriptor)
{
    if ((uint32_t)descriptor->fill != 0)
        __atomic_sub_fetch(&apply_dirty, 1, __ATOMIC_RELAXED);
    descriptor->fill = 0;
    apply_end_gathering(descriptor);
}

void apply_seen(int fd)
{
    int before = apply_highest();
    while (fd > before && fd < APPLY_DESCRIPTORS &&
           !__atomic_compare_exchange_n(&highest, &before, fd, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        continue;
    struct apply_descriptor *descriptor = apply_descriptor(fd);
    if (descriptor == NULL)
        return;
    if (apply_watch_of(descriptor) == APPLY_GATHERS)
        discard(descriptor);
    descriptor->kind = APPLY_KIND_UNKNOWN;
    descriptor->is_counted = false;
    descriptor->twin = 0;
    __atomic_store_n(&descriptor->watch, APPLY_SEEN, __ATOMIC_RELEASE);
}

/* --- one descriptor ---------------------------------------------------------------- */

static ssize_t issue_once(struct apply_descriptor *descriptor, const char *from, size_t bytes, int64_t offset)
{
    int fd = apply_fd(descriptor);
    return descriptor->is_explicit ? REAL(pwrite)(fd, from, bytes, offset) : REAL(write)(fd, from, bytes);
}

void apply_issue(struct apply_descriptor *descriptor)
{
    uint32_t bytes = (uint32_t)descriptor->fill, done = 0, calls = 0;
    int saved_errno = errno, error = 0;
    if (bytes == 0)
        return;
    while (done < bytes && error == 0) {
        ssize_t now = issue_once(descriptor, descriptor->memory + done, bytes - done, descriptor->start + done);
        calls++;
        if (now > 0)
            done += (uint32_t)now;
        else if (now == 0 || errno != EINTR)
            error = now == 0 ? EIO : errno;
    }
    descriptor->error = error != 0 ? error : descriptor->error;
    if (descriptor->is_explicit)
        descriptor->follow = descriptor->start + bytes;
    else if (descriptor->position >= 0)
        descriptor->position = error != 0 ? APPLY_POSITION_UNKNOWN : descriptor->position + bytes;
    apply_count(APPLY_write_buffer, descriptor->writes, calls, done);
    if (descriptor->writes > calls)
        __atomic_add_fetch(&apply_saved, descriptor->writes - calls, __ATOMIC_RELAXED);
    descriptor->gathered += descriptor->writes;
    descriptor->issues++;
    descriptor->writes = 0;
    __atomic_store_n(&descriptor->fill, ((descriptor->fill >> 32) + 1) << 32, __ATOMIC_RELEASE);
    __atomic_sub_fetch(&apply_dirty, 1, __ATOMIC_RELAXED);
    errno = saved_errno;
}

void apply_flush_slowly(int fd)
{
    struct apply_descriptor *descriptor = &apply_descriptors[fd];
    apply_signals signals = apply_block_signals();
    enum apply_locked how = apply_lock(&descriptor->lock);
    if (descriptor->watch == APPLY_GATHERS)
        apply_issue(descriptor);
    apply_unlock(&descriptor->lock, how);
    apply_unblock_signals(signals);
}

int apply_take_error(struct apply_descriptor *descriptor)
{
    if (__builtin_expect(descriptor->error == 0, 1))
        return 0;
    uint8_t tells = APPLY_TELLS;
    int error = __atomic_exchange_n(&descriptor->error, 0, __ATOMIC_RELAXED);
    __atomic_compare_exchange_n(&descriptor->watch, &tells, APPLY_SEEN, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
    return error;
}

bool apply_begin_gathering(struct apply_descriptor *descriptor, uint32_t room)
{
    uint32_t number = (uint32_t)apply_fd(descriptor) + 1;
    for (uint32_t i = 0; i < APPLY_GATHERING; i++) {
        uint32_t none = 0;
        if (!__atomic_compare_exchange_n(&gathering[i], &none, number, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
            continue;
        descriptor->memory = apply_take_memory(room);
        descriptor->room = room;
        if (descriptor->memory == NULL) {
            __atomic_store_n(&gathering[i], 0, __ATOMIC_RELEASE);
            return false;
        }
        uint32_t used = __atomic_load_n(&used_places, __ATOMIC_RELAXED);
        while (used <= i &&
               !__atomic_compare_exchange_n(&used_places, &used, i + 1, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
            continue;
        descriptor->issues = descriptor->gathered = descriptor->writes = 0;
        __atomic_store_n(&descriptor->watch, APPLY_GATHERS, __ATOMIC_RELEASE);
        __atomic_add_fetch(&apply_gatherers, 1, __ATOMIC_RELEASE);
        return true;
    }
    return false;
}

void apply_end_gathering(struct apply_descriptor *descriptor)
{
    apply_issue(descriptor);
    __atomic_store_n(&descriptor->watch, descriptor->error != 0 ? APPLY_TELLS : APPLY_SEEN, __ATOMIC_RELEASE);
    uint32_t number = (uint32_t)apply_fd(descriptor) + 1;
    for (uint32_t i = 0; i < APPLY_GATHERING; i++)
        if (__atomic_load_n(&gathering[i], __ATOMIC_RELAXED) == number)
            __atomic_store_n(&gathering[i], 0, __ATOMIC_RELEASE);
    __atomic_sub_fetch(&apply_gatherers, 1, __ATOMIC_RELEASE);
    apply_leave_memory(descriptor->memory, descriptor->room);
    descriptor->memory = NULL;
}

void apply_part_from_twin(struct apply_descriptor *descriptor)
{
    if (descriptor->twin != 0)
        apply_descriptors[descriptor->twin - 1].twin = 0;
    descriptor->twin = 0;
}

void apply_watch_twin_again(struct apply_descriptor *closed)
{
    if (closed->twin == 0)
        return;
    struct apply_descriptor *twin = &apply_descriptors[closed->twin - 1];
    apply_part_from_twin(closed);
    if (apply_watch_of(twin) == APPLY_SEEN && !apply_is_stopped()) {
        twin->is_explicit = false;
        twin->run = 0;
        twin->follow = 0;
        __atomic_store_n(&twin->watch, APPLY_WATCHED, __ATOMIC_RELEASE);
    }
}

void apply_drop(int fd)
{
    struct apply_descriptor *own = apply_descriptor(fd), *descriptor = apply_watched(fd);
    if (own != NULL)
        apply_part_from_twin(own);
    uint8_t watched = APPLY_WATCHED;
    if (apply_watch_of(descriptor) < APPLY_WATCHED ||
        (descriptor->error == 0 && __atomic_compare_exchange_n(&descriptor->watch, &watched, APPLY_SEEN, false,
                                                               __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)))
        return;
    apply_signals signals = apply_block_signals();
    enum apply_locked how = apply_lock(&descriptor->lock);
    if (descriptor->watch == APPLY_GATHERS)
        apply_end_gathering(descriptor);
    else if (descriptor->watch == APPLY_WATCHED) /* with an error, or just about to gather */
        __atomic_store_n(&descriptor->watch, descriptor->error != 0 ? APPLY_TELLS : APPLY_SEEN, __ATOMIC_RELEASE);
    apply_unlock(&descriptor->lock, how);
    apply_unblock_signals(signals);
}

void apply_closed(int fd)
{
    struct apply_descriptor *descriptor = apply_descriptor(fd);
    if (descriptor == NULL)
        return;
    apply_watch_twin_again(descriptor);
    descriptor->kind = APPLY_KIND_UNKNOWN;
    descriptor->is_counted = false;
    descriptor->error = 0;
    __atomic_store_n(&descriptor->watch, APPLY_NOT_SEEN, __ATOMIC_RELEASE);
}

void apply_position_unknown(int fd)
{
    struct apply_descriptor *descriptor = apply_watched(fd);
    if (descriptor != NULL)
        apply_set_position(descriptor, APPLY_POSITION_UNKNOWN);
}

/* --- all of them --------------------------------------------------------------------- */

void apply_flush_all_slowly(void)
{
    uint32_t used = __atomic_load_n(&used_places, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < used && apply_is_dirty(); i++) {
        uint32_t number = __atomic_load_n(&gathering[i], __ATOMIC_ACQUIRE);
        if (number != 0)
            apply_flush((int)number - 1);
    }
}

void apply_drop_all(void)
{
    for (int fd = 0; fd <= apply_highest(); fd++)
        apply_drop(fd);
}

void apply_positions_shared(void)
{
    for (int fd = 0; fd <= apply_highest(); fd++)
        apply_descriptors[fd].position = APPLY_POSITION_SHARED;
}

void apply_stop(void)
{
    __atomic_store_n(&is_stopped, true, __ATOMIC_RELEASE);
    apply_drop_all();
}

bool apply_is_stopped(void)
{
    return __atomic_load_n(&is_stopped, __ATOMIC_ACQUIRE);
}

/* Other threads of the parent may have been anywhere; here they are not. */
void apply_forget_gathered(void)
{
    apply_new_thread_number();
    apply_memory_forked();
    if (used_places != 0) /* a page that is not touched costs nothing in the child */
        memset(gathering, 0, sizeof gathering);
    apply_dirty = apply_gatherers = 0;
    for (int fd = 0; fd <= apply_highest(); fd++) {
        struct apply_descriptor *descriptor = &apply_descriptors[fd];
        memset(&descriptor->lock, 0, sizeof descriptor->lock);
        descriptor->fill = 0;
        descriptor->writes = 0;
        descriptor->error = 0;
        descriptor->twin = 0;
        if (descriptor->watch >= APPLY_TELLS)
            descriptor->watch = APPLY_SEEN;
    }
}
