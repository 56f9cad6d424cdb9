/* Processes: start of children, change into another program, end. */
#include "child_environment.h"
#include "core.h"
#include "descriptors.h"
#include "gather.h"
#include "header.h"
#include "posix.h"
#include "probe.h"
#include "settings.h"
#include "started.h"
#include "state.h"
#include "stdio_calls.h"
#include "system.h"
#include "uring_raw.h"

#include <spawn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

/* --- children -------------------------------------------------------------- */

static void spawned(struct diya_call *call, enum diya_function function, uint32_t file, int64_t done)
{
    struct diya_event event = DIYA_EVENT(function);
    event.file = file;
    event.done = done;
    diya_descriptors_inherited();
    diya_end(call, &event);
}

/* The child also returns here. It does not record yet, so diya_end would write nothing: the call
 * is cancelled. */
static pid_t forked(struct diya_call *call, pid_t child)
{
    if (child == 0) {
        diya_cancel(call);
        return child;
    }
    diya_returned(call);
    if (child > 0)
        diya_started_child((uint32_t)child);
    spawned(call, DIYA_F_FORK, 0, child < 0 ? -(int64_t)call->saved_errno : 0);
    return child;
}

DIYA_EXPORT pid_t fork(void)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(fork)();
    return forked(&call, DIYA_REAL(fork)());
}
DIYA_EXPORT pid_t __fork(void) __attribute__((alias("fork")));

pid_t _Fork(void);
DIYA_EXPORT pid_t _Fork(void)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(_Fork)();
    return forked(&call, DIYA_REAL(_Fork)());
}

/* A function that calls vfork may not return before the child is gone, so this
 * one jumps. The child then shares our memory but has its own descriptors.
 * Each call therefore checks whether it runs in the child (process.c). */
DIYA_HIDDEN void *diya_before_vfork(void);
void *diya_before_vfork(void)
{
    struct diya_call call;
    void *real = (void *)DIYA_REAL(vfork);
    if (!diya_begin(&call))
        return real;
    call.end = call.start; /* the time of the child's run is not the caller's */
    call.saved_errno = errno;
    spawned(&call, DIYA_F_VFORK, 0, 0);
    if (diya_tls.generation == diya_generation_now())
        diya_tls.generation = DIYA_GENERATION_VFORK;
    return real;
}
#if defined(__x86_64__)
__asm__(".text\n.globl vfork\n.globl __vfork\n.type vfork,@function\n.type __vfork,@function\nvfork:\n__vfork:\n"
        "    endbr64\n"
        "    subq $8, %rsp\n    call diya_before_vfork\n    addq $8, %rsp\n    jmp *%rax\n"
        ".size vfork,.-vfork\n");
#elif defined(__aarch64__)
__asm__(".text\n.globl vfork\n.globl __vfork\n.type vfork,%function\n.type __vfork,%function\nvfork:\n__vfork:\n"
        "    hint #34\n"
        "    stp x29, x30, [sp, #-16]!\n    bl diya_before_vfork\n    ldp x29, x30, [sp], #16\n"
        "    mov x16, x0\n    br x16\n"
        ".size vfork,.-vfork\n");
#endif

DIYA_EXPORT int posix_spawn(pid_t *restrict pid, const char *restrict path, const posix_spawn_file_actions_t *actions,
                            const posix_spawnattr_t *restrict attributes, char *const arguments[restrict],
                            char *const environment[restrict])
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(posix_spawn)(pid, path, actions, attributes, arguments, environment);
    HANDED_ON(environment);
    pid_t child = 0;
    int returned = DIYA_REAL(posix_spawn)(&child, path, actions, attributes, arguments, (char *const *)handed);
    diya_returned(&call);
    if (returned == 0) {
        if (pid != NULL)
            *pid = child;
        diya_started((uint32_t)child, path, DIYA_AS_PATH, environment);
    }
    spawned(&call, DIYA_F_POSIX_SPAWN, diya_file_of_path(path), diya_done_code(returned));
    return returned;
}

