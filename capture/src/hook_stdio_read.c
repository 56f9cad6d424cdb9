/* STDIO: reads of bytes and lines. */
#include "core.h"
#include "state.h"
#include "stdio_calls.h"

#include <string.h>

/* A read that got nothing failed, or is at the end. */
static void got(struct diya_call *call, enum diya_function function, FILE *stream, const void *data, uint64_t requested,
                uint64_t done)
{
    int64_t outcome = done == 0 && requested > 0 ? stdio_failure(call, stream) : (int64_t)done;
    stdio_moved_data(call, function, stream, data, requested, outcome);
}

DIYA_EXPORT size_t fread(void *restrict buffer, size_t bytes, size_t count, FILE *restrict stream)
{
    if (stdio_has_input(stream, bytes * count) && diya_tiny_joins(stream, DIYA_F_FREAD)) {
        size_t returned = DIYA_REAL(fread)(buffer, bytes, count, stream);
        diya_tiny_add(stream, bytes * count);
        return returned;
    }
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(fread)(buffer, bytes, count, stream);
    size_t returned = DIYA_REAL(fread)(buffer, bytes, count, stream);
    diya_returned(&call);
    got(&call, DIYA_F_FREAD, stream, buffer, bytes * count, bytes * returned);
    return returned;
}

DIYA_EXPORT size_t fread_unlocked(void *restrict buffer, size_t bytes, size_t count, FILE *restrict stream)
{
    if (stdio_has_input(stream, bytes * count) && diya_tiny_joins(stream, DIYA_F_FREAD)) {
        size_t returned = DIYA_REAL(fread_unlocked)(buffer, bytes, count, stream);
        diya_tiny_add(stream, bytes * count);
        return returned;
    }
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(fread_unlocked)(buffer, bytes, count, stream);
    size_t returned = DIYA_REAL(fread_unlocked)(buffer, bytes, count, stream);
    diya_returned(&call);
    got(&call, DIYA_F_FREAD, stream, buffer, bytes * count, bytes * returned);
    return returned;
}

size_t __fread_chk(void *buffer, size_t room, size_t bytes, size_t count, FILE *stream);
size_t __fread_unlocked_chk(void *buffer, size_t room, size_t bytes, size_t count, FILE *stream);

DIYA_EXPORT size_t __fread_chk(void *buffer, size_t room, size_t bytes, size_t count, FILE *stream)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(__fread_chk)(buffer, room, bytes, count, stream);
    size_t returned = DIYA_REAL(__fread_chk)(buffer, room, bytes, count, stream);
    diya_returned(&call);
    got(&call, DIYA_F_FREAD, stream, buffer, bytes * count, bytes * returned);
    return returned;
}

DIYA_EXPORT size_t __fread_unlocked_chk(void *buffer, size_t room, size_t bytes, size_t count, FILE *stream)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(__fread_unlocked_chk)(buffer, room, bytes, count, stream);
    size_t returned = DIYA_REAL(__fread_unlocked_chk)(buffer, room, bytes, count, stream);
    diya_returned(&call);
    got(&call, DIYA_F_FREAD, stream, buffer, bytes * count, bytes * returned);
    return returned;
}

/* Lines: what was asked for is the line, whatever room there was. */
DIYA_EXPORT char *fgets(char *restrict line, int room, FILE *restrict stream)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(fgets)(line, room, stream);
    char *returned = DIYA_REAL(fgets)(line, room, stream);
    diya_returned(&call);
    size_t bytes = returned == NULL ? 0 : strlen(returned);
    got(&call, DIYA_F_FGETS, stream, returned, returned == NULL ? (uint64_t)room : bytes, bytes);
    return returned;
}

DIYA_EXPORT char *fgets_unlocked(char *restrict line, int room, FILE *restrict stream)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(fgets_unlocked)(line, room, stream);
    char *returned = DIYA_REAL(fgets_unlocked)(line, room, stream);
    diya_returned(&call);
    size_t bytes = returned == NULL ? 0 : strlen(returned);
    got(&call, DIYA_F_FGETS, stream, returned, returned == NULL ? (uint64_t)room : bytes, bytes);
    return returned;
}

