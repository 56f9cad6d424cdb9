/* What was applied in this process, for the recorder, which gets it at the end of the process,
 * and before it becomes another program. Without the recorder the account goes nowhere. */
#ifndef APPLY_ACCOUNT_H
#define APPLY_ACCOUNT_H

#include "settings.h"

/* A file, stream or descriptor that a setting was applied to. `value` is copied. */
APPLY_HIDDEN void apply_used(enum apply_setting setting, const char *value, const char *path);
/* Calls of the program, those made instead, and their bytes: added up. Safe in signal handlers. */
APPLY_HIDDEN void apply_count(enum apply_setting setting, uint64_t asked, uint64_t issued, uint64_t bytes);
/* A file that a setting was asked for and not applied to. `why` is a constant. */
APPLY_HIDDEN void apply_refused(enum apply_setting setting, const char *path, const char *why);
/* The same of one hint, "KEY:VALUE"; it is copied. */
APPLY_HIDDEN void apply_refused_hint(const char *value, const char *path, const char *why);
APPLY_HIDDEN void apply_tell(void);
/* In a forked child: what the parent counted is the parent's. */
APPLY_HIDDEN void apply_forget(void);

#endif
