/* What the environment asks for. */
#ifndef DIYA_SETTINGS_H
#define DIYA_SETTINGS_H

#include "base.h"

/* From the environment, once; a forked child keeps them. */
struct diya_settings {
    char directory[1024];
    char gather[2048]; /* folder that all nodes see, or empty */
    char home[256];    /* the launcher's node, which needs to bring nothing */
    uint64_t max_trace_bytes;
    enum diya_mode mode;
    uint32_t window_bytes; /* of all windows of a thread but the first */
    bool has_stacks;
    enum diya_message_mode messages;
};
extern DIYA_HIDDEN struct diya_settings diya_settings;

/* False: nothing is to be recorded in this program. */
DIYA_HIDDEN bool diya_settings_read(void);
/* Whether a program of this name is not recorded on purpose. */
DIYA_HIDDEN bool diya_is_skipped(const char *path);

#endif
