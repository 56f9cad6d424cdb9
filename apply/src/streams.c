/* Buffers given to streams of the C library, and taken back where the program brings its own. */
#include "streams.h"
#include "lock.h"
#include "real.h"

#include "../../capture/src/system.h"

#include <stdio_ext.h>
#include <string.h>
#include <unistd.h>

enum { STREAMS = 1024 };
/* Streams that end without a gain, after which it is looked at; one of so many has to gain. */
enum { ENDS_WATCHED = 64, LEAST_GAIN = 8 };
#define MOST_BYTES ((uint64_t)256 << 20)
#define CLOSING ((FILE *)-1)

static struct apply_buffered streams[STREAMS];
static uint32_t used_streams, ends_with_gain, ends_without;
static uint64_t memory_bytes;
static struct apply_lock lock;

/* A place with memory of this size. */
struct apply_buffered *apply_take_place(FILE *stream, uint32_t room)
{
    struct apply_buffered *found = NULL;
    enum apply_locked how = apply_lock(&lock);
    for (uint32_t i = 0; i < used_streams && found == NULL; i++)
        if (streams[i].stream == NULL && streams[i].room == room)
            found = &streams[i];
    if (found == NULL && used_streams < STREAMS && memory_bytes + room <= MOST_BYTES) {
        char *memory = sys_memory(room);
        if (memory != NULL) {
            found = &streams[used_streams];
            *found = (struct apply_buffered){.memory = memory, .room = room};
            memory_bytes += room;
            __atomic_store_n(&used_streams, used_streams + 1, __ATOMIC_RELEASE);
        }
    }
    if (found != NULL)
        found->stream = stream;
    apply_unlock(&lock, how);
    return found;
}

static struct apply_buffered *place_of(const FILE *stream)
{
    uint32_t used = __atomic_load_n(&used_streams, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < used; i++)
        if (__atomic_load_n(&streams[i].stream, __ATOMIC_RELAXED) == stream)
            return &streams[i];
    return NULL;
}

/* The C library issues its buffer of `unit` bytes when one more byte comes. */
static size_t kept_of(const struct apply_buffered *place, size_t pending)
{
    return pending == 0 ? 0 : (pending - 1) % place->unit + 1;
}

static bool is_ours(const struct apply_buffered *place, const FILE *stream)
{
    return stream != NULL && stream != CLOSING && stream->_IO_buf_base == place->memory;
}

/* What is left at the end would fit into the C library's own buffer: the file is small, or was
 * flushed in between. That a large file ends so by chance is rare. */
static void count_end(const struct apply_buffered *place, const FILE *stream)
{
    bool has_gained = is_ours(place, stream) && (size_t)(stream->_IO_write_ptr - stream->_IO_write_base) > place->unit;
    __atomic_add_fetch(has_gained ? &ends_with_gain : &ends_without, 1, __ATOMIC_RELAXED);
}

bool apply_streams_gain(void)
{
    uint32_t gained = __atomic_load_n(&ends_with_gain, __ATOMIC_RELAXED),
             not_gained = __atomic_load_n(&ends_without, __ATOMIC_RELAXED);
    return not_gained < ENDS_WATCHED || gained * LEAST_GAIN >= not_gained;
}

/* Before the stream ends nobody may look at it any more, and after that its memory is free. */
struct apply_buffered *apply_close_place(const FILE *stream)
{
    struct apply_buffered *place = place_of(stream);
    if (place == NULL)
        return NULL;
    count_end(place, stream);
    __atomic_store_n(&place->stream, CLOSING, __ATOMIC_RELEASE);
    return place;
}

void apply_leave_place(struct apply_buffered *place)
{
    if (place != NULL)
        __atomic_store_n(&place->stream, NULL, __ATOMIC_RELEASE);
}

/* --- as if the buffer had its own size ------------------------------------------------- */

static void settle(const struct apply_buffered *place, FILE *stream)
{
    char kept[BUFSIZ];
    if (!is_ours(place, stream) || !__fwriting(stream))
        return;
    size_t pending = (size_t)(stream->_IO_write_ptr - stream->_IO_write_base), last = kept_of(place, pending);
    if (pending == last)
        return;
    memcpy(kept, stream->_IO_write_ptr - last, last);
    stream->_IO_write_ptr -= last;
    REAL(fflush_unlocked)(stream);
    REAL(fwrite_unlocked)(kept, 1, last, stream);
}

void apply_settle_streams(void)
{
    uint32_t used = __atomic_load_n(&used_streams, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < used; i++) {
        FILE *stream = __atomic_load_n(&streams[i].stream, __ATOMIC_ACQUIRE);
        if (stream == NULL || stream == CLOSING || REAL(ftrylockfile)(stream) != 0)
            continue;
        settle(&streams[i], stream);
        REAL(funlockfile)(stream);
    }
}

void apply_streams_forked(void)
{
    memset(&lock, 0, sizeof lock);
}

/* The C library's lock: its first word is 0 while no call of the stream runs. */
static bool is_at_rest(const FILE *stream)
{
    return stream->_lock != NULL && __atomic_load_n((const int *)stream->_lock, __ATOMIC_RELAXED) == 0;
}

/* A signal may have come in the middle of a call of the stream, even after its write was done:
 * so the bytes go to where they belong, and nothing of the stream is changed. What is appended
 * has no such place. */
void apply_settle_streams_at_end(void)
{
    uint32_t used = __atomic_load_n(&used_streams, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < used; i++) {
        const FILE *stream = __atomic_load_n(&streams[i].stream, __ATOMIC_ACQUIRE);
        if (!is_ours(&streams[i], stream) || stream->_IO_read_end != stream->_IO_write_base)
            continue;
        size_t pending = (size_t)(stream->_IO_write_ptr - stream->_IO_write_base);
        if (pending > streams[i].room || pending <= streams[i].unit)
            continue;
        size_t bytes = pending - kept_of(&streams[i], pending);
        if (stream->_offset >= 0)
            REAL(pwrite)(stream->_fileno, stream->_IO_write_base, bytes, stream->_offset);
        else if (is_at_rest(stream))
            REAL(write)(stream->_fileno, stream->_IO_write_base, bytes);
    }
}
