/* The file of a segment, and its windows. */
#ifndef DIYA_SEGMENT_H
#define DIYA_SEGMENT_H

#include "state.h"

/* For diya_window_take: a window of records that hold names only. */
#define DIYA_WINDOW_NAMES ((enum diya_window_kind)0x101)

enum diya_window_result { DIYA_WINDOW_TAKEN = 0, DIYA_WINDOW_CAP, DIYA_WINDOW_SPACE };

DIYA_HIDDEN int diya_segment_create(struct diya_process *process); /* 0, or -errno */
DIYA_HIDDEN enum diya_window_result diya_window_take(struct diya_thread *thread, struct diya_window *window,
                                                     enum diya_window_kind kind, uint32_t bytes);
/* Maps a part that no thread needs yet, for windows to come. */
DIYA_HIDDEN void diya_segment_spare(void);
DIYA_HIDDEN void diya_window_close(struct diya_window *window, bool give_rest);

#endif
