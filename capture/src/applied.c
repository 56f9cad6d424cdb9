/* Takes down what a library in front of us applied to this process (diya_applied.h). */
#include "diya_applied.h"
#include "core.h"
#include "record.h"
#include "state.h"

#include <string.h>

enum { LONGEST_TEXT = 1024, NUMBERS = 4, VARINT_BYTES = 10 };

/* The text and its terminator. */
static size_t put_text(uint8_t *to, const char *text)
{
    size_t length = text == NULL ? 0 : strnlen(text, LONGEST_TEXT - 1);
    memcpy(to, text == NULL ? "" : text, length);
    to[length] = '\0';
    return length + 1;
}

DIYA_EXPORT void diya_record_applied(const struct diya_applied *account)
{
    struct diya_call call;
    if (account == NULL || account->setting == NULL || !diya_begin(&call))
        return;
    uint64_t generation = diya_enter();
    static uint8_t text[4 * LONGEST_TEXT]; /* too large for small stacks; one at a time */
    static char is_busy;
    if (!__atomic_test_and_set(&is_busy, __ATOMIC_ACQUIRE)) {
        const uint64_t numbers[NUMBERS] = {account->files, account->asked, account->issued, account->bytes};
        uint8_t head[NUMBERS * VARINT_BYTES];
        size_t head_bytes = 0, bytes = 0;
        for (unsigned i = 0; i < NUMBERS; i++)
            head_bytes += diya_put_varint(head + head_bytes, numbers[i]);
        const char *const texts[] = {account->setting, account->value, account->path, account->why};
        for (unsigned i = 0; i < sizeof texts / sizeof texts[0]; i++)
            bytes += put_text(text + bytes, texts[i]);
        diya_record_other(diya_tls.thread, DIYA_APPLIED, head, head_bytes, text, bytes);
        __atomic_clear(&is_busy, __ATOMIC_RELEASE);
    }
    diya_leave(generation);
    diya_cancel(&call);
}