char *__fgets_chk(char *line, size_t size, int room, FILE *stream);
char *__fgets_unlocked_chk(char *line, size_t size, int room, FILE *stream);
char *gets(char *line);
char *__gets_chk(char *line, size_t room);

DIYA_EXPORT char *__fgets_chk(char *line, size_t size, int room, FILE *stream)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(__fgets_chk)(line, size, room, stream);
    char *returned = DIYA_REAL(__fgets_chk)(line, size, room, stream);
    diya_returned(&call);
    size_t bytes = returned == NULL ? 0 : strlen(returned);
    got(&call, DIYA_F_FGETS, stream, returned, returned == NULL ? (uint64_t)room : bytes, bytes);
    return returned;
}

DIYA_EXPORT char *__fgets_unlocked_chk(char *line, size_t size, int room, FILE *stream)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(__fgets_unlocked_chk)(line, size, room, stream);
    char *returned = DIYA_REAL(__fgets_unlocked_chk)(line, size, room, stream);
    diya_returned(&call);
    size_t bytes = returned == NULL ? 0 : strlen(returned);
    got(&call, DIYA_F_FGETS, stream, returned, returned == NULL ? (uint64_t)room : bytes, bytes);
    return returned;
}

DIYA_EXPORT char *gets(char *line)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(gets)(line);
    char *returned = DIYA_REAL(gets)(line);
    diya_returned(&call);
    size_t bytes = returned == NULL ? 0 : strlen(returned) + 1;
    got(&call, DIYA_F_GETS, stdin, NULL, returned == NULL ? 1 : bytes, bytes);
    return returned;
}

DIYA_EXPORT char *__gets_chk(char *line, size_t room)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(__gets_chk)(line, room);
    char *returned = DIYA_REAL(__gets_chk)(line, room);
    diya_returned(&call);
    size_t bytes = returned == NULL ? 0 : strlen(returned) + 1;
    got(&call, DIYA_F_GETS, stdin, NULL, returned == NULL ? 1 : bytes, bytes);
    return returned;
}

DIYA_EXPORT ssize_t getline(char **restrict line, size_t *restrict room, FILE *restrict stream)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(getline)(line, room, stream);
    ssize_t returned = DIYA_REAL(getline)(line, room, stream);
    diya_returned(&call);
    got(&call, DIYA_F_GETLINE, stream, returned < 0 ? NULL : *line, returned < 0 ? 1 : (uint64_t)returned,
        returned < 0 ? 0 : (uint64_t)returned);
    return returned;
}

DIYA_EXPORT ssize_t getdelim(char **restrict line, size_t *restrict room, int delimiter, FILE *restrict stream)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(getdelim)(line, room, delimiter, stream);
    ssize_t returned = DIYA_REAL(getdelim)(line, room, delimiter, stream);
    diya_returned(&call);
    got(&call, DIYA_F_GETDELIM, stream, returned < 0 ? NULL : *line, returned < 0 ? 1 : (uint64_t)returned,
        returned < 0 ? 0 : (uint64_t)returned);
    return returned;
}
DIYA_EXPORT ssize_t __getdelim(char **restrict line, size_t *restrict room, int delimiter, FILE *restrict stream)
    __attribute__((alias("getdelim")));

DIYA_EXPORT int fgetc(FILE *stream)
{
    if (stdio_has_input(stream, 1) && diya_tiny_joins(stream, DIYA_F_FGETC)) {
        int returned = DIYA_REAL(fgetc)(stream);
        diya_tiny_add(stream, 1);
        return returned;
    }
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(fgetc)(stream);
    int returned = DIYA_REAL(fgetc)(stream);
    diya_returned(&call);
    got(&call, DIYA_F_FGETC, stream, NULL, 1, returned == EOF ? 0 : 1);
    return returned;
}

