/* What a segment says of its process. */
#ifndef DIYA_HEADER_H
#define DIYA_HEADER_H

#include "state.h"

DIYA_HIDDEN void diya_host_name(char *host, size_t room);
DIYA_HIDDEN void diya_segment_name(char *path, size_t room, uint32_t pid);
DIYA_HIDDEN void diya_header_write(struct diya_segment_header *header, uint32_t pid);
DIYA_HIDDEN void diya_clock_choose_once(void);
DIYA_HIDDEN void diya_clock_refresh(void);
DIYA_HIDDEN void diya_process_ended(enum diya_process_state state, int exit_code);

#endif
