/* STDIO: printf and scanf, in all their variants.
 *
 * The C library has each function under several names, for language versions
 * (__isoc99_, __isoc23_) and for checked formats (_chk). The headers of a
 * newer C library rename the plain ones, so the hooks have names of their own
 * here and get the symbol's by an assembler label.
 */
#include "core.h"
#include "stdio_calls.h"

#include <stdarg.h>
#include <wchar.h>

#define HOOK_NAME(symbol) __asm__(#symbol)

/* The function behind the hook, found by its symbol. */
#define REAL_SYMBOL(type, symbol)                                                                                      \
    (__extension__({                                                                                                   \
        static void *cache;                                                                                            \
        void *found = __atomic_load_n(&cache, __ATOMIC_RELAXED);                                                       \
        (type)(found != NULL ? found : diya_resolve(&cache, #symbol));                                                 \
    }))

static void printed(struct diya_call *call, FILE *stream, int returned)
{
    int64_t done = returned < 0 ? -(int64_t)call->saved_errno : returned;
    stdio_moved(call, DIYA_F_PRINTF, stream, returned < 0 ? 0 : (uint64_t)returned, done);
}

typedef int (*format_function)(FILE *, const char *, va_list);
typedef int (*wide_format_function)(FILE *, const wchar_t *, va_list);
typedef int (*checked_function)(FILE *, int, const char *, va_list);
typedef int (*wide_checked_function)(FILE *, int, const wchar_t *, va_list);

/* Inlined, so that the return address is the program's. */
#define INTO_HOOK static inline __attribute__((always_inline))

/* --- the four shapes: format or scan, plain or wide ------------------------------ */

INTO_HOOK int print(format_function real, FILE *stream, const char *format, va_list arguments)
{
    struct diya_call call;
    if (!stdio_begin(&call, stream))
        return real(stream, format, arguments);
    int returned = real(stream, format, arguments);
    diya_returned(&call);
    printed(&call, stream, returned);
    return returned;
}

INTO_HOOK int print_checked(checked_function real, FILE *stream, int flag, const char *format, va_list arguments)
{
    struct diya_call call;
    if (!stdio_begin(&call, stream))
        return real(stream, flag, format, arguments);
    int returned = real(stream, flag, format, arguments);
    diya_returned(&call);
    printed(&call, stream, returned);
    return returned;
}

INTO_HOOK int print_wide(wide_format_function real, FILE *stream, const wchar_t *format, va_list arguments)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return real(stream, format, arguments);
    int returned = real(stream, format, arguments);
    diya_returned(&call);
    stdio_moved_by_position(&call, DIYA_F_WPRINTF, stream, returned >= 0);
    return returned;
}

INTO_HOOK int print_wide_checked(wide_checked_function real, FILE *stream, int flag, const wchar_t *format,
                                 va_list arguments)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return real(stream, flag, format, arguments);
    int returned = real(stream, flag, format, arguments);
    diya_returned(&call);
    stdio_moved_by_position(&call, DIYA_F_WPRINTF, stream, returned >= 0);
    return returned;
}

INTO_HOOK int scan(format_function real, FILE *stream, const char *format, va_list arguments)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return real(stream, format, arguments);
    int returned = real(stream, format, arguments);
    diya_returned(&call);
    stdio_moved_by_position(&call, DIYA_F_SCANF, stream, returned != EOF);
    return returned;
}

INTO_HOOK int scan_wide(wide_format_function real, FILE *stream, const wchar_t *format, va_list arguments)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return real(stream, format, arguments);
    int returned = real(stream, format, arguments);
    diya_returned(&call);
    stdio_moved_by_position(&call, DIYA_F_WSCANF, stream, returned != EOF);
    return returned;
}

/* --- the list of symbols ----------------------------------------------------------
 *
 * Each line makes four hooks: on a given stream and on the standard one, with
 * the arguments after the format and with a va_list. All forward to the one
 * with stream and va_list. */

#define FOUR_HOOKS(shape, character, type, standard, v_stream, v_plain, stream_, plain)                                \
    DIYA_EXPORT int hook_##v_stream(FILE *stream, const character *format, va_list arguments) HOOK_NAME(v_stream);     \
    DIYA_EXPORT int hook_##v_stream(FILE *stream, const character *format, va_list arguments)                          \
    {                                                                                                                  \
        return shape(REAL_SYMBOL(type, v_stream), stream, format, arguments);                                          \
    }                                                                                                                  \
    DIYA_EXPORT int hook_##v_plain(const character *format, va_list arguments) HOOK_NAME(v_plain);                     \
    DIYA_EXPORT int hook_##v_plain(const character *format, va_list arguments)                                         \
    {                                                                                                                  \
        return shape(REAL_SYMBOL(type, v_stream), standard, format, arguments);                                        \
    }                                                                                                                  \
    DIYA_EXPORT int hook_##stream_(FILE *stream, const character *format, ...) HOOK_NAME(stream_);                     \
    DIYA_EXPORT int hook_##stream_(FILE *stream, const character *format, ...)                                         \
    {                                                                                                                  \
        va_list arguments;                                                                                             \
        va_start(arguments, format);                                                                                   \
        int returned = shape(REAL_SYMBOL(type, v_stream), stream, format, arguments);                                  \
        va_end(arguments);                                                                                             \
        return returned;                                                                                               \
    }                                                                                                                  \
    DIYA_EXPORT int hook_##plain(const character *format, ...) HOOK_NAME(plain);                                       \
    DIYA_EXPORT int hook_##plain(const character *format, ...)                                                         \
    {                                                                                                                  \
        va_list arguments;                                                                                             \
        va_start(arguments, format);                                                                                   \
        int returned = shape(REAL_SYMBOL(type, v_stream), standard, format, arguments);                                \
        va_end(arguments);                                                                                             \
        return returned;                                                                                               \
    }

