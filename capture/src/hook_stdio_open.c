/* STDIO: streams begin and end. */
#include "child_environment.h"
#include "core.h"
#include "descriptors.h"
#include "paths.h"
#include "started.h"
#include "state.h"
#include "stdio_calls.h"

#include <fcntl.h>
#include <unistd.h>
#include <wchar.h>

static void opened(struct diya_call *call, enum diya_function function, FILE *stream, uint32_t file)
{
    struct diya_event event = DIYA_EVENT(function);
    event.file = file;
    event.done = stream == NULL ? -(int64_t)call->saved_errno : 0;
    diya_end(call, &event);
}

/* The file that a path names; its kind is asked for when the stream is there. */
static uint32_t file_of_stream(const struct diya_call *call, FILE *stream, const char *path)
{
    if (path == NULL || (stream == NULL && call->saved_errno == EFAULT))
        return 0;
    return diya_file_opened(AT_FDCWD, path, stream == NULL ? -1 : DIYA_REAL(fileno)(stream));
}

DIYA_EXPORT FILE *fopen(const char *restrict path, const char *restrict mode)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(fopen)(path, mode);
    FILE *stream = DIYA_REAL(fopen)(path, mode);
    diya_returned(&call);
    uint32_t file = file_of_stream(&call, stream, path);
    stdio_opened(stream, file, mode);
    opened(&call, DIYA_F_FOPEN, stream, file);
    return stream;
}
DIYA_EXPORT FILE *fopen64(const char *restrict path, const char *restrict mode) __attribute__((alias("fopen")));

DIYA_EXPORT FILE *fdopen(int fd, const char *mode)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(fdopen)(fd, mode);
    FILE *stream = DIYA_REAL(fdopen)(fd, mode);
    diya_returned(&call);
    opened(&call, DIYA_F_FDOPEN, stream, stdio_opened(stream, 0, mode));
    return stream;
}

/* Closing the stream of popen waits for its shell: fclose and freopen do so, too. */
static uint32_t shell_behind(const FILE *stream)
{
    bool has_shells = __atomic_load_n(&diya_process->shells, __ATOMIC_RELAXED) != 0;
    return has_shells ? diya_handle_unbind(DIYA_HANDLE_SHELL, (uintptr_t)stream) : 0;
}

static void shell_ended(const struct diya_call *call, uint32_t shell, int status)
{
    if (shell != 0)
        diya_child_ended(shell, call->end, status);
}

DIYA_EXPORT FILE *freopen(const char *restrict path, const char *restrict mode, FILE *restrict old)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(freopen)(path, mode, old);
    stdio_settle(&call, old);
    uint32_t before = stdio_closing(old), shell = shell_behind(old);
    FILE *stream = DIYA_REAL(freopen)(path, mode, old);
    diya_returned(&call);
    shell_ended(&call, shell, DIYA_NO_STATUS);
    uint32_t file = path == NULL ? before : file_of_stream(&call, stream, path);
    stdio_opened(stream, file, mode);
    opened(&call, DIYA_F_FREOPEN, stream, file);
    return stream;
}
DIYA_EXPORT FILE *freopen64(const char *restrict path, const char *restrict mode, FILE *restrict old)
    __attribute__((alias("freopen")));

DIYA_EXPORT FILE *tmpfile(void)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(tmpfile)();
    FILE *stream = DIYA_REAL(tmpfile)();
    diya_returned(&call);
    opened(&call, DIYA_F_TMPFILE, stream, stdio_opened(stream, 0, "w+"));
    return stream;
}
DIYA_EXPORT FILE *tmpfile64(void) __attribute__((alias("tmpfile")));

/* --- streams that are no files ------------------------------------------------- */

DIYA_EXPORT FILE *popen(const char *command, const char *mode)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(popen)(command, mode);
    HANDED_ON(environ);
    char **own = diya_lend_environment(handed);
    FILE *stream = DIYA_REAL(popen)(command, mode);
    if (own != NULL)
        environ = own;
    diya_returned(&call);
    diya_descriptors_inherited();
    if (stream != NULL)
        diya_handle_bind(DIYA_HANDLE_SHELL, (uintptr_t)stream, diya_started_shell(call.start));
    opened(&call, DIYA_F_POPEN, stream, stdio_opened(stream, 0, mode));
    return stream;
}

DIYA_EXPORT FILE *fmemopen(void *buffer, size_t bytes, const char *mode)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(fmemopen)(buffer, bytes, mode);
    FILE *stream = DIYA_REAL(fmemopen)(buffer, bytes, mode);
    diya_returned(&call);
    opened(&call, DIYA_F_FMEMOPEN, stream, stdio_opened(stream, 0, mode));
    return stream;
}

DIYA_EXPORT FILE *open_memstream(char **buffer, size_t *bytes)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(open_memstream)(buffer, bytes);
    FILE *stream = DIYA_REAL(open_memstream)(buffer, bytes);
    diya_returned(&call);
    opened(&call, DIYA_F_OPEN_MEMSTREAM, stream, stdio_opened(stream, 0, NULL));
    return stream;
}

DIYA_EXPORT FILE *open_wmemstream(wchar_t **buffer, size_t *bytes)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(open_wmemstream)(buffer, bytes);
    FILE *stream = DIYA_REAL(open_wmemstream)(buffer, bytes);
    diya_returned(&call);
    opened(&call, DIYA_F_OPEN_MEMSTREAM, stream, stdio_opened(stream, 0, NULL));
    return stream;
}

DIYA_EXPORT FILE *fopencookie(void *restrict cookie, const char *restrict mode, cookie_io_functions_t functions)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(fopencookie)(cookie, mode, functions);
    FILE *stream = DIYA_REAL(fopencookie)(cookie, mode, functions);
    diya_returned(&call);
    opened(&call, DIYA_F_FOPENCOOKIE, stream, stdio_opened(stream, 0, mode));
    return stream;
}

/* --- close ------------------------------------------------------------------------ */

static void closed(struct diya_call *call, enum diya_function function, uint32_t file, int returned)
{
    struct diya_event event = DIYA_EVENT(function);
    event.file = file;
    event.done = returned == -1 ? -(int64_t)call->saved_errno : 0;
    diya_end(call, &event);
}

DIYA_EXPORT int fclose(FILE *stream)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(fclose)(stream);
    stdio_settle(&call, stream);
    uint32_t file = stdio_closing(stream), shell = shell_behind(stream);
    int returned = DIYA_REAL(fclose)(stream);
    diya_returned(&call);
    shell_ended(&call, shell, returned);
    closed(&call, DIYA_F_FCLOSE, file, returned);
    return returned;
}
DIYA_EXPORT int _IO_fclose(FILE *stream) __attribute__((alias("fclose")));

DIYA_EXPORT int pclose(FILE *stream)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(pclose)(stream);
    stdio_settle(&call, stream);
    uint32_t file = stdio_closing(stream), shell = shell_behind(stream);
    int returned = DIYA_REAL(pclose)(stream);
    diya_returned(&call);
    shell_ended(&call, shell, returned);
    closed(&call, DIYA_F_PCLOSE, file, returned);
    return returned;
}

DIYA_EXPORT int fcloseall(void)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(fcloseall)();
    stdio_settle(&call, NULL);
    int returned = DIYA_REAL(fcloseall)();
    diya_returned(&call);
    closed(&call, DIYA_F_FCLOSEALL, 0, returned);
    return returned;
}
