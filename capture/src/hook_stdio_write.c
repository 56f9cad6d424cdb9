/* STDIO: writes of bytes and strings. */
#include "core.h"
#include "stdio_calls.h"

#include <string.h>

/* A write that wrote nothing failed. */
static void wrote(struct diya_call *call, enum diya_function function, FILE *stream, const void *data,
                  uint64_t requested, uint64_t done)
{
    int64_t outcome = done == 0 && requested > 0 ? stdio_failure(call, stream) : (int64_t)done;
    stdio_moved_data(call, function, stream, data, requested, outcome);
}

/* A function of its own: saving the registers that it needs would cost a call that joins a
 * run a nanosecond. */
static DIYA_APART size_t fwrite_alone(const void *restrict buffer, size_t bytes, size_t count, FILE *restrict stream,
                                      const void *caller)
{
    struct diya_call call;
    if (!stdio_begin(&call, stream))
        return DIYA_REAL(fwrite)(buffer, bytes, count, stream);
    call.return_address = caller;
    size_t returned = DIYA_REAL(fwrite)(buffer, bytes, count, stream);
    diya_returned(&call);
    wrote(&call, DIYA_F_FWRITE, stream, buffer, bytes * count, bytes * returned);
    return returned;
}

DIYA_EXPORT size_t fwrite(const void *restrict buffer, size_t bytes, size_t count, FILE *restrict stream)
{
    if (stdio_has_room(stream, bytes * count) && diya_tiny_joins(stream, DIYA_F_FWRITE)) {
        size_t returned = DIYA_REAL(fwrite)(buffer, bytes, count, stream);
        diya_tiny_add(stream, bytes * count);
        return returned;
    }
    return fwrite_alone(buffer, bytes, count, stream, __builtin_return_address(0));
}

static DIYA_APART size_t fwrite_unlocked_alone(const void *restrict buffer, size_t bytes, size_t count,
                                               FILE *restrict stream, const void *caller)
{
    struct diya_call call;
    if (!stdio_begin(&call, stream))
        return DIYA_REAL(fwrite_unlocked)(buffer, bytes, count, stream);
    call.return_address = caller;
    size_t returned = DIYA_REAL(fwrite_unlocked)(buffer, bytes, count, stream);
    diya_returned(&call);
    wrote(&call, DIYA_F_FWRITE, stream, buffer, bytes * count, bytes * returned);
    return returned;
}

DIYA_EXPORT size_t fwrite_unlocked(const void *restrict buffer, size_t bytes, size_t count, FILE *restrict stream)
{
    if (stdio_has_room(stream, bytes * count) && diya_tiny_joins(stream, DIYA_F_FWRITE)) {
        size_t returned = DIYA_REAL(fwrite_unlocked)(buffer, bytes, count, stream);
        diya_tiny_add(stream, bytes * count);
        return returned;
    }
    return fwrite_unlocked_alone(buffer, bytes, count, stream, __builtin_return_address(0));
}

DIYA_EXPORT int fputs(const char *restrict text, FILE *restrict stream)
{
    struct diya_call call;
    if (!stdio_begin(&call, stream))
        return DIYA_REAL(fputs)(text, stream);
    int returned = DIYA_REAL(fputs)(text, stream);
    diya_returned(&call);
    size_t bytes = strlen(text);
    wrote(&call, DIYA_F_FPUTS, stream, text, bytes, returned == EOF ? 0 : bytes);
    return returned;
}

DIYA_EXPORT int fputs_unlocked(const char *restrict text, FILE *restrict stream)
{
    struct diya_call call;
    if (!stdio_begin(&call, stream))
        return DIYA_REAL(fputs_unlocked)(text, stream);
    int returned = DIYA_REAL(fputs_unlocked)(text, stream);
    diya_returned(&call);
    size_t bytes = strlen(text);
    wrote(&call, DIYA_F_FPUTS, stream, text, bytes, returned == EOF ? 0 : bytes);
    return returned;
}

DIYA_EXPORT int puts(const char *text)
{
    struct diya_call call;
    if (!stdio_begin(&call, stdout))
        return DIYA_REAL(puts)(text);
    int returned = DIYA_REAL(puts)(text);
    diya_returned(&call);
    size_t bytes = strlen(text) + 1;
    wrote(&call, DIYA_F_PUTS, stdout, NULL, bytes, returned == EOF ? 0 : bytes);
    return returned;
}

DIYA_EXPORT int fputc(int character, FILE *stream)
{
    if (stdio_has_room(stream, 1) && diya_tiny_joins(stream, DIYA_F_FPUTC)) {
        int returned = DIYA_REAL(fputc)(character, stream);
        diya_tiny_add(stream, 1);
        return returned;
    }
    struct diya_call call;
    if (!stdio_begin(&call, stream))
        return DIYA_REAL(fputc)(character, stream);
    int returned = DIYA_REAL(fputc)(character, stream);
    diya_returned(&call);
    wrote(&call, DIYA_F_FPUTC, stream, NULL, 1, returned == EOF ? 0 : 1);
    return returned;
}