/* The same for the fortified variants, that take a flag before the format. */
#define FOUR_CHECKED_HOOKS(shape, character, type, standard, v_stream, v_plain, stream_, plain)                        \
    DIYA_EXPORT int hook_##v_stream(FILE *stream, int flag, const character *format, va_list arguments)                \
        HOOK_NAME(v_stream);                                                                                           \
    DIYA_EXPORT int hook_##v_stream(FILE *stream, int flag, const character *format, va_list arguments)                \
    {                                                                                                                  \
        return shape(REAL_SYMBOL(type, v_stream), stream, flag, format, arguments);                                    \
    }                                                                                                                  \
    DIYA_EXPORT int hook_##v_plain(int flag, const character *format, va_list arguments) HOOK_NAME(v_plain);           \
    DIYA_EXPORT int hook_##v_plain(int flag, const character *format, va_list arguments)                               \
    {                                                                                                                  \
        return shape(REAL_SYMBOL(type, v_stream), standard, flag, format, arguments);                                  \
    }                                                                                                                  \
    DIYA_EXPORT int hook_##stream_(FILE *stream, int flag, const character *format, ...) HOOK_NAME(stream_);           \
    DIYA_EXPORT int hook_##stream_(FILE *stream, int flag, const character *format, ...)                               \
    {                                                                                                                  \
        va_list arguments;                                                                                             \
        va_start(arguments, format);                                                                                   \
        int returned = shape(REAL_SYMBOL(type, v_stream), stream, flag, format, arguments);                            \
        va_end(arguments);                                                                                             \
        return returned;                                                                                               \
    }                                                                                                                  \
    DIYA_EXPORT int hook_##plain(int flag, const character *format, ...) HOOK_NAME(plain);                             \
    DIYA_EXPORT int hook_##plain(int flag, const character *format, ...)                                               \
    {                                                                                                                  \
        va_list arguments;                                                                                             \
        va_start(arguments, format);                                                                                   \
        int returned = shape(REAL_SYMBOL(type, v_stream), standard, flag, format, arguments);                          \
        va_end(arguments);                                                                                             \
        return returned;                                                                                               \
    }

FOUR_HOOKS(print, char, format_function, stdout, vfprintf, vprintf, fprintf, printf)
FOUR_HOOKS(print_wide, wchar_t, wide_format_function, stdout, vfwprintf, vwprintf, fwprintf, wprintf)
FOUR_CHECKED_HOOKS(print_checked, char, checked_function, stdout, __vfprintf_chk, __vprintf_chk, __fprintf_chk,
                   __printf_chk)
FOUR_CHECKED_HOOKS(print_wide_checked, wchar_t, wide_checked_function, stdout, __vfwprintf_chk, __vwprintf_chk,
                   __fwprintf_chk, __wprintf_chk)

FOUR_HOOKS(scan, char, format_function, stdin, vfscanf, vscanf, fscanf, scanf)
FOUR_HOOKS(scan, char, format_function, stdin, __isoc99_vfscanf, __isoc99_vscanf, __isoc99_fscanf, __isoc99_scanf)
FOUR_HOOKS(scan, char, format_function, stdin, __isoc23_vfscanf, __isoc23_vscanf, __isoc23_fscanf, __isoc23_scanf)
FOUR_HOOKS(scan_wide, wchar_t, wide_format_function, stdin, vfwscanf, vwscanf, fwscanf, wscanf)
FOUR_HOOKS(scan_wide, wchar_t, wide_format_function, stdin, __isoc99_vfwscanf, __isoc99_vwscanf, __isoc99_fwscanf,
           __isoc99_wscanf)
FOUR_HOOKS(scan_wide, wchar_t, wide_format_function, stdin, __isoc23_vfwscanf, __isoc23_vwscanf, __isoc23_fwscanf,
           __isoc23_wscanf)

/* One more name of vfscanf, that other libraries may call. */
DIYA_EXPORT int hook___vfscanf(FILE *stream, const char *format, va_list arguments) HOOK_NAME(__vfscanf);
DIYA_EXPORT int hook___vfscanf(FILE *stream, const char *format, va_list arguments)
{
    return scan(REAL_SYMBOL(format_function, vfscanf), stream, format, arguments);
}
