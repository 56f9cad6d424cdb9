/* Copying with a fault as an answer: bytes are moved by a piece of code whose addresses the handler of
 * faults knows. Where the program has a handler of its own, the memory is probed first. */
#include "copy.h"

#include "../../capture/src/probe.h"

#include <signal.h>
#include <ucontext.h>

static bool has_segv, has_bus;

/* Returns 0, or 1 if the handler has set the program counter to apply_copy_failing. Uses no
 * stack, so that nothing is to be undone. */
APPLY_HIDDEN int apply_copy_bytes(void *to, const void *from, size_t bytes);
extern const char apply_copy_begin[] APPLY_HIDDEN, apply_copy_end[] APPLY_HIDDEN, apply_copy_failing[] APPLY_HIDDEN;

#if defined(__x86_64__)
__asm__(".text\n.hidden apply_copy_bytes\n.globl apply_copy_bytes\n.type apply_copy_bytes,@function\n"
        ".hidden apply_copy_begin\n.globl apply_copy_begin\n.hidden apply_copy_end\n.globl apply_copy_end\n"
        ".hidden apply_copy_failing\n.globl apply_copy_failing\n"
        "apply_copy_bytes:\n"
        "    movq %rdx, %rcx\n"
        "    cmpq $512, %rdx\n    jae 4f\n"
        "apply_copy_begin:\n"
        "1:  cmpq $16, %rcx\n    jb 2f\n"
        "    movups (%rsi), %xmm0\n    movups %xmm0, (%rdi)\n"
        "    addq $16, %rsi\n    addq $16, %rdi\n    subq $16, %rcx\n    jmp 1b\n"
        "2:  testq %rcx, %rcx\n    je 3f\n"
        "    movb (%rsi), %al\n    movb %al, (%rdi)\n    incq %rsi\n    incq %rdi\n    decq %rcx\n    jmp 2b\n"
        "4:  rep movsb\n"
        "apply_copy_end:\n"
        "3:  xorl %eax, %eax\n    ret\n"
        "apply_copy_failing:\n"
        "    movl $1, %eax\n    ret\n"
        ".size apply_copy_bytes,.-apply_copy_bytes\n");
#define PROGRAM_COUNTER(context) (*(uintptr_t *)&(context)->uc_mcontext.gregs[REG_RIP])
#elif defined(__aarch64__)
__asm__(".text\n.hidden apply_copy_bytes\n.globl apply_copy_bytes\n.type apply_copy_bytes,%function\n"
        ".hidden apply_copy_begin\n.globl apply_copy_begin\n.hidden apply_copy_end\n.globl apply_copy_end\n"
        ".hidden apply_copy_failing\n.globl apply_copy_failing\n"
        "apply_copy_bytes:\n"
        "    hint #34\n"
        "apply_copy_begin:\n"
        "1:  cmp x2, #16\n    b.lo 2f\n"
        "    ldp x3, x4, [x1], #16\n    stp x3, x4, [x0], #16\n    sub x2, x2, #16\n    b 1b\n"
        "2:  cbz x2, 3f\n"
        "    ldrb w3, [x1], #1\n    strb w3, [x0], #1\n    sub x2, x2, #1\n    b 2b\n"
        "apply_copy_end:\n"
        "3:  mov w0, #0\n    ret\n"
        "apply_copy_failing:\n"
        "    mov w0, #1\n    ret\n"
        ".size apply_copy_bytes,.-apply_copy_bytes\n");
#define PROGRAM_COUNTER(context) (*(uintptr_t *)&(context)->uc_mcontext.pc)
#endif

void apply_copy_is_caught(int signal, bool has)
{
    if (signal == SIGSEGV)
        __atomic_store_n(&has_segv, has, __ATOMIC_RELEASE);
    if (signal == SIGBUS)
        __atomic_store_n(&has_bus, has, __ATOMIC_RELEASE);
}

static bool is_caught(void)
{
    return __atomic_load_n(&has_segv, __ATOMIC_ACQUIRE) && __atomic_load_n(&has_bus, __ATOMIC_ACQUIRE);
}

bool apply_copy(void *to, const void *from, size_t bytes)
{
    struct diya_probe probe = {0};
    if (!is_caught() && !diya_readable(&probe, from, bytes))
        return false;
    return apply_copy_bytes(to, from, bytes) == 0;
}

bool apply_copy_failed(void *context)
{
    ucontext_t *interrupted = context;
    uintptr_t at = PROGRAM_COUNTER(interrupted);
    if (at < (uintptr_t)apply_copy_begin || at >= (uintptr_t)apply_copy_end)
        return false;
    PROGRAM_COUNTER(interrupted) = (uintptr_t)apply_copy_failing;
    return true;
}
