/* What our library exports, found without asking the linker. */
#ifndef DIYA_OWN_SYMBOL_H
#define DIYA_OWN_SYMBOL_H

#include "base.h"

DIYA_HIDDEN void *diya_own_symbol(const char *name); /* NULL: none of this name */
DIYA_HIDDEN bool diya_is_own_code(const void *address);

/* Whether a program or library defines or uses a symbol of this name. */
struct link_map;
DIYA_HIDDEN bool diya_names_symbol(const struct link_map *map, const char *symbol);

typedef void *diya_dlsym_function(void *handle, const char *name);
typedef void *diya_dlopen_function(const char *file, int flags);
DIYA_HIDDEN diya_dlsym_function *diya_real_dlsym(void);
DIYA_HIDDEN diya_dlopen_function *diya_real_dlopen(void);

#endif
