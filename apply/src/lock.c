/* The lock of one word with the frame of its owner; waiting threads sleep in the kernel (futex). */
#include "lock.h"

#include "../../capture/src/system.h"

#include <linux/futex.h>
#include <signal.h>

#define WAITING 0x80000000u
/* Frames that are farther apart belong to different stacks (coroutine, signal stack). */
#define FARTHEST_FRAME (8u << 20)

static _Thread_local uint32_t own_number __attribute__((tls_model("initial-exec")));

static uint32_t own(void)
{
    if (own_number == 0)
        own_number = sys_tid();
    return own_number;
}

void apply_new_thread_number(void)
{
    own_number = 0;
}

/* The stack grows down: the frames of a handler are below those that it interrupted. */
static bool is_abandoned(const struct apply_lock *lock, uintptr_t frame)
{
    return frame > lock->frame && frame - lock->frame < FARTHEST_FRAME;
}

enum apply_locked apply_lock(struct apply_lock *lock)
{
    uint32_t number = own(), found = 0, taken = number;
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
    while (!__atomic_compare_exchange_n(&lock->word, &found, taken, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
        if ((found & ~WAITING) == number) {
            if (!is_abandoned(lock, frame))
                return APPLY_NESTED;
            break;
        }
        taken = number | WAITING; /* others may wait as well */
        if ((found & WAITING) != 0 || __atomic_compare_exchange_n(&lock->word, &found, found | WAITING, false,
                                                                  __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            diya_syscall(SYS_futex, (long)&lock->word, FUTEX_WAIT_PRIVATE, (long)(found | WAITING), 0, 0, 0);
        found = 0;
    }
    lock->frame = frame;
    return APPLY_LOCKED;
}

void apply_unlock(struct apply_lock *lock, enum apply_locked how)
{
    uint32_t found = own();
    if (how != APPLY_LOCKED ||
        __atomic_compare_exchange_n(&lock->word, &found, 0, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
        return;
    if (found != (own() | WAITING))
        return;
    __atomic_store_n(&lock->word, 0, __ATOMIC_RELEASE);
    diya_syscall(SYS_futex, (long)&lock->word, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
}

apply_signals apply_block_signals(void)
{
    /* Faults cannot wait: the kernel would end the program. */
    const uint64_t faults =
        1u << (SIGSEGV - 1) | 1u << (SIGBUS - 1) | 1u << (SIGFPE - 1) | 1u << (SIGILL - 1) | 1u << (SIGTRAP - 1);
    const uint64_t all = ~faults;
    uint64_t before = 0;
    diya_syscall(SYS_rt_sigprocmask, SIG_BLOCK, (long)&all, (long)&before, sizeof before, 0, 0);
    return before;
}

void apply_unblock_signals(apply_signals before)
{
    diya_syscall(SYS_rt_sigprocmask, SIG_SETMASK, (long)&before, 0, sizeof before, 0, 0);
}
