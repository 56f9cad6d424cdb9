/* Reads DIYA_APPLY once, at the start of the process. */
#include "settings.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ENTRIES = 64, MAX_TEXT = 16384 };

struct entry {
    enum apply_setting setting;
    const char *value, *pattern;
};

static struct {
    char text[MAX_TEXT];
    struct entry entries[MAX_ENTRIES];
    unsigned count;
    bool is_auto, is_asked[APPLY_SETTINGS];
} asked;

static const char *const names[] = {
#define SETTING(name) #name,
#include "settings.def"
#undef SETTING
};

const char *apply_name(enum apply_setting setting)
{
    return names[setting];
}

static int digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* In place: a decoded text is never longer. */
static void decode(char *text)
{
    char *to = text;
    for (const char *from = text; *from != '\0'; from++) {
        int high = from[0] == '%' ? digit_of(from[1]) : -1;
        int low = high < 0 ? -1 : digit_of(from[2]);
        *to++ = low < 0 ? *from : (char)(high << 4 | low);
        if (low >= 0)
            from += 2;
    }
    *to = '\0';
}

/* An unknown entry is left out: `diya run` has named it to the user. */
static void read_entry(char *text)
{
    if (strcmp(text, "auto") == 0) {
        asked.is_auto = true;
        return;
    }
    char *value = strchr(text, '='), *pattern = strchr(text, '@');
    if (value == NULL || asked.count == MAX_ENTRIES)
        return;
    *value++ = '\0';
    if (pattern != NULL) {
        *pattern++ = '\0';
        decode(pattern);
    }
    decode(value);
    for (unsigned i = 0; i < APPLY_SETTINGS; i++)
        if (strcmp(text, names[i]) == 0) {
            asked.entries[asked.count++] = (struct entry){i, value, pattern};
            asked.is_asked[i] = true;
        }
}

/* Before other constructors, which may do I/O. */
__attribute__((constructor(101))) static void read_environment(void)
{
    const char *given = getenv("DIYA_APPLY");
    if (given == NULL || strlen(given) >= MAX_TEXT)
        return;
    strcpy(asked.text, given);
    for (char *at = asked.text; at != NULL && *at != '\0';) {
        char *end = strchr(at, ';');
        if (end != NULL)
            *end++ = '\0';
        read_entry(at);
        at = end;
    }
}

const char *apply_value_at(enum apply_setting setting, const char *path, unsigned index)
{
    for (unsigned i = 0; i < asked.count; i++) {
        const struct entry *entry = &asked.entries[i];
        bool fits = entry->setting == setting &&
                    (entry->pattern == NULL || (path != NULL && fnmatch(entry->pattern, path, 0) == 0));
        if (fits && index-- == 0)
            return entry->value;
    }
    return NULL;
}

const char *apply_value(enum apply_setting setting, const char *path)
{
    return apply_value_at(setting, path, 0);
}

uint64_t apply_bytes(enum apply_setting setting, const char *path)
{
    const char *value = apply_value(setting, path);
    uint64_t number = 0;
    for (; value != NULL && *value != '\0'; value++) {
        if (*value < '0' || *value > '9' || number > UINT64_MAX / 16)
            return 0;
        number = number * 10 + (uint64_t)(*value - '0');
    }
    return number;
}

bool apply_is_auto(void)
{
    return asked.is_auto;
}

bool apply_is_asked(enum apply_setting setting)
{
    return asked.is_asked[setting];
}
