/* Records of STDIO calls. */
#include "stdio_calls.h"
#include "content.h"
#include "system.h"

#include <string.h>

static uint32_t nameless_stream(void)
{
    static const char name[] = "<memory stream>";
    return diya_file_named(name, sizeof name - 1, 0, DIYA_NAME_PIPE);
}

/* The position is known from here on: after the call it is `done` further than
 * before. */
static struct diya_description *first_seen(FILE *stream, int64_t done)
{
    int fd = DIYA_REAL(fileno)(stream);
    if (fd < 0)
        return diya_stream_bind(stream, nameless_stream(), -1);
    struct diya_descriptor descriptor = diya_descriptor_of(fd);
    int64_t position = -1;
    if (descriptor.flags & DIYA_FD_SEEKABLE) {
        diya_descriptor_shared(fd);
        position = DIYA_REAL(ftello)(stream) - (done > 0 ? done : 0);
    }
    return diya_stream_bind(stream, descriptor.file, position < 0 ? -1 : position);
}

struct diya_description *stdio_state(FILE *stream, int64_t done)
{
    struct diya_description *state = diya_stream_find(stream);
    return __builtin_expect(state != NULL, 1) ? state : first_seen(stream, done);
}

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
            position = &state->position;
            event.offset = *position;
            *position += done > 0 ? done : 0;
        }
    }
    diya_end_tiny(call, &event, stream, position);
}

void stdio_moved_by_position(struct diya_call *call, enum diya_function function, FILE *stream, bool succeeded)
{
    struct diya_description *state = stdio_state(stream, 0);
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
    if (descriptor.flags & DIYA_FD_SEEKABLE) {
        struct stat status;
        diya_descriptor_shared(fd); /* the stream's own reads and writes move it unseen */
        if (is_append)
            position = sys_fstat(fd, &status) == 0 ? status.st_size : -1;
        else
            position = sys_position(fd);
    }
    diya_stream_bind(stream, descriptor.file != 0 ? descriptor.file : nameless_stream(), position);
    return descriptor.file;
}

/* To be called before the stream is closed: afterwards another thread may get
 * the same address and descriptor. */
uint32_t stdio_closing(FILE *stream)
{
    struct diya_description *state = diya_stream_find(stream);
    uint32_t file = state == NULL ? 0 : state->file;
    diya_stream_unbind(stream);
    diya_descriptor_closed(DIYA_REAL(fileno)(stream));
    __atomic_fetch_add(&diya_streams_epoch, 1, __ATOMIC_RELEASE);
    return file;
}
