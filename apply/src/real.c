/* The next function of a name, looked up once and kept. */
#include "real.h"

#include <dlfcn.h>
#include <stddef.h>

void *apply_real(void **slot, const char *name)
{
    void *found = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
    if (found == NULL) {
        found = dlsym(RTLD_NEXT, name);
        __atomic_store_n(slot, found, __ATOMIC_RELEASE);
    }
    return found;
}
