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
#include "core.h"
#include "counters.h"
#include "process.h"
#include "record.h"
#include "restrict.h"
#include "state.h"
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

/* After setuid(getuid()) of an ordinary user, which many programs call to be safe, the
 * process can still write its segment. -1 leaves an id as it is. */
static bool changes_user(uid_t a, uid_t b, uid_t c)
{
    uid_t real, effective, saved;
    if (getresuid(&real, &effective, &saved) != 0 || real != effective || real != saved)
        return true;
    const uid_t none = (uid_t)-1;
    return (a != none && a != real) || (b != none && b != real) || (c != none && c != real);
}

static void leaving_as(uid_t a, uid_t b, uid_t c)
{
    if (changes_user(a, b, c))
        diya_leaving();
}

static void leaving_by_number(long number, long a, long b, long c)
{
    if (number == SYS_setuid || number == SYS_setfsuid)
        leaving_as((uid_t)a, (uid_t)a, (uid_t)a);
    else if (number == SYS_setreuid)
        leaving_as((uid_t)a, (uid_t)b, (uid_t)b);
    else if (number == SYS_setresuid)
        leaving_as((uid_t)a, (uid_t)b, (uid_t)c);
    else
        diya_leaving();
}

long diya_restricting(long number, long a, long b, long c, long d, long e, long f)
{
    long (*real)(long, ...) = DIYA_REAL(syscall);
    if (number != SYS_prctl && number != SYS_seccomp)
        leaving_by_number(number, a, b, c);
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

#define LEAVING(before, name, parameters, ...)                                                                         \
    DIYA_EXPORT int name parameters                                                                                    \
    {                                                                                                                  \
        before;                                                                                                        \
        return DIYA_REAL(name)(__VA_ARGS__);                                                                           \
    }

LEAVING(leaving_as(uid, uid, uid), setuid, (uid_t uid), uid)
LEAVING(leaving_as(effective, effective, effective), seteuid, (uid_t effective), effective)
LEAVING(leaving_as(real, effective, effective), setreuid, (uid_t real, uid_t effective), real, effective)
LEAVING(leaving_as(real, effective, saved), setresuid, (uid_t real, uid_t effective, uid_t saved), real, effective,
        saved)
LEAVING(leaving_as(uid, uid, uid), setfsuid, (uid_t uid), uid)
LEAVING(diya_leaving(), setns, (int fd, int kind), fd, kind)