DIYA_EXPORT int posix_spawnp(pid_t *restrict pid, const char *restrict name, const posix_spawn_file_actions_t *actions,
                             const posix_spawnattr_t *restrict attributes, char *const arguments[restrict],
                             char *const environment[restrict])
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(posix_spawnp)(pid, name, actions, attributes, arguments, environment);
    HANDED_ON(environment);
    pid_t child = 0;
    int returned = DIYA_REAL(posix_spawnp)(&child, name, actions, attributes, arguments, (char *const *)handed);
    diya_returned(&call);
    if (returned == 0) {
        if (pid != NULL)
            *pid = child;
        diya_started((uint32_t)child, name, DIYA_IN_PATH, environment);
    }
    spawned(&call, DIYA_F_POSIX_SPAWNP, 0, diya_done_code(returned));
    return returned;
}

DIYA_EXPORT int system(const char *command)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(system)(command);
    HANDED_ON(environ);
    char **own = diya_lend_environment(handed);
    int returned = DIYA_REAL(system)(command);
    if (own != NULL)
        environ = own;
    diya_returned(&call);
    if (command != NULL)
        diya_child_ended(diya_started_shell(call.start), call.end, returned);
    spawned(&call, DIYA_F_SYSTEM, 0, posix_outcome(&call, returned));
    return returned;
}

int forkpty(int *terminal, char *name, const void *attributes, const void *size);
DIYA_EXPORT int forkpty(int *terminal, char *name, const void *attributes, const void *size)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(forkpty)(terminal, name, attributes, size);
    return forked(&call, DIYA_REAL(forkpty)(terminal, name, attributes, size));
}

/* --- another program --------------------------------------------------------------
 *
 * A successful exec does not return; the state of the segment records it. Only a
 * failed attempt is recorded as a call. */

enum { LONGEST_PATH = 4096 };

/* A vfork child shares `depth` with its parent and never ends this call: `depth` is restored. */
static void before_exec(const struct diya_call *call, const char *path, enum diya_search search,
                        char *const environment[])
{
    struct diya_probe probe = {0};
    bool is_known = diya_readable_text(&probe, path, LONGEST_PATH);
    diya_tls.depth = call->depth;
    diya_started(sys_pid(), is_known ? path : NULL, search, environment);
    diya_process_ended(is_known && diya_is_skipped(path) ? DIYA_SKIPPED : DIYA_EXECED, -1);
}

static void came_back(void)
{
    diya_process_ended(DIYA_RUNNING, -1);
    diya_not_started(sys_pid());
}

static void exec_failed(struct diya_call *call, const char *path)
{
    came_back();
    posix_on_path(call, DIYA_F_EXEC, AT_FDCWD, path, DIYA_NAME_FILE, -(int64_t)call->saved_errno);
}

DIYA_EXPORT int execve(const char *path, char *const arguments[], char *const environment[])
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(execve)(path, arguments, environment);
    before_exec(&call, path, DIYA_AS_PATH, environment);
    HANDED_ON(environment);
    int returned = DIYA_REAL(execve)(path, arguments, handed);
    diya_returned(&call);
    exec_failed(&call, path);
    return returned;
}

DIYA_EXPORT int execv(const char *path, char *const arguments[])
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(execv)(path, arguments);
    before_exec(&call, path, DIYA_AS_PATH, environ);
    HANDED_ON(environ);
    int returned = DIYA_REAL(execve)(path, arguments, handed);
    diya_returned(&call);
    exec_failed(&call, path);
    return returned;
}

DIYA_EXPORT int execvpe(const char *name, char *const arguments[], char *const environment[])
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(execvpe)(name, arguments, environment);
    before_exec(&call, name, DIYA_IN_PATH, environment);
    HANDED_ON(environment);
    int returned = DIYA_REAL(execvpe)(name, arguments, handed);
    diya_returned(&call);
    exec_failed(&call, name);
    return returned;
}

DIYA_EXPORT int execvp(const char *name, char *const arguments[])
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(execvp)(name, arguments);
    before_exec(&call, name, DIYA_IN_PATH, environ);
    HANDED_ON(environ);
    int returned = DIYA_REAL(execvpe)(name, arguments, handed);
    diya_returned(&call);
    exec_failed(&call, name);
    return returned;
}

