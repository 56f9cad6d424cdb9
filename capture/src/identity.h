/* Who a process is: its rank as the launcher counts, the interpreter in it, its container. */
#ifndef DIYA_IDENTITY_H
#define DIYA_IDENTITY_H

#include "core.h"

/* Fills in what is known when recording begins, and gives the rank, or -1. */
DIYA_HIDDEN int32_t diya_identity_write(struct diya_identity *identity);

/* language.c: which runtime is the program, or linked with it. */
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
