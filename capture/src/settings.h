/* What the environment asks for, and what a segment says of its process. */
#ifndef DIYA_SETTINGS_H
#define DIYA_SETTINGS_H

#include "internal.h"

/* False: nothing is to be recorded in this program. */
DIYA_HIDDEN bool diya_settings_read(void);
/* Whether a program of this name is not recorded on purpose. */
DIYA_HIDDEN bool diya_is_skipped(const char *path);

DIYA_HIDDEN void diya_host_name(char *host, size_t room);
DIYA_HIDDEN void diya_segment_name(char *path, size_t room, uint32_t pid);
DIYA_HIDDEN void diya_header_write(struct diya_segment_header *header, uint32_t pid);
DIYA_HIDDEN void diya_clock_choose_once(void);
DIYA_HIDDEN void diya_thread_ended(void *state);
/* No call more, of this thread or of all: the clock must not be read. */
DIYA_HIDDEN void diya_recording_ended(bool of_all_threads);
DIYA_HIDDEN bool diya_has_ended(void);
DIYA_HIDDEN void diya_process_ended(enum diya_process_state state, int exit_code);

#endif