DIYA_EXPORT int putc(int character, FILE *stream)
{
    if (stdio_has_room(stream, 1) && diya_tiny_joins(stream, DIYA_F_FPUTC)) {
        int returned = DIYA_REAL(putc)(character, stream);
        diya_tiny_add(stream, 1);
        return returned;
    }
    struct diya_call call;
    if (!stdio_begin(&call, stream))
        return DIYA_REAL(putc)(character, stream);
    int returned = DIYA_REAL(putc)(character, stream);
    diya_returned(&call);
    wrote(&call, DIYA_F_FPUTC, stream, NULL, 1, returned == EOF ? 0 : 1);
    return returned;
}
DIYA_EXPORT int _IO_putc(int character, FILE *stream) __attribute__((alias("putc")));

DIYA_EXPORT int fputc_unlocked(int character, FILE *stream)
{
    if (stdio_has_room(stream, 1) && diya_tiny_joins(stream, DIYA_F_FPUTC)) {
        int returned = DIYA_REAL(fputc_unlocked)(character, stream);
        diya_tiny_add(stream, 1);
        return returned;
    }
    struct diya_call call;
    if (!stdio_begin(&call, stream))
        return DIYA_REAL(fputc_unlocked)(character, stream);
    int returned = DIYA_REAL(fputc_unlocked)(character, stream);
    diya_returned(&call);
    wrote(&call, DIYA_F_FPUTC, stream, NULL, 1, returned == EOF ? 0 : 1);
    return returned;
}

DIYA_EXPORT int putc_unlocked(int character, FILE *stream)
{
    if (stdio_has_room(stream, 1) && diya_tiny_joins(stream, DIYA_F_FPUTC)) {
        int returned = DIYA_REAL(putc_unlocked)(character, stream);
        diya_tiny_add(stream, 1);
        return returned;
    }
    struct diya_call call;
    if (!stdio_begin(&call, stream))
        return DIYA_REAL(putc_unlocked)(character, stream);
    int returned = DIYA_REAL(putc_unlocked)(character, stream);
    diya_returned(&call);
    wrote(&call, DIYA_F_FPUTC, stream, NULL, 1, returned == EOF ? 0 : 1);
    return returned;
}

DIYA_EXPORT int putchar(int character)
{
    if (stdio_has_room(stdout, 1) && diya_tiny_joins(stdout, DIYA_F_PUTCHAR)) {
        int returned = DIYA_REAL(putchar)(character);
        diya_tiny_add(stdout, 1);
        return returned;
    }
    struct diya_call call;
    if (!stdio_begin(&call, stdout))
        return DIYA_REAL(putchar)(character);
    int returned = DIYA_REAL(putchar)(character);
    diya_returned(&call);
    wrote(&call, DIYA_F_PUTCHAR, stdout, NULL, 1, returned == EOF ? 0 : 1);
    return returned;
}

DIYA_EXPORT int putchar_unlocked(int character)
{
    if (stdio_has_room(stdout, 1) && diya_tiny_joins(stdout, DIYA_F_PUTCHAR)) {
        int returned = DIYA_REAL(putchar_unlocked)(character);
        diya_tiny_add(stdout, 1);
        return returned;
    }
    struct diya_call call;
    if (!stdio_begin(&call, stdout))
        return DIYA_REAL(putchar_unlocked)(character);
    int returned = DIYA_REAL(putchar_unlocked)(character);
    diya_returned(&call);
    wrote(&call, DIYA_F_PUTCHAR, stdout, NULL, 1, returned == EOF ? 0 : 1);
    return returned;
}

/* What inlined putc_unlocked calls when the buffer is full. */
int __overflow(FILE *stream, int character);

DIYA_EXPORT int __overflow(FILE *stream, int character)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(__overflow)(stream, character);
    int returned = DIYA_REAL(__overflow)(stream, character);
    diya_returned(&call);
    stdio_moved_inline(&call, DIYA_F_FPUTC, stream, returned != EOF);
    return returned;
}

DIYA_EXPORT int putw(int word, FILE *stream)
{
    struct diya_call call;
    if (!stdio_begin(&call, stream))
        return DIYA_REAL(putw)(word, stream);
    int returned = DIYA_REAL(putw)(word, stream);
    diya_returned(&call);
    wrote(&call, DIYA_F_FPUTC, stream, NULL, sizeof word, returned == EOF ? 0 : sizeof word);
    return returned;
}

DIYA_EXPORT void perror(const char *text)
{
    struct diya_call call;
    if (!diya_begin(&call)) {
        DIYA_REAL(perror)(text);
        return;
    }
    DIYA_REAL(perror)(text);
    diya_returned(&call);
    stdio_on_stream(&call, DIYA_F_PERROR, stderr, 0);
}
