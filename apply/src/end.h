/* The process ends, or becomes another program. */
#ifndef APPLY_END_H
#define APPLY_END_H

#include "descriptors.h"

/* Issues everything, gathers nothing from here on, and hands the account to the recorder. */
APPLY_HIDDEN void apply_process_ends(void);
/* Everything is issued and told: exec may fail, and the program goes on. */
APPLY_HIDDEN void apply_process_changes(void);
/* A child starts. */
APPLY_HIDDEN void apply_child_starts(void);

#endif
