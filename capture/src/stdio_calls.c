/* Records of STDIO calls. */
#include "stdio_calls.h"
#include "content.h"
#include "core.h"
#include "descriptors.h"
#include "state.h"
#include "system.h"

#include <string.h>

static uint32_t nameless_stream(void)
{
    static const char name[] = "<memory stream>";
    return diya_file_named(name, sizeof name - 1, 0, DIYA_NAME_PIPE);
}

static struct diya_description *bind(FILE *stream, uint32_t file, int64_t position, uint32_t behind)
{
    struct diya_description *state = diya_stream_bind(stream, file, position);
    if (state != NULL) {
        state->next_free = __atomic_load_n(&diya_streams_epoch, __ATOMIC_ACQUIRE);
        state->behind = behind;
    }
    return state;
}

static uint64_t bytes_held(const FILE *stream)
{
#if defined(__GLIBC__)
    return (uint64_t)(stream->_IO_write_ptr - stream->_IO_write_base);
#else
    (void)stream;
    return 0;
#endif
}

/* Where a stream was before a call that moved `done` bytes; -1: not known. */
static int64_t position_before(FILE *stream, int fd, struct diya_descriptor descriptor, int64_t done)
{
    if (!(descriptor.flags & DIYA_FD_SEEKABLE))
        return -1;
    struct stat status;
    int64_t position = DIYA_REAL(ftello)(stream);
    if (descriptor.flags & DIYA_FD_APPEND) /* what it holds will go to the end */
        position = sys_fstat(fd, &status) == 0 ? status.st_size + (int64_t)bytes_held(stream) : -1;
    position -= done > 0 ? done : 0;
    return position < 0 ? -1 : position;
}

/* The position is known from here on. */
static struct diya_description *first_seen(FILE *stream, int64_t done)
{
    int fd = DIYA_REAL(fileno)(stream);
    if (fd < 0)
        return bind(stream, nameless_stream(), -1, 0);
    struct diya_descriptor descriptor = diya_descriptor_of(fd);
    uint32_t behind = diya_descriptor_streams(fd, (descriptor.flags & DIYA_FD_SEEKABLE) != 0);
    return bind(stream, descriptor.file, position_before(stream, fd, descriptor, done), behind);
}

/* Some stream's descriptor became another one: this one's? */
static struct diya_description *looked_at(FILE *stream, struct diya_description *state, int64_t done)
{
    state->next_free = __atomic_load_n(&diya_streams_epoch, __ATOMIC_ACQUIRE);
    int fd = DIYA_REAL(fileno)(stream);
    if (fd < 0)
        return state;
    struct diya_descriptor descriptor = diya_descriptor_of(fd);
    uint32_t behind = diya_descriptor_streams(fd, (descriptor.flags & DIYA_FD_SEEKABLE) != 0);
    if (descriptor.file == 0 || (descriptor.file == state->file && behind == state->behind))
        return state;
    state->file = descriptor.file;
    state->behind = behind;
    state->position = position_before(stream, fd, descriptor, done);
    state->edge = NULL;
    return state;
}

struct diya_description *stdio_state(FILE *stream, int64_t done)
{
    struct diya_description *state = diya_stream_find(stream);
    if (__builtin_expect(state == NULL, 0))
        return first_seen(stream, done);
    bool is_old = state->next_free != __atomic_load_n(&diya_streams_epoch, __ATOMIC_RELAXED);
    return __builtin_expect(is_old, 0) ? looked_at(stream, state, done) : state;
}

/* --- what inlined putc wrote ----------------------------------------------------------
 *
 * It fills the buffer without a call, and only a full buffer reaches the library. Calls
 * between see that the buffer has grown by more than their own bytes. Not among threads:
 * another one's call may be half done. */

static void keep_edge(struct diya_description *state, const FILE *stream)
{
#if defined(__GLIBC__)
    state->edge = stream->_IO_write_ptr;
#else
    (void)stream;
#endif
    state->edge_position = state->position;
}

/* A record of its own, before the call that found it. */
static void record_inline(struct diya_call *call, struct diya_description *state, const char *edge)
{
    if (state->edge == NULL || edge <= state->edge || state->position < state->edge_position ||
        state->edge_position < 0 || __atomic_load_n(&diya_process->is_threaded, __ATOMIC_RELAXED))
        return;
    int64_t bytes = (edge - state->edge) - (state->position - state->edge_position);
    if (bytes <= 0)
        return;
    struct diya_event event = DIYA_EVENT(DIYA_F_FPUTC);
    event.file = state->file;
    event.offset = state->position;
    event.requested = (uint64_t)bytes;
    event.done = bytes;
    struct diya_call before = *call;
    before.end = before.start;
    diya_also(&before, &event);
    state->position += bytes;
    state->edge = edge;
    state->edge_position = state->position;
}

