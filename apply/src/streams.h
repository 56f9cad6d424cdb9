/* stream_buffer: larger buffers of the C library's streams. */
#ifndef APPLY_STREAMS_H
#define APPLY_STREAMS_H

#include "settings.h"

/* Others see what the C library's own buffer would have let through by now: before a child
 * starts, and before the process becomes another program. */
APPLY_HIDDEN void apply_settle_streams(void);
/* The same where the process ends without the C library's doing: safe in signal handlers. */
APPLY_HIDDEN void apply_settle_streams_at_end(void);

/* In a forked child: another thread of the parent may have held the lock. */
APPLY_HIDDEN void apply_streams_forked(void);

#endif
