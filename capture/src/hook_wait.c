/* Waiting for processes that this one started: no I/O, but the only moment at which it
 * is known how long a program without a recording ran. The recorder is entered after
 * the wait, which may take as long as the whole run. */
#include "core.h"
#include "started.h"
#include "state.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Not those of <sys/wait.h>, whose status was a union in older C libraries. */
struct rusage;
pid_t wait(int *status);
pid_t waitpid(pid_t child, int *status, int options);
pid_t wait3(int *status, int options, struct rusage *usage);
pid_t wait4(pid_t child, int *status, int options, struct rusage *usage);
int waitid(int type, id_t id, siginfo_t *info, int options);

/* Waiting alone is no reason to begin a recording; the thread that waits need not be the
 * one that started the child. */
static void ended(pid_t child, int status)
{
    struct diya_call call;
    if (diya_process == NULL || __atomic_load_n(&diya_process->generation, __ATOMIC_RELAXED) == 0 || !diya_begin(&call))
        return;
    diya_returned(&call);
    diya_child_ended((uint32_t)child, call.end, status);
    diya_cancel(&call);
}

static pid_t waited(pid_t child, int status)
{
    if (child > 0 && (WIFEXITED(status) || WIFSIGNALED(status)))
        ended(child, status);
    return child;
}

DIYA_EXPORT pid_t wait(int *status)
{
    int own = 0, *at = status != NULL ? status : &own;
    pid_t child = DIYA_REAL(wait)(at);
    return child > 0 ? waited(child, *at) : child;
}

DIYA_EXPORT pid_t waitpid(pid_t which, int *status, int options)
{
    int own = 0, *at = status != NULL ? status : &own;
    pid_t child = DIYA_REAL(waitpid)(which, at, options);
    return child > 0 ? waited(child, *at) : child;
}

DIYA_EXPORT pid_t wait3(int *status, int options, struct rusage *usage)
{
    int own = 0, *at = status != NULL ? status : &own;
    pid_t child = DIYA_REAL(wait3)(at, options, usage);
    return child > 0 ? waited(child, *at) : child;
}

DIYA_EXPORT pid_t wait4(pid_t which, int *status, int options, struct rusage *usage)
{
    int own = 0, *at = status != NULL ? status : &own;
    pid_t child = DIYA_REAL(wait4)(which, at, options, usage);
    return child > 0 ? waited(child, *at) : child;
}

/* As waitpid would say it. */
static int status_of(const siginfo_t *info)
{
    int core = info->si_code == CLD_DUMPED ? 0x80 : 0;
    return info->si_code == CLD_EXITED ? (info->si_status & 0xff) << 8 : (info->si_status & 0x7f) | core;
}

static void waited_for(const siginfo_t *info)
{
    bool is_end =
        info->si_pid > 0 && (info->si_code == CLD_EXITED || info->si_code == CLD_KILLED || info->si_code == CLD_DUMPED);
    if (is_end)
        ended(info->si_pid, status_of(info));
}

DIYA_EXPORT int waitid(int type, id_t id, siginfo_t *info, int options)
{
    siginfo_t own = {0}, *at = info != NULL ? info : &own;
    int returned = DIYA_REAL(waitid)(type, id, at, options);
    if (returned == 0)
        waited_for(at);
    return returned;
}

long diya_waiting(long number, long a, long b, long c, long d, long e)
{
    long (*real)(long, ...) = DIYA_REAL(syscall);
    if (number == SYS_wait4) {
        int own = 0, *at = b != 0 ? (int *)b : &own;
        long child = real(number, a, at, c, d);
        return child > 0 ? waited((pid_t)child, *at) : child;
    }
    siginfo_t own = {0}, *at = c != 0 ? (siginfo_t *)c : &own;
    long returned = real(number, a, b, at, d, e);
    if (returned == 0)
        waited_for(at);
    return returned;
}
