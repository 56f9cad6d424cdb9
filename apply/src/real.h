/* The function behind a hook of ours: the next library's, which may be the recorder's. */
#ifndef APPLY_REAL_H
#define APPLY_REAL_H

#include "settings.h"

#define APPLY_EXPORT __attribute__((visibility("default")))

/* NULL: no library has it. The slot keeps what was found; any thread may fill it. */
APPLY_HIDDEN void *apply_real(void **slot, const char *name);

#define REAL(name)                                                                                                     \
    __extension__({                                                                                                    \
        static void *slot;                                                                                             \
        (__typeof__(&name))apply_real(&slot, #name);                                                                   \
    })

#endif