DIYA_EXPORT int getc(FILE *stream)
{
    if (stdio_has_input(stream, 1) && diya_tiny_joins(stream, DIYA_F_FGETC)) {
        int returned = DIYA_REAL(getc)(stream);
        diya_tiny_add(stream, 1);
        return returned;
    }
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(getc)(stream);
    int returned = DIYA_REAL(getc)(stream);
    diya_returned(&call);
    got(&call, DIYA_F_FGETC, stream, NULL, 1, returned == EOF ? 0 : 1);
    return returned;
}
DIYA_EXPORT int _IO_getc(FILE *stream) __attribute__((alias("getc")));

DIYA_EXPORT int fgetc_unlocked(FILE *stream)
{
    if (stdio_has_input(stream, 1) && diya_tiny_joins(stream, DIYA_F_FGETC)) {
        int returned = DIYA_REAL(fgetc_unlocked)(stream);
        diya_tiny_add(stream, 1);
        return returned;
    }
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(fgetc_unlocked)(stream);
    int returned = DIYA_REAL(fgetc_unlocked)(stream);
    diya_returned(&call);
    got(&call, DIYA_F_FGETC, stream, NULL, 1, returned == EOF ? 0 : 1);
    return returned;
}

DIYA_EXPORT int getc_unlocked(FILE *stream)
{
    if (stdio_has_input(stream, 1) && diya_tiny_joins(stream, DIYA_F_FGETC)) {
        int returned = DIYA_REAL(getc_unlocked)(stream);
        diya_tiny_add(stream, 1);
        return returned;
    }
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(getc_unlocked)(stream);
    int returned = DIYA_REAL(getc_unlocked)(stream);
    diya_returned(&call);
    got(&call, DIYA_F_FGETC, stream, NULL, 1, returned == EOF ? 0 : 1);
    return returned;
}

DIYA_EXPORT int getchar(void)
{
    if (stdio_has_input(stdin, 1) && diya_tiny_joins(stdin, DIYA_F_GETCHAR)) {
        int returned = DIYA_REAL(getchar)();
        diya_tiny_add(stdin, 1);
        return returned;
    }
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(getchar)();
    int returned = DIYA_REAL(getchar)();
    diya_returned(&call);
    got(&call, DIYA_F_GETCHAR, stdin, NULL, 1, returned == EOF ? 0 : 1);
    return returned;
}

DIYA_EXPORT int getchar_unlocked(void)
{
    if (stdio_has_input(stdin, 1) && diya_tiny_joins(stdin, DIYA_F_GETCHAR)) {
        int returned = DIYA_REAL(getchar_unlocked)();
        diya_tiny_add(stdin, 1);
        return returned;
    }
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(getchar_unlocked)();
    int returned = DIYA_REAL(getchar_unlocked)();
    diya_returned(&call);
    got(&call, DIYA_F_GETCHAR, stdin, NULL, 1, returned == EOF ? 0 : 1);
    return returned;
}

/* What inlined getc_unlocked calls when the buffer is empty. */
int __uflow(FILE *stream);

DIYA_EXPORT int __uflow(FILE *stream)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(__uflow)(stream);
    int returned = DIYA_REAL(__uflow)(stream);
    diya_returned(&call);
    stdio_moved_inline(&call, DIYA_F_FGETC, stream, returned != EOF);
    return returned;
}

DIYA_EXPORT int getw(FILE *stream)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(getw)(stream);
    int returned = DIYA_REAL(getw)(stream);
    diya_returned(&call);
    int64_t failure = returned == EOF ? stdio_failure(&call, stream) : 0;
    stdio_moved(&call, DIYA_F_FGETC, stream, sizeof returned, failure < 0 ? failure : (int64_t)sizeof returned);
    return returned;
}

/* Takes a byte back: the position goes with it. */
DIYA_EXPORT int ungetc(int character, FILE *stream)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(ungetc)(character, stream);
    int returned = DIYA_REAL(ungetc)(character, stream);
    diya_returned(&call);
    struct diya_description *state = stdio_state(stream, 0);
    if (returned != EOF && state != NULL && state->position > 0)
        state->position--;
    stdio_on_stream(&call, DIYA_F_UNGETC, stream, returned == EOF ? -EIO : 0);
    return returned;
}