void stdio_settle(struct diya_call *call, FILE *stream)
{
#if defined(__GLIBC__)
    stream = stream == NULL ? stdout : stream;
    struct diya_description *state = stream == NULL ? NULL : diya_stream_find(stream);
    if (state != NULL)
        record_inline(call, state, stream->_IO_write_ptr);
#else
    (void)call, (void)stream;
#endif
}

void stdio_process_ends(void)
{
    struct diya_call call;
    /* A process without a record stays without one. */
    if (diya_tls.generation != diya_generation_now() || diya_tls.is_vfork_child || !diya_begin(&call))
        return;
    stdio_settle(&call, NULL);
    diya_cancel(&call);
}

/* --- records -------------------------------------------------------------------------- */

void stdio_moved(struct diya_call *call, enum diya_function function, FILE *stream, uint64_t requested, int64_t done)
{
    stdio_moved_data(call, function, stream, NULL, requested, done);
}

void stdio_moved_data(struct diya_call *call, enum diya_function function, FILE *stream, const void *data,
                      uint64_t requested, int64_t done)
{
    struct diya_event event = DIYA_EVENT(function);
    struct diya_description *state = stdio_state(stream, done);
    event.requested = requested;
    event.done = done;
    int64_t *position = NULL;
    if (state != NULL) {
        event.file = state->file;
        diya_content(event.file, data, done);
        if (state->position >= 0) {
            if (diya_function_op[function] == DIYA_OP_WRITE)
                record_inline(call, state, call->edge);
            position = &state->position;
            event.offset = *position;
            *position += done > 0 ? done : 0;
            keep_edge(state, stream);
        }
    }
    diya_end_tiny(call, &event, stream, position);
}

void stdio_moved_by_position(struct diya_call *call, enum diya_function function, FILE *stream, bool succeeded)
{
    struct diya_description *state = stdio_state(stream, 0);
    call->edge = NULL; /* the position says it all */
    int64_t before = state == NULL ? -1 : state->position;
    int64_t after = before < 0 ? -1 : DIYA_REAL(ftello)(stream);
    int64_t moved = after > before && before >= 0 ? after - before : 0;
    int64_t done = moved > 0 || succeeded ? moved : stdio_failure(call, stream);
    stdio_moved(call, function, stream, (uint64_t)moved, done);
}

void stdio_moved_inline(struct diya_call *call, enum diya_function function, FILE *stream, bool succeeded)
{
    struct diya_description *state = stdio_state(stream, succeeded);
    if (state != NULL && state->position >= 0)
        stdio_moved_by_position(call, function, stream, succeeded);
    else
        stdio_moved(call, function, stream, 1, succeeded ? 1 : stdio_failure(call, stream));
}

void stdio_on_stream(struct diya_call *call, enum diya_function function, FILE *stream, int64_t done)
{
    struct diya_event event = DIYA_EVENT(function);
    struct diya_description *state = stream == NULL ? NULL : stdio_state(stream, 0);
    event.file = state == NULL ? 0 : state->file;
    event.done = done;
    if (state != NULL)
        keep_edge(state, stream);
    diya_end_tiny(call, &event, stream, NULL);
}

void stdio_on_stream_aux(struct diya_call *call, enum diya_function function, FILE *stream, int64_t done, uint64_t aux)
{
    struct diya_event event = DIYA_EVENT(function);
    struct diya_description *state = stream == NULL ? NULL : stdio_state(stream, 0);
    event.file = state == NULL ? 0 : state->file;
    event.done = done;
    event.has_aux = true;
    event.aux = aux;
    diya_end(call, &event);
}

/* fopen's "a" starts at the end of what is there. */
uint32_t stdio_opened(FILE *stream, uint32_t file, const char *mode)
{
    if (stream == NULL)
        return file;
    int fd = DIYA_REAL(fileno)(stream);
    bool is_append = mode != NULL && strchr(mode, 'a') != NULL;
    if (file != 0)
        diya_descriptor_opened(fd, file, is_append ? O_APPEND : 0);
    struct diya_descriptor descriptor = diya_descriptor_of(fd);
    int64_t position = -1;
    /* The stream's own reads and writes move it unseen. */
    uint32_t behind = diya_descriptor_streams(fd, (descriptor.flags & DIYA_FD_SEEKABLE) != 0);
    if (descriptor.flags & DIYA_FD_SEEKABLE) {
        struct stat status;
        if (is_append)
            position = sys_fstat(fd, &status) == 0 ? status.st_size : -1;
        else
            position = sys_position(fd);
    }
    bind(stream, descriptor.file != 0 ? descriptor.file : nameless_stream(), position, behind);
    return descriptor.file;
}

/* To be called before the stream is closed: afterwards another thread may get
 * the same address and descriptor. */
uint32_t stdio_closing(FILE *stream)
{
    uint32_t file = diya_stream_find(stream) == NULL ? 0 : stdio_state(stream, 0)->file;
    diya_stream_unbind(stream);
    diya_descriptor_closed(DIYA_REAL(fileno)(stream));
    __atomic_fetch_add(&diya_streams_epoch, 1, __ATOMIC_RELEASE);
    return file;
}
