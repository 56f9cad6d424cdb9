/* Programs that forbid themselves system calls, or the clock, or become another user.
 *
 * Under a seccomp filter the recorder's own open or mmap could be the call for
 * which the kernel kills the program. From then on it takes no new windows: what
 * is mapped is used up, then calls are counted. Seccomp's strict mode and
 * PR_SET_TSC forbid the processor's clock, too (arch/x86/kernel/process.c,
 * disable_TSC): recording ends, and the calls are counted as not recorded.
 *
 * As another user, in another root folder or mount namespace the segment cannot be
 * opened any more, and no new one be made: the recording begins before, and takes what
 * room it may need.
 */
#include "counters.h"
#include "restrict.h"
#include "settings.h"
#include "system.h"

#include <linux/seccomp.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/fsuid.h>
#include <sys/prctl.h>
#include <unistd.h>

static void restricted(void)
{
    struct diya_call call;
    if (!diya_begin(&call)) /* makes the segment, if this is the first call */
        return;
    uint64_t generation = diya_enter();
    diya_counters_reserve(diya_tls.thread);
    __atomic_store_n(&diya_process->is_restricted, 1, __ATOMIC_RELAXED);
    diya_leave(generation);
    diya_cancel(&call);
}

void diya_leaving(void)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return;
    uint64_t generation = diya_enter();
    if (!diya_tls.is_vfork_child)
        diya_room_reserve(diya_tls.thread);
    diya_leave(generation);
    diya_cancel(&call);
}

/* The strict mode is one thread's; new threads and children inherit PR_SET_TSC. */
static void forbidden(bool of_all_threads)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return;
    diya_cancel(&call);
    diya_recording_ended(of_all_threads);
}

static void before_prctl(long option, unsigned long what)
{
    if (option == PR_SET_SECCOMP && what == SECCOMP_MODE_STRICT)
        forbidden(false);
    else if (option == PR_SET_TSC && what == PR_TSC_SIGSEGV)
        forbidden(true);
    else if (option == PR_SET_SECCOMP || option == PR_SET_NO_NEW_PRIVS)
        restricted();
}

long diya_restricting(long number, long a, long b, long c, long d, long e, long f)
{
    long (*real)(long, ...) = DIYA_REAL(syscall);
    if (number != SYS_prctl && number != SYS_seccomp)
        diya_leaving();
    else if (number == SYS_prctl)
        before_prctl(a, (unsigned long)b);
    else if (a == SECCOMP_SET_MODE_STRICT)
        forbidden(false);
    else if (a == SECCOMP_SET_MODE_FILTER)
        restricted();
    return real(number, a, b, c, d, e, f);
}

/* A filter needs one of the two first: the first sets it, the second lets an
 * ordinary user do so by a system call in the program's own code. */
DIYA_EXPORT int prctl(int option, ...)
{
    va_list arguments;
    va_start(arguments, option);
    unsigned long argument[4];
    for (int i = 0; i < 4; i++)
        argument[i] = va_arg(arguments, unsigned long);
    va_end(arguments);
    int (*real)(int, ...) = DIYA_REAL(prctl);
    before_prctl(option, argument[0]);
    return real(option, argument[0], argument[1], argument[2], argument[3]);
}

/* --- another user, other mounts ------------------------------------------------------ */

#define LEAVING(name, parameters, ...)       \
    DIYA_EXPORT int name parameters          \
    {                                        \
        diya_leaving();                      \
        return DIYA_REAL(name)(__VA_ARGS__); \
    }

LEAVING(setuid, (uid_t uid), uid)
LEAVING(seteuid, (uid_t effective), effective)
LEAVING(setreuid, (uid_t real, uid_t effective), real, effective)
LEAVING(setresuid, (uid_t real, uid_t effective, uid_t saved), real, effective, saved)
LEAVING(setfsuid, (uid_t uid), uid)
LEAVING(setns, (int fd, int kind), fd, kind)
