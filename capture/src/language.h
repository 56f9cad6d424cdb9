/* Which runtime is the program, or linked with it. */
#ifndef DIYA_LANGUAGE_H
#define DIYA_LANGUAGE_H

#include "base.h"

DIYA_HIDDEN void diya_language_write(struct diya_identity *identity);

/* As much of the text as fits, always ended. */
static inline void diya_identity_text(char *to, size_t room, const char *text)
{
    size_t length = 0;
    for (; text[length] != '\0' && length + 1 < room; length++)
        to[length] = text[length];
    to[length] = '\0';
}

#endif
