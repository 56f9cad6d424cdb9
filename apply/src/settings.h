/* What DIYA_APPLY asks for.
 *
 *     DIYA_APPLY=ENTRY[;ENTRY ...]
 *     ENTRY: auto, or NAME=VALUE[@GLOB]
 *
 * `;`, `@`, `%`, `=` and control characters in a value or a pattern are %XX. A pattern is one
 * of fnmatch over the absolute path; without it the setting is for every file. The first entry
 * that fits counts. `auto`: what the calls of the program give ground for, as they come.
 */
#ifndef APPLY_SETTINGS_H
#define APPLY_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

enum apply_setting {
#define SETTING(name) APPLY_##name,
#include "settings.def"
#undef SETTING
    APPLY_SETTINGS
};

#define APPLY_HIDDEN __attribute__((visibility("hidden")))

APPLY_HIDDEN const char *apply_name(enum apply_setting setting);
/* Value that is asked for this file; NULL: none. `path` NULL: a setting without files. */
APPLY_HIDDEN const char *apply_value(enum apply_setting setting, const char *path);
/* The same as a number of bytes: 0 where none is asked, or it is no number. */
APPLY_HIDDEN uint64_t apply_bytes(enum apply_setting setting, const char *path);
/* Entry `index` of a setting that may be asked for more than once (mpi_hint); NULL: no more. */
APPLY_HIDDEN const char *apply_value_at(enum apply_setting setting, const char *path, unsigned index);
APPLY_HIDDEN bool apply_is_auto(void);
/* Is anything asked for this setting, for whatever file? False: its hooks pass on at once. */
APPLY_HIDDEN bool apply_is_asked(enum apply_setting setting);

#endif
