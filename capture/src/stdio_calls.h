/* What the STDIO hooks share. */
#ifndef DIYA_STDIO_CALLS_H
#define DIYA_STDIO_CALLS_H

#include "core.h"
#include "state.h"
#include "tiny.h"

#include <stdio.h>

/* A finished transfer of `done` bytes (or -errno) of a stream. */
DIYA_HIDDEN void stdio_moved(struct diya_call *call, enum diya_function function, FILE *stream, uint64_t requested,
                             int64_t done);

/* The same, with the buffer of the program: it is looked into where it begins. */
DIYA_HIDDEN void stdio_moved_data(struct diya_call *call, enum diya_function function, FILE *stream, const void *data,
                                  uint64_t requested, int64_t done);

/* The same where the number of bytes is not what the call returns (scanf,
 * wide characters): what the position says, where the stream has one. */
DIYA_HIDDEN void stdio_moved_by_position(struct diya_call *call, enum diya_function function, FILE *stream,
                                         bool succeeded);

/* Inlined getc and putc call the library once per buffer: what they moved by
 * themselves since then shows in the position. What inlined putc put into the
 * buffer before another call of the stream shows at that call: stdio_begin. */
DIYA_HIDDEN void stdio_moved_inline(struct diya_call *call, enum diya_function function, FILE *stream, bool succeeded);

/* Calls on a stream that move nothing. */
DIYA_HIDDEN void stdio_on_stream(struct diya_call *call, enum diya_function function, FILE *stream, int64_t done);
DIYA_HIDDEN void stdio_on_stream_aux(struct diya_call *call, enum diya_function function, FILE *stream, int64_t done,
                                     uint64_t aux);

/* State of a stream; one not seen opened is asked for its descriptor. */
DIYA_HIDDEN struct diya_description *stdio_state(FILE *stream, int64_t done);

/* A call that writes what the buffer holds, or closes its stream: what inlined putc
 * left there is recorded first. Of all streams (NULL): that of stdout. */
DIYA_HIDDEN void stdio_settle(struct diya_call *call, FILE *stream);

/* The process ends, which writes what stdout's buffer holds. */
DIYA_HIDDEN void stdio_process_ends(void);

/* A stream begins and ends. */
DIYA_HIDDEN uint32_t stdio_opened(FILE *stream, uint32_t file, const char *mode);
DIYA_HIDDEN uint32_t stdio_closing(FILE *stream);

/* After a call that signals failure by EOF or NULL: -errno, or 0 at the end of
 * the file. */
static inline int64_t stdio_failure(const struct diya_call *call, FILE *stream)
{
    return ferror_unlocked(stream) && call->saved_errno != 0 ? -(int64_t)call->saved_errno : 0;
}

/* As diya_begin, of a call that writes to a stream. */
static inline __attribute__((always_inline)) bool stdio_begin(struct diya_call *call, const FILE *stream)
{
    if (!diya_begin(call))
        return false;
#if defined(__GLIBC__)
    call->edge = stream->_IO_write_ptr;
#else
    (void)stream;
    call->edge = NULL;
#endif
    return true;
}

/* Whether the buffer can take, or give, so many bytes without any I/O. The
 * fields are those of the GNU C library, which its headers publish. */
static inline bool stdio_has_room(const FILE *stream, size_t bytes)
{
#if defined(__GLIBC__)
    return bytes <= DIYA_TINY_BYTES && (ptrdiff_t)bytes <= stream->_IO_write_end - stream->_IO_write_ptr;
#else
    (void)stream, (void)bytes;
    return false;
#endif
}

static inline bool stdio_has_input(const FILE *stream, size_t bytes)
{
#if defined(__GLIBC__)
    return bytes <= DIYA_TINY_BYTES && (ptrdiff_t)bytes <= stream->_IO_read_end - stream->_IO_read_ptr;
#else
    (void)stream, (void)bytes;
    return false;
#endif
}

#endif
