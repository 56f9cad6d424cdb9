/* Functions that are only passed through.
 *
 * Each is a few instructions: look whether something is gathered, jump to the real function.
 * No prototypes are needed, arguments in registers and on the stack stay as they are, and the
 * real function returns to the program itself (so vfork works, and dlopen knows its caller).
 * Measured with fputc: 0.3 ns a call. */
#include "passing.h"
#include "child.h"
#include "end.h"
#include "others.h"
#include "own_code.h"
#include "real.h"
#include "layer.h"
#include "mpi_file.h"
#include "watch.h"

#include "../../capture/src/probe.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>

/* The name as a distance: a pointer would make the linker write to each page of this table, in
 * every process. */
struct passing {
    void *real;
    int32_t name_distance;
    uint16_t kind, argument;
};

static const char *name_of(const struct passing *passing)
{
    return (const char *)&passing->name_distance + passing->name_distance;
}

/* In place of the number of an argument. */
enum { STANDARD_INPUT = 9 };

/* Where the code below keeps the return address of the program's call. */
#if defined(__x86_64__)
#define CALLER_OF(arguments) ((const void *)(arguments)[9])
#elif defined(__aarch64__)
#define CALLER_OF(arguments) ((const void *)(arguments)[-1])
#endif

void apply_before_stream_read(int fd);

static long missing(void)
{
    errno = ENOSYS;
    return -1;
}

static void before_stream_read(FILE *stream)
{
    if (apply_is_dirty() && stream->_IO_read_ptr >= stream->_IO_read_end)
        apply_before_stream_read(REAL(fileno)(stream));
}

/* Messages with control data may bring descriptors. */
static void before_receive(const struct msghdr *message)
{
    struct diya_probe probe = {0};
    apply_flush_all();
    if (diya_readable(&probe, message, sizeof *message) && message->msg_controllen > 0)
        apply_watch_received();
}

/* Numbers that change nothing of files and tell nobody. */
static bool is_harmless(long number)
{
    return number == SYS_gettid || number == SYS_getpid || number == SYS_getrandom || number == SYS_sched_yield ||
           number == SYS_clock_gettime || number == SYS_sched_getaffinity || number == SYS_getcpu ||
           number == SYS_membarrier;
}

static bool only_tells(long number)
{
    return number == SYS_futex || number == SYS_tgkill || number == SYS_kill || number == SYS_statx ||
           number == SYS_newfstatat || number == SYS_fstat;
}

static void before_number(long number)
{
    if (is_harmless(number))
        return;
    apply_flush_all();
    if (number == SYS_exit_group) {
        apply_process_ends();
    } else if (number == SYS_execve || number == SYS_execveat) {
        apply_process_changes();
    } else if (number == SYS_seccomp || number == SYS_io_setup || number == 425 /* io_uring_setup */) {
        apply_watch_nothing("the kernel writes for the process unseen, or may forbid what we do");
    } else if (!only_tells(number)) {
        apply_watch_shared_memory_child();
        apply_child_starts();
        apply_watch_received(); /* it may have made, shared or ended descriptors */
    }
}

static void do_before(const struct passing *passing, const uintptr_t *arguments)
{
    switch (passing->kind) {
    case APPLY_PASS_READS:
        before_stream_read(passing->argument == STANDARD_INPUT ? stdin : (FILE *)arguments[passing->argument]);
        break;
    case APPLY_PASS_CHILD:
        apply_child_starts();
        break;
    case APPLY_PASS_VFORK:
        apply_watch_shared_memory_child();
        apply_child_starts();
        break;
    case APPLY_PASS_FORK:
        apply_watch_shared_memory_child();
        apply_child_starts();
        apply_drop_all();
        break;
    case APPLY_PASS_EXEC:
        apply_process_changes();
        break;
    case APPLY_PASS_END:
        apply_process_ends();
        break;
    case APPLY_PASS_MOVES:
        apply_flush_all();
        apply_drop((int)arguments[0]);
        apply_drop((int)arguments[passing->argument]);
        break;
    case APPLY_PASS_MAP:
        apply_flush_all();
        apply_watch_mapped((int)arguments[4], (int)arguments[2], (int)arguments[3]);
        break;
    case APPLY_PASS_SHARES:
        apply_flush_all();
        if (!apply_is_mpi_code(CALLER_OF(arguments))) /* its descriptors are not watched */
            apply_watch_nothing("the program uses asynchronous I/O or shared memory, which is not seen");
        break;
    case APPLY_PASS_RECEIVES:
        before_receive((const struct msghdr *)arguments[1]);
        break;
    case APPLY_PASS_LIMITS:
        apply_flush_all();
        apply_drop_all();
        break;
    case APPLY_PASS_MPI_START:
        apply_watch_mpi();
        break;
    case APPLY_PASS_SYSCALL:
        before_number((long)arguments[0]);
        break;
    case APPLY_PASS_PRCTL:
        if (arguments[0] == PR_SET_SECCOMP)
            apply_watch_nothing("a filter of system calls may forbid what we do");
        break;
    default:
        apply_flush_all();
        apply_mpi_told();
    }
}

