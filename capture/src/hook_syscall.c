/* syscall(): calls by their number, recorded as if their own functions had made them.
 *
 * Most numbers are handed on untouched, and in no frame of ours: a child that the
 * kernel starts (clone, vfork) returns on a stack that the parent uses as well.
 */
#include "core.h"
#include "descriptors.h"
#include "flight.h"
#include "libaio.h"
#include "posix.h"
#include "probe.h"
#include "restrict.h"
#include "started.h"
#include "uring_raw.h"

#include <fcntl.h>
#include <unistd.h>

/* Numbers that headers of older systems lack; from 424 on they are the same everywhere. */
#ifndef SYS_io_pgetevents
#if defined(__x86_64__)
#define SYS_io_pgetevents 333
#else
#define SYS_io_pgetevents 292
#endif
#endif
#ifndef SYS_io_uring_setup
#define SYS_io_uring_setup 425
#define SYS_io_uring_enter 426
#define SYS_io_uring_register 427
#endif
#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#ifndef SYS_openat2
#define SYS_openat2 437
#endif

static bool is_transfer(long number)
{
    switch (number) {
    case SYS_read:
    case SYS_write:
    case SYS_pread64:
    case SYS_pwrite64:
    case SYS_readv:
    case SYS_writev:
    case SYS_preadv:
    case SYS_pwritev:
    case SYS_preadv2:
    case SYS_pwritev2:
        return true;
    default:
        return false;
    }
}

static bool is_recorded(long number)
{
    switch (number) {
#if defined(SYS_open)
    case SYS_open:
    case SYS_creat:
    case SYS_dup2:
    case SYS_unlink:
#endif
    case SYS_openat:
    case SYS_openat2:
    case SYS_close:
    case SYS_close_range:
    case SYS_dup:
    case SYS_dup3:
    case SYS_lseek:
    case SYS_fsync:
    case SYS_fdatasync:
    case SYS_ftruncate:
    case SYS_fallocate:
    case SYS_unlinkat:
    case SYS_copy_file_range:
    case SYS_sendfile:
    case SYS_getdents64:
        return true;
    case SYS_io_submit:
    case SYS_io_getevents:
    case SYS_io_pgetevents:
    case SYS_io_cancel:
    case SYS_io_destroy:
    case SYS_io_uring_setup:
    case SYS_io_uring_enter:
    case SYS_io_uring_register:
        return diya_inside_library == 0;
    default:
        return is_transfer(number);
    }
}

/* After these the segment may be out of reach. */
static bool is_leaving(long number)
{
    switch (number) {
    case SYS_setuid:
    case SYS_setreuid:
    case SYS_setresuid:
    case SYS_setfsuid:
    case SYS_setns:
    case SYS_chroot:
    case SYS_pivot_root:
        return true;
    default:
        return false;
    }
}

/* --- by number ------------------------------------------------------------------ */

static void transferred(struct diya_call *call, long number, const long a[6], long returned)
{
    int fd = (int)a[0], count = (int)a[2];
    int64_t done = diya_done(call, returned);
    const struct iovec *vector = (const struct iovec *)a[1];
    switch (number) {
    case SYS_read:
        posix_implicit(call, DIYA_F_READ, fd, (const void *)a[1], (uint64_t)a[2], returned, false);
        return;
    case SYS_write:
        posix_implicit(call, DIYA_F_WRITE, fd, (const void *)a[1], (uint64_t)a[2], returned, true);
        return;
    case SYS_pread64:
        posix_explicit(call, DIYA_F_PREAD, fd, (const void *)a[1], (uint64_t)a[2], a[3], returned);
        return;
    case SYS_pwrite64:
        posix_explicit(call, DIYA_F_PWRITE, fd, (const void *)a[1], (uint64_t)a[2], a[3], returned);
        return;
    case SYS_readv:
        posix_implicit(call, DIYA_F_READV, fd, NULL, posix_vector_bytes(vector, count, done), returned, false);
        return;
    case SYS_writev:
        posix_implicit(call, DIYA_F_WRITEV, fd, NULL, posix_vector_bytes(vector, count, done), returned, true);
        return;
    default:
        break;
    }
    bool is_write = number == SYS_pwritev || number == SYS_pwritev2;
    bool is_second = number == SYS_preadv2 || number == SYS_pwritev2;
    enum diya_function function =
        is_second ? (is_write ? DIYA_F_PWRITEV2 : DIYA_F_PREADV2) : (is_write ? DIYA_F_PWRITEV : DIYA_F_PREADV);
    uint64_t bytes = posix_vector_bytes(vector, count, done);
    if (is_second && a[3] == -1) /* the implicit position */
        posix_implicit(call, function, fd, NULL, bytes, returned, is_write);
    else
        posix_explicit(call, function, fd, NULL, bytes, a[3], returned);
}

