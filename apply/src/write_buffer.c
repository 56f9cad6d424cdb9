/* How the writes of one descriptor are gathered.
 *
 * A program that writes rarely is not held back: after a pause the write passes by at once, so
 * that a file which somebody follows (a log) grows as without us. */
#include "write_buffer.h"
#include "account.h"
#include "copy.h"
#include "watch.h"

#include <time.h>
#include <unistd.h>

enum {
    LARGE_BYTES = 65536, /* from here on gathering gains nothing */
    LONGEST_PAUSE_MS = 50,
    ISSUES_WATCHED = 64, /* after as many, what was gained is looked at */
    LEAST_GAIN = 2,      /* writes for each issue */
};

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static bool comes_soon(struct apply_descriptor *descriptor)
{
    int64_t now = now_ms(), pause = now - descriptor->last_ms;
    descriptor->last_ms = now;
    return pause <= LONGEST_PAUSE_MS;
}

static bool follows(const struct apply_descriptor *descriptor, const struct apply_write *write)
{
    uint32_t bytes = (uint32_t)descriptor->fill;
    if (write->is_explicit != descriptor->is_explicit)
        return false;
    return !write->is_explicit || write->offset == (bytes == 0 ? descriptor->follow : descriptor->start + bytes);
}

/* False: a handler issued what was gathered in the meantime. */
static bool add(struct apply_descriptor *descriptor, const struct apply_write *write, uint64_t fill)
{
    bool is_first = (uint32_t)fill == 0;
    if (is_first) {
        descriptor->start = write->offset;
        __atomic_add_fetch(&apply_dirty, 1, __ATOMIC_RELAXED);
    }
    descriptor->writes++;
    bool is_added = __atomic_compare_exchange_n(&descriptor->fill, &fill, fill + write->bytes, false, __ATOMIC_RELEASE,
                                                __ATOMIC_RELAXED);
    if (!is_added && is_first)
        __atomic_sub_fetch(&apply_dirty, 1, __ATOMIC_RELAXED);
    return is_added;
}

/* The buffer gets full. Records of a file that several append to are not torn apart. */
static bool add_to_full(struct apply_descriptor *descriptor, const struct apply_write *write)
{
    struct apply_write rest = *write;
    uint32_t filled = (uint32_t)descriptor->fill;
    size_t part = descriptor->is_append ? 0 : descriptor->room - filled;
    bool is_copied = apply_copy(descriptor->memory + filled, write->from, part);
    if (is_copied && part > 0) {
        rest.bytes = part;
        add(descriptor, &rest, descriptor->fill);
        descriptor->writes--; /* the rest is the same write */
    }
    if (is_copied)
        apply_issue(descriptor);
    rest = (struct apply_write){(const char *)write->from + part, write->bytes - part, write->offset + (int64_t)part,
                                write->is_explicit};
    is_copied = is_copied && descriptor->error == 0 && apply_copy(descriptor->memory, rest.from, rest.bytes);
    if (!is_copied)
        return false;
    if (rest.bytes > 0)
        add(descriptor, &rest, descriptor->fill);
    return true;
}

enum outcome { ADDED, PASSES, AGAIN };

static enum outcome add_or_pass(struct apply_descriptor *descriptor, const struct apply_write *write)
{
    if (descriptor->watch != APPLY_GATHERS || descriptor->error != 0 || !follows(descriptor, write) ||
        !comes_soon(descriptor))
        return PASSES;
    if (descriptor->issues >= ISSUES_WATCHED) {
        bool is_little = descriptor->gathered < LEAST_GAIN * descriptor->issues;
        descriptor->issues = descriptor->gathered = 0;
        if (is_little) {
            apply_gathered_little(descriptor);
            return PASSES;
        }
    }
    uint64_t fill = descriptor->fill;
    if (write->bytes >= descriptor->room - (uint32_t)fill) {
        apply_signals signals = apply_block_signals();
        bool is_added = add_to_full(descriptor, write);
        apply_unblock_signals(signals);
        return is_added ? ADDED : PASSES;
    }
    if (!apply_copy(descriptor->memory + (uint32_t)fill, write->from, write->bytes))
        return PASSES;
    return add(descriptor, write, fill) ? ADDED : AGAIN;
}

/* Does this write make the descriptor gather? */
static bool begins_to_gather(struct apply_descriptor *descriptor, const struct apply_write *write)
{
    if (!follows(descriptor, write) || !comes_soon(descriptor))
        descriptor->run = 0;
    if (++descriptor->run < descriptor->needed || (descriptor->is_append && write->is_explicit))
        return false;
    descriptor->run = 0;
    apply_signals signals = apply_block_signals();
    enum apply_locked how = apply_lock(&descriptor->lock);
    bool begins = how == APPLY_LOCKED && descriptor->watch == APPLY_WATCHED && apply_may_gather(descriptor);
    if (begins) {
        descriptor->is_explicit = write->is_explicit;
        descriptor->follow = write->offset;
    }
    apply_unlock(&descriptor->lock, how);
    apply_unblock_signals(signals);
    return begins;
}

bool apply_gather(struct apply_descriptor *descriptor, const struct apply_write *write)
{
    if (write->bytes == 0 || write->bytes >= LARGE_BYTES || write->bytes > descriptor->room / 2) {
        descriptor->run = 0;
        return false;
    }
    enum apply_watch watch = apply_watch_of(descriptor);
    if (watch < APPLY_WATCHED || (watch == APPLY_WATCHED && !begins_to_gather(descriptor, write)))
        return false;
    for (enum outcome outcome = AGAIN; outcome == AGAIN;) {
        enum apply_locked how = apply_lock(&descriptor->lock);
        outcome = how == APPLY_LOCKED ? add_or_pass(descriptor, write) : PASSES;
        apply_unlock(&descriptor->lock, how);
        if (outcome == ADDED)
            return true;
    }
    return false;
}

int apply_before_write(struct apply_descriptor *descriptor)
{
    apply_flush(apply_fd(descriptor));
    apply_flush_all();
    return apply_take_error(descriptor);
}

void apply_wrote(struct apply_descriptor *descriptor, const struct apply_write *write, ssize_t done)
{
    if (descriptor->is_append || (done < 0 && !write->is_explicit))
        apply_set_position(descriptor, APPLY_POSITION_UNKNOWN);
    else if (!write->is_explicit && descriptor->position >= 0)
        descriptor->position += done;
    if ((uint32_t)descriptor->fill != 0)
        return;
    descriptor->is_explicit = write->is_explicit;
    descriptor->follow = write->offset + (done > 0 ? done : 0);
}

int64_t apply_known_seek(struct apply_descriptor *descriptor, int64_t offset, int whence)
{
    int64_t known = -1;
    enum apply_locked how = apply_lock(&descriptor->lock);
    if (how == APPLY_LOCKED && descriptor->watch == APPLY_GATHERS && descriptor->position >= 0) {
        int64_t position = descriptor->position + (descriptor->is_explicit ? 0 : (uint32_t)descriptor->fill);
        bool stays = (whence == SEEK_CUR && offset == 0) || (whence == SEEK_SET && offset == position);
        known = stays && descriptor->error == 0 ? position : -1;
    }
    apply_unlock(&descriptor->lock, how);
    return known;
}
