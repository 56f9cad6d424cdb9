/* STDIO: positions, flushes, buffers. */
#include "core.h"
#include "state.h"
#include "stdio_calls.h"

#include <stdlib.h>

/* The end of the file is where the stream says it is, the rest is arithmetic. */
static void moved_to(struct diya_call *call, enum diya_function function, FILE *stream, int returned, int64_t offset,
                     int whence)
{
    struct diya_event event = DIYA_EVENT(function);
    struct diya_description *state = stdio_state(stream, 0);
    event.done = returned == 0 ? 0 : -(int64_t)call->saved_errno;
    event.has_aux = true;
    event.aux = (unsigned)whence;
    if (state != NULL) {
        event.file = state->file;
        if (returned == 0) {
            if (whence == SEEK_SET)
                state->position = offset;
            else if (whence == SEEK_CUR && state->position >= 0)
                state->position += offset;
            else
                state->position = DIYA_REAL(ftello)(stream);
            state->edge = NULL;
        }
        event.offset = state->position;
    }
    diya_end(call, &event);
}

DIYA_EXPORT int fseek(FILE *stream, long offset, int whence)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(fseek)(stream, offset, whence);
    stdio_settle(&call, stream);
    int returned = DIYA_REAL(fseek)(stream, offset, whence);
    diya_returned(&call);
    moved_to(&call, DIYA_F_FSEEK, stream, returned, offset, whence);
    return returned;
}

DIYA_EXPORT int fseeko(FILE *stream, off_t offset, int whence)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(fseeko)(stream, offset, whence);
    stdio_settle(&call, stream);
    int returned = DIYA_REAL(fseeko)(stream, offset, whence);
    diya_returned(&call);
    moved_to(&call, DIYA_F_FSEEK, stream, returned, offset, whence);
    return returned;
}
DIYA_EXPORT int fseeko64(FILE *stream, off_t offset, int whence) __attribute__((alias("fseeko")));
DIYA_EXPORT int __fseeko64(FILE *stream, off_t offset, int whence) __attribute__((alias("fseeko")));

DIYA_EXPORT void rewind(FILE *stream)
{
    struct diya_call call;
    if (!diya_begin(&call)) {
        DIYA_REAL(rewind)(stream);
        return;
    }
    stdio_settle(&call, stream);
    DIYA_REAL(rewind)(stream);
    diya_returned(&call);
    moved_to(&call, DIYA_F_REWIND, stream, 0, 0, SEEK_SET);
}

/* The content of fpos_t is not for us: the stream is asked. */
DIYA_EXPORT int fsetpos(FILE *stream, const fpos_t *position)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(fsetpos)(stream, position);
    stdio_settle(&call, stream);
    int returned = DIYA_REAL(fsetpos)(stream, position);
    diya_returned(&call);
    moved_to(&call, DIYA_F_FSETPOS, stream, returned, 0, SEEK_END);
    return returned;
}

DIYA_EXPORT int fsetpos64(FILE *stream, const fpos64_t *position)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(fsetpos64)(stream, position);
    stdio_settle(&call, stream);
    int returned = DIYA_REAL(fsetpos64)(stream, position);
    diya_returned(&call);
    moved_to(&call, DIYA_F_FSETPOS, stream, returned, 0, SEEK_END);
    return returned;
}

DIYA_EXPORT long ftell(FILE *stream)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(ftell)(stream);
    long returned = DIYA_REAL(ftell)(stream);
    diya_returned(&call);
    stdio_on_stream(&call, DIYA_F_FTELL, stream, returned < 0 ? -(int64_t)call.saved_errno : 0);
    return returned;
}

DIYA_EXPORT off_t ftello(FILE *stream)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(ftello)(stream);
    off_t returned = DIYA_REAL(ftello)(stream);
    diya_returned(&call);
    stdio_on_stream(&call, DIYA_F_FTELL, stream, returned < 0 ? -(int64_t)call.saved_errno : 0);
    return returned;
}
DIYA_EXPORT off_t ftello64(FILE *stream) __attribute__((alias("ftello")));
DIYA_EXPORT off_t __ftello64(FILE *stream) __attribute__((alias("ftello")));

DIYA_EXPORT int fgetpos(FILE *restrict stream, fpos_t *restrict position)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(fgetpos)(stream, position);
    int returned = DIYA_REAL(fgetpos)(stream, position);
    diya_returned(&call);
    stdio_on_stream(&call, DIYA_F_FGETPOS, stream, returned != 0 ? -(int64_t)call.saved_errno : 0);
    return returned;
}

DIYA_EXPORT int fgetpos64(FILE *restrict stream, fpos64_t *restrict position)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(fgetpos64)(stream, position);
    int returned = DIYA_REAL(fgetpos64)(stream, position);
    diya_returned(&call);
    stdio_on_stream(&call, DIYA_F_FGETPOS, stream, returned != 0 ? -(int64_t)call.saved_errno : 0);
    return returned;
}

/* Without a stream: all of them. */
DIYA_EXPORT int fflush(FILE *stream)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(fflush)(stream);
    stdio_settle(&call, stream);
    int returned = DIYA_REAL(fflush)(stream);
    diya_returned(&call);
    stdio_on_stream(&call, DIYA_F_FFLUSH, stream, returned == EOF ? -(int64_t)call.saved_errno : 0);
    return returned;
}

DIYA_EXPORT int fflush_unlocked(FILE *stream)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(fflush_unlocked)(stream);
    stdio_settle(&call, stream);
    int returned = DIYA_REAL(fflush_unlocked)(stream);
    diya_returned(&call);
    stdio_on_stream(&call, DIYA_F_FFLUSH, stream, returned == EOF ? -(int64_t)call.saved_errno : 0);
    return returned;
}

DIYA_EXPORT int setvbuf(FILE *restrict stream, char *restrict buffer, int mode, size_t bytes)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(setvbuf)(stream, buffer, mode, bytes);
    int returned = DIYA_REAL(setvbuf)(stream, buffer, mode, bytes);
    diya_returned(&call);
    stdio_on_stream_aux(&call, DIYA_F_SETVBUF, stream, returned != 0 ? -(int64_t)call.saved_errno : 0, (unsigned)mode);
    return returned;
}

DIYA_EXPORT void setbuf(FILE *restrict stream, char *restrict buffer)
{
    struct diya_call call;
    if (!diya_begin(&call)) {
        DIYA_REAL(setbuf)(stream, buffer);
        return;
    }
    DIYA_REAL(setbuf)(stream, buffer);
    diya_returned(&call);
    stdio_on_stream_aux(&call, DIYA_F_SETVBUF, stream, 0, buffer == NULL ? _IONBF : _IOFBF);
}

DIYA_EXPORT void setbuffer(FILE *restrict stream, char *restrict buffer, size_t bytes)
{
    struct diya_call call;
    if (!diya_begin(&call)) {
        DIYA_REAL(setbuffer)(stream, buffer, bytes);
        return;
    }
    DIYA_REAL(setbuffer)(stream, buffer, bytes);
    diya_returned(&call);
    stdio_on_stream_aux(&call, DIYA_F_SETVBUF, stream, 0, buffer == NULL ? _IONBF : _IOFBF);
}

DIYA_EXPORT void setlinebuf(FILE *stream)
{
    struct diya_call call;
    if (!diya_begin(&call)) {
        DIYA_REAL(setlinebuf)(stream);
        return;
    }
    DIYA_REAL(setlinebuf)(stream);
    diya_returned(&call);
    stdio_on_stream_aux(&call, DIYA_F_SETVBUF, stream, 0, _IOLBF);
}
