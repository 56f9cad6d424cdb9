/* Who a process is: which interpreter or runtime runs in it.
 *
 * An interpreter that is the program, or that the program is linked with, is
 * there before the program starts, and is asked for its version then: later a
 * hook may not search symbols.
 */
#include "identity.h"
#include "python.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(offsetof(struct diya_segment_header, identity) == DIYA_IDENTITY_AT, "readers look there");
_Static_assert(sizeof(struct diya_segment_header) == DIYA_SEGMENT_HEADER_BYTES, "all of the header is spoken for");

static char language[16], language_version[40];

/* The first word: CPython puts its compiler behind. */
static void put_version(const char *version)
{
    size_t length = strcspn(version, " ");
    if (length >= sizeof language_version)
        length = sizeof language_version - 1;
    memcpy(language_version, version, length);
    language_version[length] = '\0';
}

__attribute__((constructor)) static void find_language(void)
{
    if (getenv("DIYA_DIR") == NULL)
        return;
    const char *(*python)(void) = (const char *(*)(void))dlsym(RTLD_DEFAULT, "Py_GetVersion");
    if (python != NULL) {
        strcpy(language, "cpython");
        put_version(python());
    }
}

void diya_identity_write(struct diya_identity *identity)
{
    identity->python_frames = diya_python_state;
    memcpy(identity->language, language, sizeof language);
    memcpy(identity->language_version, language_version, sizeof language_version);
    identity->version = DIYA_IDENTITY_VERSION;
}
