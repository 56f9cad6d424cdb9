/* Programs that forbid themselves system calls.
 *
 * Under a seccomp filter the recorder's own open or mmap could be the call for
 * which the kernel kills the program. From then on it takes no new windows: what
 * is mapped is used up, then calls are counted.
 */
#include "counters.h"

#include <stdarg.h>
#include <sys/prctl.h>

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

/* A filter needs one of the two first: the first sets it, the second lets an
 * ordinary user do so by a raw call. */
DIYA_EXPORT int prctl(int option, ...)
{
    va_list arguments;
    va_start(arguments, option);
    unsigned long argument[4];
    for (int i = 0; i < 4; i++)
        argument[i] = va_arg(arguments, unsigned long);
    va_end(arguments);
    if (option == PR_SET_SECCOMP || option == PR_SET_NO_NEW_PRIVS)
        restricted();
    return DIYA_REAL(prctl)(option, argument[0], argument[1], argument[2], argument[3]);
}
