/* stream_buffer: larger buffers of the C library's streams. */
#ifndef APPLY_STREAMS_H
#define APPLY_STREAMS_H

#include "settings.h"

#include <stdio.h>

struct apply_buffered {
    FILE *stream; /* NULL: the memory is free for the next stream; or it is about to be closed */
    char *memory;
    uint32_t room, unit; /* `unit`: bytes of the C library's own buffer */
};

/* A place with memory of this size; NULL: there is none left. */
APPLY_HIDDEN struct apply_buffered *apply_take_place(FILE *stream, uint32_t room);
/* Before the stream ends nobody may look at it any more, and after that its memory is free.
 * NULL: it has none of ours. */
APPLY_HIDDEN struct apply_buffered *apply_close_place(const FILE *stream);
APPLY_HIDDEN void apply_leave_place(struct apply_buffered *place);
/* Do streams that end leave more than the C library's own buffer would hold? */
APPLY_HIDDEN bool apply_streams_gain(void);

/* Others see what the C library's own buffer would have let through by now: before a child
 * starts, and before the process becomes another program. */
APPLY_HIDDEN void apply_settle_streams(void);
/* The same where the process ends without the C library's doing: safe in signal handlers. */
APPLY_HIDDEN void apply_settle_streams_at_end(void);

/* In a forked child: another thread of the parent may have held the lock. */
APPLY_HIDDEN void apply_streams_forked(void);

#endif
