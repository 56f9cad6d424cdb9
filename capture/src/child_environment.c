/* The environment of a new program without the recorder's library. */
#include "child_environment.h"
#include "probe.h"
#include "directory.h"
#include "settings.h"
#include "state.h"
#include "system.h"

#include <string.h>
#include <unistd.h>

enum { MAX_POINTERS = 4096, LONGEST_VARIABLE = 1 << 14, LONGEST_PATH = 2048 };

static const char preload[] = "LD_PRELOAD=";

/* The next part of a list with blanks or colons between them. */
static const char *next_part(const char *at, size_t *length)
{
    at += strspn(at, " :");
    *length = strcspn(at, " :");
    return at;
}

static bool is_own(const char *part, size_t length)
{
    static const char name[] = "libdiya_capture";
    for (size_t i = 0; i + sizeof name - 1 <= length; i++)
        if (memcmp(part + i, name, sizeof name - 1) == 0)
            return true;
    return false;
}

/* The path of the library in a variable; empty if it does not name it. */
static const char *own_part(const char *variable, size_t *length)
{
    const char *part = variable + sizeof preload - 1;
    for (part = next_part(part, length); *length > 0; part = next_part(part + *length, length))
        if (is_own(part, *length))
            return part;
    return part;
}

/* Counts the variables; which of them names the library, or NULL. Pointers that cannot
 * be read fail in the kernel. */
static const char *naming_variable(char *const environment[], size_t *count)
{
    struct diya_probe probe = {0}, texts = {0};
    const char *found = NULL;
    size_t length;
    for (*count = 0; environment != NULL && *count < MAX_POINTERS; (*count)++) {
        if (!diya_readable(&probe, &environment[*count], sizeof environment[0]))
            return NULL;
        const char *variable = environment[*count];
        if (variable == NULL)
            return found;
        if (!diya_readable(&texts, variable, 1))
            return NULL;
        if (found != NULL || variable[0] != 'L' || !diya_readable_text(&texts, variable, LONGEST_VARIABLE) ||
            strncmp(variable, preload, sizeof preload - 1) != 0)
            continue;
        own_part(variable, &length);
        if (length > 0)
            found = variable;
    }
    return NULL;
}

/* Where there is no descriptor left, or no memory, nothing is known. */
static bool can_be_loaded(const char *variable)
{
    char path[LONGEST_PATH];
    size_t length;
    const char *part = own_part(variable, &length);
    if (length >= sizeof path)
        return true;
    memcpy(path, part, length);
    path[length] = '\0';
    int fd = sys_open(path, O_RDONLY | O_CLOEXEC, 0);
    if (fd >= 0)
        sys_close(fd);
    return fd != -ENOENT && fd != -ENOTDIR && fd != -EACCES && fd != -ELOOP;
}

/* Under a seccomp filter opening a file could be what the kernel kills for. */
size_t diya_handed_room(char *const environment[])
{
    size_t count;
    if (diya_process == NULL || diya_process->generation == 0 || diya_process->is_restricted)
        return 0;
    const char *variable = naming_variable(environment, &count);
    if (variable == NULL || can_be_loaded(variable))
        return 0;
    return count + 1 + strlen(variable) / sizeof(char *) + 1;
}

/* The other libraries of the variable, which has no part that is the recorder's. */
static char *without_own(const char *variable, char *text)
{
    char *end = text + sizeof preload - 1;
    size_t length;
    memcpy(text, preload, sizeof preload - 1);
    const char *part = variable + sizeof preload - 1;
    for (part = next_part(part, &length); length > 0; part = next_part(part + length, &length)) {
        if (is_own(part, length))
            continue;
        if (end != text + sizeof preload - 1)
            *end++ = ':';
        memcpy(end, part, length);
        end += length;
    }
    *end = '\0';
    return end == text + sizeof preload - 1 ? NULL : text;
}

char *const *diya_child_environment(char *const environment[], char **vector, size_t room)
{
    size_t count, used = 0;
    const char *variable = room == 0 ? NULL : naming_variable(environment, &count);
    if (variable == NULL)
        return environment;
    for (size_t i = 0; i < count; i++) {
        char *one = environment[i] != variable ? environment[i] : without_own(variable, (char *)(vector + count + 1));
        if (one != NULL)
            vector[used++] = one;
    }
    vector[used] = NULL;
    return vector;
}

char **diya_lend_environment(char *const *handed)
{
    char **own = environ;
    if (handed == own || __atomic_load_n(&diya_process->is_threaded, __ATOMIC_RELAXED))
        return NULL;
    environ = (char **)handed;
    return own;
}

bool diya_within_reach(char *const environment[])
{
    size_t count;
    const char *variable = naming_variable(environment, &count);
    return (variable == NULL || can_be_loaded(variable)) && diya_directory_there(diya_settings.directory);
}