static void seeked(struct diya_call *call, const long a[6], long returned)
{
    struct diya_event event = DIYA_EVENT(DIYA_F_LSEEK);
    event.file = diya_descriptor_of((int)a[0]).file;
    diya_descriptor_moved((int)a[0], returned);
    event.offset = returned >= 0 ? returned : -1;
    event.done = posix_outcome(call, returned);
    event.has_aux = true;
    event.aux = (unsigned)a[2];
    diya_end(call, &event);
}

static void duplicated(struct diya_call *call, enum diya_function function, const long a[6], long returned)
{
    if (returned >= 0)
        diya_descriptor_duplicated((int)a[0], (int)returned);
    posix_on_fd(call, function, (int)a[0], posix_outcome(call, returned));
}

/* The first word of struct open_how. */
static int flags_of_openat2(const long a[6], int64_t done)
{
    return done == -EFAULT || done == -EINVAL || done == -E2BIG ? 0 : (int)*(const uint64_t *)a[2];
}

/* `file`: what was noted before the call. */
static void recorded(struct diya_call *call, long number, const long a[6], uint32_t file, long returned)
{
    int64_t outcome = posix_outcome(call, returned);
    switch (number) {
#if defined(SYS_open)
    case SYS_open:
        posix_opened(call, DIYA_F_OPEN, AT_FDCWD, (const char *)a[0], (int)a[1], (int)returned);
        return;
    case SYS_creat:
        posix_opened(call, DIYA_F_CREAT, AT_FDCWD, (const char *)a[0], O_CREAT | O_WRONLY | O_TRUNC, (int)returned);
        return;
    case SYS_dup2:
        duplicated(call, DIYA_F_DUP2, a, returned);
        return;
    case SYS_unlink:
        posix_on_path(call, DIYA_F_UNLINK, AT_FDCWD, (const char *)a[0], DIYA_NAME_FILE, outcome);
        return;
#endif
    case SYS_openat:
        posix_opened(call, DIYA_F_OPENAT, (int)a[0], (const char *)a[1], (int)a[2], (int)returned);
        return;
    case SYS_openat2:
        posix_opened(call, DIYA_F_OPENAT, (int)a[0], (const char *)a[1], flags_of_openat2(a, outcome), (int)returned);
        return;
    case SYS_close: {
        struct diya_event event = DIYA_EVENT(DIYA_F_CLOSE);
        event.file = file;
        event.done = outcome;
        diya_end(call, &event);
        return;
    }
    case SYS_close_range: {
        struct diya_event event = DIYA_EVENT(DIYA_F_CLOSE_RANGE);
        if (returned == 0 && ((unsigned)a[2] & 4u /* CLOSE_RANGE_CLOEXEC */) == 0)
            diya_descriptors_closed((unsigned)a[0], (unsigned)a[1]);
        event.done = outcome;
        diya_end(call, &event);
        return;
    }
    case SYS_dup:
        duplicated(call, DIYA_F_DUP, a, returned);
        return;
    case SYS_dup3:
        duplicated(call, DIYA_F_DUP3, a, returned);
        return;
    case SYS_lseek:
        seeked(call, a, returned);
        return;
    case SYS_fsync:
        posix_on_fd(call, DIYA_F_FSYNC, (int)a[0], outcome);
        return;
    case SYS_fdatasync:
        posix_on_fd(call, DIYA_F_FDATASYNC, (int)a[0], outcome);
        return;
    case SYS_ftruncate:
        posix_on_fd(call, DIYA_F_FTRUNCATE, (int)a[0], outcome);
        return;
    case SYS_fallocate:
        posix_on_fd_aux(call, DIYA_F_FALLOCATE, (int)a[0], outcome, (unsigned)a[1]);
        return;
    case SYS_unlinkat:
        posix_on_path_aux(call, DIYA_F_UNLINKAT, (int)a[0], (const char *)a[1], DIYA_NAME_FILE, outcome,
                          (unsigned)a[2]);
        return;
    case SYS_copy_file_range:
        posix_pair(call, DIYA_F_COPY_FILE_RANGE_READ, DIYA_F_COPY_FILE_RANGE_WRITE, (int)a[0], (const off64_t *)a[1],
                   (int)a[2], (const off64_t *)a[3], (size_t)a[4], returned);
        return;
    case SYS_sendfile:
        posix_pair(call, DIYA_F_SENDFILE_READ, DIYA_F_SENDFILE_WRITE, (int)a[1], (const off64_t *)a[2], (int)a[0], NULL,
                   (size_t)a[3], returned);
        return;
    case SYS_getdents64:
        posix_on_fd(call, DIYA_F_GETDENTS, (int)a[0], outcome);
        return;
    case SYS_io_submit:
        libaio_submitted(call, (uint64_t)a[0], a[1], (struct iocb *const *)a[2], file, diya_done(call, returned));
        return;
    case SYS_io_getevents:
    case SYS_io_pgetevents:
        libaio_waited(call, (uint64_t)a[0], (const struct io_event *)a[3], diya_done(call, returned));
        return;
    case SYS_io_cancel:
        libaio_cancelled(call, (const struct iocb *)a[1], outcome);
        return;
    case SYS_io_destroy:
        libaio_destroyed((uint64_t)a[0]);
        diya_cancel(call);
        return;
    case SYS_io_uring_setup:
        uring_made(call, (const void *)a[1], diya_done(call, returned));
        return;
    case SYS_io_uring_enter:
        uring_entered(call, (int)a[0], (unsigned)a[1], (unsigned)a[3], file, diya_done(call, returned));
        return;
    case SYS_io_uring_register:
        uring_registered((int)a[0], (unsigned)a[1], (const void *)a[2], (unsigned)a[3], diya_done(call, returned));
        diya_cancel(call);
        return;
    default:
        transferred(call, number, a, returned);
    }
}

