/* What the kernel says of this process.
 *
 * The hooks see calls of the C library. The kernel counts all of them: the
 * difference is what was not seen (raw system calls, libraries that bring their
 * own, page faults of mapped files). Files of /proc that cannot be read leave
 * their fields unknown.
 */
#include "witness.h"
#include "clock.h"
#include "state.h"
#include "system.h"

/* Own system calls, which the kernel counts with the program's. */
static uint64_t own_reads, own_read_bytes, own_writes, own_write_bytes;

void diya_own_read(long bytes)
{
    __atomic_fetch_add(&own_reads, 1, __ATOMIC_RELAXED);
    if (bytes > 0)
        __atomic_fetch_add(&own_read_bytes, (uint64_t)bytes, __ATOMIC_RELAXED);
}

void diya_own_write(long bytes)
{
    __atomic_fetch_add(&own_writes, 1, __ATOMIC_RELAXED);
    if (bytes > 0)
        __atomic_fetch_add(&own_write_bytes, (uint64_t)bytes, __ATOMIC_RELAXED);
}

/* Calls whose own work was timed, and how long it took. */
static uint64_t timed_calls, timed_ticks;

/* In one that lasts much longer, the processor went to another process meanwhile: 70 us. */
#define LONGEST_WORK (32 * diya_slow_ticks)

void diya_own_work_before(uint64_t ticks)
{
    __atomic_fetch_add(&timed_ticks, ticks < LONGEST_WORK ? ticks : LONGEST_WORK, __ATOMIC_RELAXED);
}

void diya_own_work(uint64_t ticks)
{
    __atomic_fetch_add(&timed_calls, 1, __ATOMIC_RELAXED);
    diya_own_work_before(ticks);
}

static const char *after(const char *at, const char *end, char what)
{
    while (at < end && *at != what)
        at++;
    return at < end ? at + 1 : end;
}

/* `name: number` lines, always in this order (since Linux 2.6.20). */
static bool take_io(struct diya_witness *witness)
{
    char text[512];
    int fd = sys_open("/proc/self/io", O_RDONLY | O_CLOEXEC, 0);
    if (fd < 0)
        return false;
    witness->own_reads = own_reads;
    witness->own_read_bytes = own_read_bytes;
    witness->own_writes = own_writes;
    witness->own_write_bytes = own_write_bytes;
    long bytes = sys_read(fd, text, sizeof text);
    sys_close(fd);
    if (bytes <= 0)
        return false;
    diya_own_read(bytes);
    uint64_t *const fields[] = {&witness->read_bytes,  &witness->write_bytes,       &witness->read_calls,
                                &witness->write_calls, &witness->device_read_bytes, &witness->device_write_bytes};
    const char *at = text, *end = text + bytes;
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        at = after(at, end, ' ');
        if (at == end || *at < '0' || *at > '9')
            return false;
        uint64_t number = 0;
        for (; at < end && *at >= '0' && *at <= '9'; at++)
            number = number * 10 + (uint64_t)(*at - '0');
        *fields[i] = number;
        at = after(at, end, '\n');
    }
    return true;
}

static uint64_t nanoseconds(const struct timeval *time)
{
    return (uint64_t)time->tv_sec * 1000000000u + (uint64_t)time->tv_usec * 1000u;
}

static bool take_usage(struct diya_witness *witness)
{
    struct rusage usage;
    if (diya_syscall(SYS_getrusage, RUSAGE_SELF, (long)&usage, 0, 0, 0, 0) != 0)
        return false;
    witness->user_ns = nanoseconds(&usage.ru_utime);
    witness->system_ns = nanoseconds(&usage.ru_stime);
    witness->major_faults = (uint64_t)usage.ru_majflt;
    witness->minor_faults = (uint64_t)usage.ru_minflt;
    witness->voluntary_switches = (uint64_t)usage.ru_nvcsw;
    witness->involuntary_switches = (uint64_t)usage.ru_nivcsw;
    return true;
}

/* A reading that fails leaves the one before. Nothing under a seccomp filter,
 * where opening a file could be the call that the kernel kills for. */
void diya_witness_take(struct diya_witness *witness)
{
    if (diya_process->is_restricted)
        return;
    struct diya_witness now = *witness;
    now.known |= take_io(&now) ? (uint64_t)DIYA_WITNESS_IO : 0;
    now.timed_calls = __atomic_load_n(&timed_calls, __ATOMIC_RELAXED);
    now.timed_ticks = __atomic_load_n(&timed_ticks, __ATOMIC_RELAXED);
    now.known |= take_usage(&now) ? (uint64_t)DIYA_WITNESS_USAGE : 0;
    *witness = now;
}

/* In between, for a process that is going to be killed: less and less often. */
void diya_witness_refresh(struct diya_process *process)
{
    uint32_t refreshes = ++process->refreshes;
    if ((refreshes & (refreshes - 1)) == 0)
        diya_witness_take(&process->header->witness_last);
}