DIYA_EXPORT int fexecve(int fd, char *const arguments[], char *const environment[])
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(fexecve)(fd, arguments, environment);
    char path[LONGEST_PATH];
    before_exec(&call, diya_path_of_fd(fd, path, sizeof path) > 0 ? path : NULL, DIYA_AS_PATH, environment);
    HANDED_ON(environment);
    int returned = DIYA_REAL(fexecve)(fd, arguments, handed);
    diya_returned(&call);
    came_back();
    posix_on_fd(&call, DIYA_F_EXEC, fd, -(int64_t)call.saved_errno);
    return returned;
}

int execveat(int dirfd, const char *path, char *const arguments[], char *const environment[], int flags);
DIYA_EXPORT int execveat(int dirfd, const char *path, char *const arguments[], char *const environment[], int flags)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(execveat)(dirfd, path, arguments, environment, flags);
    before_exec(&call, path, DIYA_AS_PATH, environment);
    HANDED_ON(environment);
    int returned = DIYA_REAL(execveat)(dirfd, path, arguments, handed, flags);
    diya_returned(&call);
    came_back();
    posix_on_path(&call, DIYA_F_EXEC, dirfd, path, DIYA_NAME_FILE, -(int64_t)call.saved_errno);
    return returned;
}

/* The list of arguments as an array on the stack, since another thread's or a
 * vfork parent's memory must not be touched. */
#define ARGUMENTS_OF(first, last)                                                                                      \
    va_list counting, arguments;                                                                                       \
    va_start(counting, first);                                                                                         \
    size_t count = 1;                                                                                                  \
    while ((first) != NULL && va_arg(counting, char *) != NULL)                                                        \
        count++;                                                                                                       \
    va_end(counting);                                                                                                  \
    char *vector[count + 1];                                                                                           \
    va_start(arguments, first);                                                                                        \
    vector[0] = (char *)(uintptr_t)(first);                                                                            \
    for (size_t i = 1; i <= count && (first) != NULL; i++)                                                             \
        vector[i] = va_arg(arguments, char *);                                                                         \
    last;                                                                                                              \
    va_end(arguments)

DIYA_EXPORT int execl(const char *path, const char *first, ...)
{
    ARGUMENTS_OF(first, (void)0);
    return execv(path, vector);
}

DIYA_EXPORT int execlp(const char *name, const char *first, ...)
{
    ARGUMENTS_OF(first, (void)0);
    return execvp(name, vector);
}

DIYA_EXPORT int execle(const char *path, const char *first, ...)
{
    ARGUMENTS_OF(first, char **environment = va_arg(arguments, char **));
    return execve(path, vector, environment);
}

/* --- end ----------------------------------------------------------------------------- */

DIYA_EXPORT void _exit(int code)
{
    uring_process_ends();
    diya_process_ended(DIYA_EXITED, code);
    /* A vfork child has its parent's state, and the parent goes on. */
    if (diya_process != NULL && !diya_has_ended() && diya_process->pid == sys_pid())
        diya_gather();
    DIYA_REAL(_exit)(code);
    __builtin_unreachable();
}
DIYA_EXPORT void _Exit(int code) __attribute__((alias("_exit"), noreturn));

DIYA_EXPORT void quick_exit(int code)
{
    uring_process_ends();
    diya_process_ended(DIYA_EXITED, code);
    DIYA_REAL(quick_exit)(code);
    __builtin_unreachable();
}

DIYA_EXPORT void exit(int code)
{
    stdio_process_ends();
    diya_process_ended(DIYA_EXITED, code);
    DIYA_REAL(exit)(code);
    __builtin_unreachable();
}

/* A return from main does not pass the hook of exit. */
static void at_exit(int code, void *unused)
{
    (void)unused;
    stdio_process_ends();
    uring_process_ends();
    diya_process_ended(DIYA_EXITED, code);
}

__attribute__((constructor)) static void start(void)
{
    if (getenv("DIYA_DIR") != NULL && diya_settings_read())
        on_exit(at_exit, NULL);
}

/* The clock once more: destructors of other libraries may have done I/O. */
__attribute__((destructor)) static void stop(void)
{
    struct diya_process *process = diya_process;
    if (process == NULL || diya_has_ended() || process->pid != sys_pid())
        return;
    if (process->generation != 0)
        diya_process_ended(DIYA_EXITED, process->header->exit_code);
    diya_gather();
}
