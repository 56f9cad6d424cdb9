/* Whether a file holds numbers written as text, other text, or binary data. */
#ifndef DIYA_CONTENT_H
#define DIYA_CONTENT_H

#include "state.h"

#define DIYA_CONTENT_LOOKS 8u       /* per file and process */
#define DIYA_CONTENT_LEAST_BYTES 16 /* fewer say nothing */

enum diya_content_seen { DIYA_CONTENT_BINARY = 1, DIYA_CONTENT_TEXT = 2, DIYA_CONTENT_NUMBERS = 4 };

DIYA_HIDDEN DIYA_RARELY void diya_content_look(uint32_t file, const void *data, size_t bytes);

/* Looks into the first buffers of a file that a call just moved `moved` bytes
 * of: only the kind of contents leaves the process, never the contents. */
static inline void diya_content(uint32_t file, const void *data, int64_t moved)
{
    if (moved < DIYA_CONTENT_LEAST_BYTES || data == NULL || file == 0)
        return;
    if (__builtin_expect(diya_process->file_facts[file].content_looks < DIYA_CONTENT_LOOKS, 0))
        diya_content_look(file, data, (size_t)moved);
}

#endif
