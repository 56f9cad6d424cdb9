/* Waiting for processes that this one started: no I/O, but the only moment at which it
 * is known how long a program without a recording ran. The recorder is entered after
 * the wait, which may take as long as the whole run. */
#include "posix.h"
#include "started.h"

#include <signal.h>
#include <stdlib.h>

/* Not those of <sys/wait.h>, whose status was a union in older C libraries. */
struct rusage;
pid_t wait(int *status);
pid_t waitpid(pid_t child, int *status, int options);
pid_t wait3(int *status, int options, struct rusage *usage);
pid_t wait4(pid_t child, int *status, int options, struct rusage *usage);
int waitid(int type, id_t id, siginfo_t *info, int options);

static void ended(pid_t child)
{
    struct diya_call call;
    if (child <= 0 || diya_tls.thread == NULL || !diya_begin(&call))
        return;
    diya_returned(&call);
    diya_child_ended((uint32_t)child, call.end);
    diya_cancel(&call);
}

static pid_t waited(pid_t child, int status)
{
    if (child > 0 && (WIFEXITED(status) || WIFSIGNALED(status)))
        ended(child);
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

DIYA_EXPORT int waitid(int type, id_t id, siginfo_t *info, int options)
{
    int returned = DIYA_REAL(waitid)(type, id, info, options);
    bool is_end = returned == 0 && info != NULL && info->si_pid > 0 &&
                  (info->si_code == CLD_EXITED || info->si_code == CLD_KILLED || info->si_code == CLD_DUMPED);
    if (is_end)
        ended(info->si_pid);
    return returned;
}
