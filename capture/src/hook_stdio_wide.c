/* STDIO: wide characters. Their bytes are those of the stream's encoding. */
#include "core.h"
#include "state.h"
#include "stdio_calls.h"

#include <stdlib.h>
#include <wchar.h>

DIYA_EXPORT wint_t fgetwc(FILE *stream)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(fgetwc)(stream);
    wint_t returned = DIYA_REAL(fgetwc)(stream);
    diya_returned(&call);
    stdio_moved_by_position(&call, DIYA_F_FGETWC, stream, returned != WEOF);
    return returned;
}

DIYA_EXPORT wint_t getwc(FILE *stream)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(getwc)(stream);
    wint_t returned = DIYA_REAL(getwc)(stream);
    diya_returned(&call);
    stdio_moved_by_position(&call, DIYA_F_FGETWC, stream, returned != WEOF);
    return returned;
}

DIYA_EXPORT wint_t fgetwc_unlocked(FILE *stream)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(fgetwc_unlocked)(stream);
    wint_t returned = DIYA_REAL(fgetwc_unlocked)(stream);
    diya_returned(&call);
    stdio_moved_by_position(&call, DIYA_F_FGETWC, stream, returned != WEOF);
    return returned;
}

DIYA_EXPORT wint_t getwc_unlocked(FILE *stream)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(getwc_unlocked)(stream);
    wint_t returned = DIYA_REAL(getwc_unlocked)(stream);
    diya_returned(&call);
    stdio_moved_by_position(&call, DIYA_F_FGETWC, stream, returned != WEOF);
    return returned;
}

DIYA_EXPORT wint_t getwchar(void)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(getwchar)();
    wint_t returned = DIYA_REAL(getwchar)();
    diya_returned(&call);
    stdio_moved_by_position(&call, DIYA_F_FGETWC, stdin, returned != WEOF);
    return returned;
}

DIYA_EXPORT wint_t getwchar_unlocked(void)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(getwchar_unlocked)();
    wint_t returned = DIYA_REAL(getwchar_unlocked)();
    diya_returned(&call);
    stdio_moved_by_position(&call, DIYA_F_FGETWC, stdin, returned != WEOF);
    return returned;
}

DIYA_EXPORT wchar_t *fgetws(wchar_t *restrict line, int room, FILE *restrict stream)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(fgetws)(line, room, stream);
    wchar_t *returned = DIYA_REAL(fgetws)(line, room, stream);
    diya_returned(&call);
    stdio_moved_by_position(&call, DIYA_F_FGETWS, stream, returned != NULL);
    return returned;
}

DIYA_EXPORT wchar_t *fgetws_unlocked(wchar_t *restrict line, int room, FILE *restrict stream)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(fgetws_unlocked)(line, room, stream);
    wchar_t *returned = DIYA_REAL(fgetws_unlocked)(line, room, stream);
    diya_returned(&call);
    stdio_moved_by_position(&call, DIYA_F_FGETWS, stream, returned != NULL);
    return returned;
}

wchar_t *__fgetws_chk(wchar_t *line, size_t size, int room, FILE *stream);
wchar_t *__fgetws_unlocked_chk(wchar_t *line, size_t size, int room, FILE *stream);

DIYA_EXPORT wchar_t *__fgetws_chk(wchar_t *line, size_t size, int room, FILE *stream)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(__fgetws_chk)(line, size, room, stream);
    wchar_t *returned = DIYA_REAL(__fgetws_chk)(line, size, room, stream);
    diya_returned(&call);
    stdio_moved_by_position(&call, DIYA_F_FGETWS, stream, returned != NULL);
    return returned;
}

DIYA_EXPORT wchar_t *__fgetws_unlocked_chk(wchar_t *line, size_t size, int room, FILE *stream)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(__fgetws_unlocked_chk)(line, size, room, stream);
    wchar_t *returned = DIYA_REAL(__fgetws_unlocked_chk)(line, size, room, stream);
    diya_returned(&call);
    stdio_moved_by_position(&call, DIYA_F_FGETWS, stream, returned != NULL);
    return returned;
}

DIYA_EXPORT wint_t fputwc(wchar_t character, FILE *stream)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(fputwc)(character, stream);
    wint_t returned = DIYA_REAL(fputwc)(character, stream);
    diya_returned(&call);
    stdio_moved_by_position(&call, DIYA_F_FPUTWC, stream, returned != WEOF);
    return returned;
}

DIYA_EXPORT wint_t putwc(wchar_t character, FILE *stream)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(putwc)(character, stream);
    wint_t returned = DIYA_REAL(putwc)(character, stream);
    diya_returned(&call);
    stdio_moved_by_position(&call, DIYA_F_FPUTWC, stream, returned != WEOF);
    return returned;
}

DIYA_EXPORT wint_t fputwc_unlocked(wchar_t character, FILE *stream)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(fputwc_unlocked)(character, stream);
    wint_t returned = DIYA_REAL(fputwc_unlocked)(character, stream);
    diya_returned(&call);
    stdio_moved_by_position(&call, DIYA_F_FPUTWC, stream, returned != WEOF);
    return returned;
}

DIYA_EXPORT wint_t putwc_unlocked(wchar_t character, FILE *stream)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(putwc_unlocked)(character, stream);
    wint_t returned = DIYA_REAL(putwc_unlocked)(character, stream);
    diya_returned(&call);
    stdio_moved_by_position(&call, DIYA_F_FPUTWC, stream, returned != WEOF);
    return returned;
}

DIYA_EXPORT wint_t putwchar(wchar_t character)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(putwchar)(character);
    wint_t returned = DIYA_REAL(putwchar)(character);
    diya_returned(&call);
    stdio_moved_by_position(&call, DIYA_F_FPUTWC, stdout, returned != WEOF);
    return returned;
}

DIYA_EXPORT wint_t putwchar_unlocked(wchar_t character)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(putwchar_unlocked)(character);
    wint_t returned = DIYA_REAL(putwchar_unlocked)(character);
    diya_returned(&call);
    stdio_moved_by_position(&call, DIYA_F_FPUTWC, stdout, returned != WEOF);
    return returned;
}

DIYA_EXPORT int fputws(const wchar_t *restrict text, FILE *restrict stream)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(fputws)(text, stream);
    int returned = DIYA_REAL(fputws)(text, stream);
    diya_returned(&call);
    stdio_moved_by_position(&call, DIYA_F_FPUTWS, stream, returned >= 0);
    return returned;
}

DIYA_EXPORT int fputws_unlocked(const wchar_t *restrict text, FILE *restrict stream)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(fputws_unlocked)(text, stream);
    int returned = DIYA_REAL(fputws_unlocked)(text, stream);
    diya_returned(&call);
    stdio_moved_by_position(&call, DIYA_F_FPUTWS, stream, returned >= 0);
    return returned;
}

DIYA_EXPORT wint_t ungetwc(wint_t character, FILE *stream)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(ungetwc)(character, stream);
    wint_t returned = DIYA_REAL(ungetwc)(character, stream);
    diya_returned(&call);
    struct diya_description *state = stdio_state(stream, 0);
    if (state != NULL)
        state->position = DIYA_REAL(ftello)(stream);
    stdio_on_stream(&call, DIYA_F_UNGETWC, stream, returned == WEOF ? -EIO : 0);
    return returned;
}
