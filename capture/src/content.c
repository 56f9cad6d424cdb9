/* Looks into buffers that the program just read or wrote: see content.h. */
#include "content.h"
#include "state.h"

enum { LOOK_BYTES = 256 };

/* Numbers as text are digits, signs, points, exponents and what separates them;
 * words have letters. */
static enum diya_content_seen kind_of(const unsigned char *data, size_t bytes)
{
    size_t odd = 0, digits = 0, blanks = 0;
    for (size_t i = 0; i < bytes; i++) {
        unsigned char c = data[i];
        digits += c >= '0' && c <= '9';
        blanks += c == ' ' || (c >= '\t' && c <= '\r');
        odd += c == 0x7f || (c < ' ' && !(c >= '\t' && c <= '\r')) || c >= 0x80;
    }
    if (odd * 32 > bytes)
        return DIYA_CONTENT_BINARY;
    return digits * 2 > bytes - blanks && digits > 0 ? DIYA_CONTENT_NUMBERS : DIYA_CONTENT_TEXT;
}

static const char *name_of(unsigned seen)
{
    switch (seen) {
    case DIYA_CONTENT_BINARY:
        return "binary";
    case DIYA_CONTENT_TEXT:
        return "text";
    case DIYA_CONTENT_NUMBERS:
    case DIYA_CONTENT_NUMBERS | DIYA_CONTENT_TEXT: /* a table with its head */
        return "numbers";
    default:
        return "mixed";
    }
}

void diya_content_look(uint32_t file, const void *data, size_t bytes)
{
    struct diya_file_facts *facts = &diya_process->file_facts[file];
    if (facts->kind != DIYA_NAME_FILE) {
        facts->content_looks = DIYA_CONTENT_LOOKS;
        return;
    }
    facts->content_looks++;
    unsigned before = facts->content;
    unsigned seen = before | (unsigned)kind_of(data, bytes < LOOK_BYTES ? bytes : LOOK_BYTES);
    facts->content = (uint8_t)seen;
    if (seen != before && (before == 0 || name_of(seen) != name_of(before)))
        diya_attribute(file, "posix:content", name_of(seen));
}
