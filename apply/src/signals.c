/* A signal whose action is the default one would end the program with bytes still gathered.
 *
 * So these signals get a handler of ours: it issues, sets the default action, and lets the
 * signal come again; the program ends as it would have. The program sees nothing of it: where
 * it asks, the action is the default one, and a handler of its own takes the place of ours.
 */
#include "signals.h"
#include "copy.h"
#include "end.h"
#include "real.h"

#include "../../capture/src/system.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

#define FOR_ALL(signal) for (int signal = 1; signal < NSIG; signal++)

static bool is_armed;

/* Those whose default action ends the process. 32 and 33 are the C library's own. */
static bool ends_process(int signal)
{
    switch (signal) {
    case SIGKILL:
    case SIGSTOP:
    case SIGTSTP:
    case SIGTTIN:
    case SIGTTOU:
    case SIGCONT:
    case SIGCHLD:
    case SIGURG:
    case SIGWINCH:
    case 32:
    case 33:
        return false;
    default:
        return signal > 0 && signal < NSIG;
    }
}

static bool is_fault(int signal)
{
    return signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL || signal == SIGTRAP;
}

static int set_action(int signal, const struct sigaction *action, struct sigaction *before)
{
    return REAL(sigaction)(signal, action, before);
}

static void ended_by(int signal, siginfo_t *info, void *context)
{
    if ((signal == SIGSEGV || signal == SIGBUS) && apply_copy_failed(context))
        return;
    int saved_errno = errno;
    apply_process_ends();
    struct sigaction by_default = {.sa_handler = SIG_DFL};
    set_action(signal, &by_default, NULL);
    /* A fault happens again when the program goes on. */
    if (!is_fault(signal) || info->si_code <= 0)
        diya_syscall(SYS_tgkill, sys_pid(), sys_tid(), signal, 0, 0, 0);
    errno = saved_errno;
}

static bool is_ours(const struct sigaction *action)
{
    return (action->sa_flags & SA_SIGINFO) != 0 && action->sa_sigaction == ended_by;
}

/* Where the action is another than the default one, that stays. */
static void take(int signal)
{
    struct sigaction ours = {.sa_sigaction = ended_by, .sa_flags = SA_SIGINFO | SA_ONSTACK}, before;
    sigfillset(&ours.sa_mask);
    if (set_action(signal, NULL, &before) != 0)
        return;
    bool is_default = (before.sa_flags & SA_SIGINFO) == 0 && before.sa_handler == SIG_DFL;
    bool has = (is_default && set_action(signal, &ours, NULL) == 0) || is_ours(&before);
    apply_copy_is_caught(signal, has);
}

void apply_catch_signals(void)
{
    if (__atomic_exchange_n(&is_armed, true, __ATOMIC_ACQ_REL))
        return;
    FOR_ALL(signal)
    if (ends_process(signal))
        take(signal);
}

/* --- the program asks and sets ------------------------------------------------------------ */

static bool concerns_us(int signal)
{
    return __atomic_load_n(&is_armed, __ATOMIC_ACQUIRE) && ends_process(signal);
}

APPLY_EXPORT int sigaction(int signal, const struct sigaction *action, struct sigaction *before)
{
    if (!concerns_us(signal))
        return set_action(signal, action, before);
    if (action != NULL)
        apply_flush_all();
    int returned = set_action(signal, action, before);
    int saved_errno = errno;
    if (returned == 0 && before != NULL && is_ours(before))
        memset(before, 0, sizeof *before);
    if (returned == 0 && action != NULL)
        take(signal);
    errno = saved_errno;
    return returned;
}
APPLY_EXPORT int __sigaction(int signal, const struct sigaction *action, struct sigaction *before)
    __attribute__((alias("sigaction")));

#define SETS_HANDLER(name)                                                                                             \
    APPLY_EXPORT sighandler_t name(int number, sighandler_t handler)                                                   \
    {                                                                                                                  \
        bool is_concerned = concerns_us(number);                                                                       \
        if (is_concerned)                                                                                              \
            apply_flush_all();                                                                                         \
        sighandler_t before = REAL(name)(number, handler);                                                             \
        int saved_errno = errno;                                                                                       \
        if (is_concerned && before != SIG_ERR)                                                                         \
            take(number);                                                                                              \
        errno = saved_errno;                                                                                           \
        return is_concerned && (void *)before == (void *)ended_by ? SIG_DFL : before;                                  \
    }

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
sighandler_t __sysv_signal(int signal, sighandler_t handler);
sighandler_t bsd_signal(int signal, sighandler_t handler);
SETS_HANDLER(signal)
SETS_HANDLER(ssignal)
SETS_HANDLER(bsd_signal)
SETS_HANDLER(sysv_signal)
SETS_HANDLER(__sysv_signal)
SETS_HANDLER(sigset)