/* What must be known or noted before the kernel does it. */
static uint32_t before(long number, const long a[6])
{
    uint32_t file = 0;
    if (number == SYS_io_submit) {
        file = libaio_submitting((uint64_t)a[0], a[1], (struct iocb *const *)a[2]);
    } else if (number == SYS_io_uring_enter) {
        file = uring_entering((int)a[0]);
    } else if (number == SYS_close) {
        file = diya_descriptor_known((int)a[0]);
        diya_descriptor_closed((int)a[0]);
    }
    return file;
}

typedef long syscall_function(long number, ...);

static long by_number(long number, long a, long b, long c, long d, long e, long f)
{
    const long arguments[6] = {a, b, c, d, e, f};
    syscall_function *real = (syscall_function *)(uintptr_t)DIYA_REAL(syscall);
    struct diya_call call;
    if (!diya_begin(&call))
        return real(number, a, b, c, d, e, f);
    uint32_t file = before(number, arguments);
    call.start = diya_ticks();
    long returned = real(number, a, b, c, d, e, f);
    diya_returned(&call);
    recorded(&call, number, arguments, file, returned);
    return returned;
}

/* Who goes on with the call: the caller's registers are as they were. */
DIYA_HIDDEN void *diya_before_syscall(long number);
void *diya_before_syscall(long number)
{
    if (number == SYS_prctl || number == SYS_seccomp || is_leaving(number))
        return (void *)diya_restricting;
    if (number == SYS_wait4 || number == SYS_waitid)
        return (void *)diya_waiting;
    return is_recorded(number) ? (void *)by_number : (void *)DIYA_REAL(syscall);
}

#if defined(__x86_64__)
__asm__(".text\n.globl syscall\n.type syscall,@function\nsyscall:\n"
        "    endbr64\n"
        "    pushq %rdi\n    pushq %rsi\n    pushq %rdx\n    pushq %rcx\n    pushq %r8\n    pushq %r9\n"
        "    subq $8, %rsp\n    call diya_before_syscall\n    addq $8, %rsp\n"
        "    popq %r9\n    popq %r8\n    popq %rcx\n    popq %rdx\n    popq %rsi\n    popq %rdi\n"
        "    jmp *%rax\n"
        ".size syscall,.-syscall\n");
#elif defined(__aarch64__)
__asm__(".text\n.globl syscall\n.type syscall,%function\nsyscall:\n"
        "    hint #34\n"
        "    stp x29, x30, [sp, #-80]!\n    stp x0, x1, [sp, #16]\n    stp x2, x3, [sp, #32]\n"
        "    stp x4, x5, [sp, #48]\n    str x6, [sp, #64]\n"
        "    bl diya_before_syscall\n    mov x16, x0\n"
        "    ldp x0, x1, [sp, #16]\n    ldp x2, x3, [sp, #32]\n    ldp x4, x5, [sp, #48]\n"
        "    ldr x6, [sp, #64]\n    ldp x29, x30, [sp], #80\n"
        "    br x16\n"
        ".size syscall,.-syscall\n");
#endif