/* Called by the code below. Returns the real function. */
APPLY_HIDDEN void *apply_passing(struct passing *passing, const uintptr_t *arguments);
void *apply_passing(struct passing *passing, const uintptr_t *arguments)
{
    int saved_errno = errno;
    do_before(passing, arguments);
    void *real = apply_real(&passing->real, name_of(passing));
    if (real == NULL) { /* mpi4py's library is in no global scope */
        real = apply_layer_past(name_of(passing));
        __atomic_store_n(&passing->real, real, __ATOMIC_RELEASE);
    }
    errno = saved_errno;
    return real != NULL ? real : (void *)missing;
}

/* One entry: the structure above, and the code. Other kinds than TELLS look at their arguments
 * each time. */
#if defined(__x86_64__)
#define QUICKLY                                                                                                        \
    "    cmpl $0, apply_dirty(%rip)\n    jne 1f\n"                                                                     \
    "    movq 2f(%rip), %r11\n    testq %r11, %r11\n"                                                                  \
    "    je 1f\n    jmp *%r11\n"
#define SLOWLY "1:  leaq 2f(%rip), %r11\n    jmp apply_passing_slowly\n"
#define LANDING "    endbr64\n"
#define TYPE "@function"
#elif defined(__aarch64__)
#define QUICKLY                                                                                                        \
    "    adrp x16, apply_dirty\n    ldr w16, [x16, #:lo12:apply_dirty]\n"                                              \
    "    cbnz w16, 1f\n"                                                                                               \
    "    adrp x16, 2f\n    ldr x16, [x16, #:lo12:2f]\n    cbz x16, 1f\n    br x16\n"
#define SLOWLY "1:  adrp x16, 2f\n    add x16, x16, #:lo12:2f\n    b apply_passing_slowly\n"
#define LANDING "    hint #34\n"
#define TYPE "%function"
#endif

#define ENTRY(name, real_name, kind, argument, quickly)                                                                \
    __asm__(".text\n.p2align 4\n.globl " name "\n.type " name "," TYPE "\n" name ":\n" LANDING quickly SLOWLY          \
            ".size " name ",.-" name "\n"                                                                              \
            ".section .data,\"aw\",%progbits\n.p2align 3\n2:  .quad 0\n    .long 3f - .\n    .short " kind             \
            ", " argument "\n"                                                                                         \
            ".section .rodata.str1.1,\"aMS\",%progbits,1\n3:  .string \"" real_name "\"\n.text\n");

/* Values of the enumeration, for the assembler. */
#define NUMBER_TELLS "0"
#define NUMBER_READS "1"
#define NUMBER_CHILD "2"
#define NUMBER_FORK "3"
#define NUMBER_EXEC "4"
#define NUMBER_END "5"
#define NUMBER_MOVES "6"
#define NUMBER_MAP "7"
#define NUMBER_SHARES "8"
#define NUMBER_RECEIVES "9"
#define NUMBER_LIMITS "10"
#define NUMBER_MPI_START "11"
#define NUMBER_SYSCALL "12"
#define NUMBER_PRCTL "13"
#define NUMBER_VFORK "14"
_Static_assert(APPLY_PASS_VFORK == 14 && APPLY_PASS_MOVES == 6 && APPLY_PASS_MPI_START == 11,
               "numbers of the assembler");
#define QUICKLY_TELLS QUICKLY
#define QUICKLY_READS QUICKLY
#define QUICKLY_CHILD ""
#define QUICKLY_FORK ""
#define QUICKLY_EXEC ""
#define QUICKLY_END ""
#define QUICKLY_MOVES ""
#define QUICKLY_MAP ""
#define QUICKLY_SHARES ""
#define QUICKLY_RECEIVES ""
#define QUICKLY_LIMITS ""
#define QUICKLY_MPI_START ""
#define QUICKLY_SYSCALL ""
#define QUICKLY_PRCTL ""
#define QUICKLY_VFORK ""

#define PASS(kind, argument, name) ENTRY(#name, #name, NUMBER_##kind, #argument, QUICKLY_##kind)
/* clang-format off: it takes the list for one declaration. */
#include "passing.def"
PASS(MPI_START, 0, MPI_Init)
PASS(MPI_START, 0, MPI_Init_thread)
PASS(MPI_START, 0, MPI_Session_init)
PASS(MPI_START, 0, mpi_init_)
PASS(MPI_START, 0, mpi_init_thread_)
PASS(MPI_START, 0, mpi_init_f08_)
PASS(MPI_START, 0, mpi_init_thread_f08_)
/* Their C functions have hooks of the MPI-IO settings. */
PASS(TELLS, 0, mpi_abort_)
PASS(TELLS, 0, mpi_abort_f08_)
PASS(TELLS, 0, mpi_finalize_)
PASS(TELLS, 0, mpi_finalize_f08_)
/* clang-format on */
#undef PASS

/* C, Fortran, and Open MPI's Fortran 2008. */
#define COMMUNICATES(c, fortran)                                                                                       \
    ENTRY(#c, #c, NUMBER_TELLS, "0", QUICKLY)                                                                          \
    ENTRY(#fortran, #fortran, NUMBER_TELLS, "0", QUICKLY)                                                              \
    ENTRY(#fortran "f08_", #fortran "f08_", NUMBER_TELLS, "0", QUICKLY)
#include "passing_mpi.def"
#undef COMMUNICATES

#if defined(__x86_64__)
__asm__(
    ".text\n.hidden apply_passing_slowly\n.globl apply_passing_slowly\n.type apply_passing_slowly,@function\n"
    "apply_passing_slowly:\n"
    "    pushq %rbp\n    movq %rsp, %rbp\n"
    "    pushq %r10\n    pushq %rax\n"
    "    pushq %r9\n    pushq %r8\n    pushq %rcx\n    pushq %rdx\n    pushq %rsi\n    pushq %rdi\n"
    "    movq %rsp, %rsi\n    subq $128, %rsp\n"
    "    movups %xmm0, (%rsp)\n    movups %xmm1, 16(%rsp)\n    movups %xmm2, 32(%rsp)\n    movups %xmm3, 48(%rsp)\n"
    "    movups %xmm4, 64(%rsp)\n    movups %xmm5, 80(%rsp)\n    movups %xmm6, 96(%rsp)\n    movups %xmm7, 112(%rsp)\n"
    "    movq %r11, %rdi\n    call apply_passing\n    movq %rax, %r11\n"
    "    movups (%rsp), %xmm0\n    movups 16(%rsp), %xmm1\n    movups 32(%rsp), %xmm2\n    movups 48(%rsp), %xmm3\n"
    "    movups 64(%rsp), %xmm4\n    movups 80(%rsp), %xmm5\n    movups 96(%rsp), %xmm6\n    movups 112(%rsp), %xmm7\n"
    "    addq $128, %rsp\n"
    "    popq %rdi\n    popq %rsi\n    popq %rdx\n    popq %rcx\n    popq %r8\n    popq %r9\n"
    "    popq %rax\n    popq %r10\n    popq %rbp\n"
    "    jmp *%r11\n"
    ".size apply_passing_slowly,.-apply_passing_slowly\n");
#elif defined(__aarch64__)
__asm__(
    ".text\n.hidden apply_passing_slowly\n.globl apply_passing_slowly\n.type apply_passing_slowly,%function\n"
    "apply_passing_slowly:\n"
    "    stp x29, x30, [sp, #-224]!\n    mov x29, sp\n"
    "    stp x0, x1, [sp, #16]\n    stp x2, x3, [sp, #32]\n    stp x4, x5, [sp, #48]\n    stp x6, x7, [sp, #64]\n"
    "    str x8, [sp, #80]\n"
    "    stp q0, q1, [sp, #96]\n    stp q2, q3, [sp, #128]\n    stp q4, q5, [sp, #160]\n    stp q6, q7, [sp, #192]\n"
    "    mov x0, x16\n    add x1, sp, #16\n    bl apply_passing\n    mov x16, x0\n"
    "    ldp q0, q1, [sp, #96]\n    ldp q2, q3, [sp, #128]\n    ldp q4, q5, [sp, #160]\n    ldp q6, q7, [sp, #192]\n"
    "    ldr x8, [sp, #80]\n"
    "    ldp x0, x1, [sp, #16]\n    ldp x2, x3, [sp, #32]\n    ldp x4, x5, [sp, #48]\n    ldp x6, x7, [sp, #64]\n"
    "    ldp x29, x30, [sp], #224\n    br x16\n"
    ".size apply_passing_slowly,.-apply_passing_slowly\n");
#endif
