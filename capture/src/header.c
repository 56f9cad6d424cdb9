/* Writes the header of a segment: who the process is, and how far it came. */
#include "header.h"
#include "heatmap.h"
#include "identity.h"
#include "mapping.h"
#include "message_count.h"
#include "removed.h"
#include "samples.h"
#include "settings.h"
#include "state.h"
#include "system.h"
#include "witness.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

static uint64_t nominal_hz;

void diya_clock_choose_once(void)
{
    nominal_hz = diya_clock_choose();
}

static char *put_text(char *to, char *end, const char *text)
{
    while (*text != '\0' && to + 1 < end)
        *to++ = *text++;
    *to = '\0';
    return to;
}

static char *put_number(char *to, char *end, uint64_t number)
{
    char digits[24];
    char *at = digits + sizeof digits - 1;
    *at = '\0';
    do {
        *--at = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    return put_text(to, end, at);
}

void diya_host_name(char *host, size_t room)
{
    struct utsname names;
    host[0] = '\0';
    if (diya_syscall(SYS_uname, (long)&names, 0, 0, 0, 0, 0) == 0)
        put_text(host, host + room, names.nodename);
    for (char *at = host; *at != '\0'; at++)
        if (*at == '/')
            *at = '_';
}

void diya_segment_name(char *path, size_t room, uint32_t pid)
{
    char host[256];
    diya_host_name(host, sizeof host);
    char *end = path + room;
    char *at = put_text(path, end, diya_settings.directory);
    at = put_text(at, end, "/");
    at = put_text(at, end, host[0] == '\0' ? "localhost" : host);
    at = put_text(at, end, ".");
    at = put_number(at, end, pid);
    at = put_text(at, end, ".");
    at = put_number(at, end, diya_ticks());
    put_text(at, end, ".seg");
}

/* Arguments as the kernel keeps them, 0 between them. */
static void put_arguments(struct diya_segment_header *header)
{
    int fd = sys_open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC, 0);
    if (fd < 0)
        return;
    size_t room = sizeof header->argv - 2, have = 0;
    long got;
    while (have < room && (got = sys_read(fd, header->argv + have, room - have)) > 0)
        have += (size_t)got;
    char more;
    header->argv_cut = have == room && sys_read(fd, &more, 1) == 1;
    sys_close(fd);
}

static const char *first_set(const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *value = getenv(names[i]);
        if (value != NULL && value[0] != '\0')
            return value;
    }
    return NULL;
}

void diya_header_write(struct diya_segment_header *header, uint32_t pid)
{
    static const char *const jobs[] = {"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID",
                                       "COBALT_JOBID", "JOB_ID",    "FLUX_JOB_ID"};
    header->version = DIYA_SEGMENT_VERSION;
    header->endian = DIYA_ENDIAN_MARK;
    header->header_bytes = DIYA_SEGMENT_HEADER_BYTES;
    header->state = DIYA_RUNNING;
    header->mode = diya_settings.mode;
    header->clock = diya_clock;
    header->nominal_hz = nominal_hz;
    header->first = header->last = diya_clock_point();
    header->pid = pid;
    header->ppid = (uint32_t)getppid();
    header->uid = getuid();
    header->gid = getgid();
    header->mpi_rank = header->mpi_size = -1;
    header->launcher_rank = diya_identity_write(&header->identity);
    header->has_stacks = diya_settings.has_stacks;
    header->max_trace_bytes = diya_settings.max_trace_bytes;
    header->exit_code = -1;
    diya_host_name(header->host, sizeof header->host);
    const char *job = first_set(jobs, sizeof jobs / sizeof jobs[0]);
    if (job != NULL)
        put_text(header->job_id, header->job_id + sizeof header->job_id, job);
    sys_readlink("/proc/self/exe", header->exe, sizeof header->exe - 1);
    diya_syscall(SYS_getcwd, (long)header->cwd, sizeof header->cwd - 1, 0, 0, 0, 0);
    put_arguments(header);
    diya_witness_take(&header->witness_first);
    header->witness_last = header->witness_first;
    /* Last, so that a process killed here leaves no half header. */
    __atomic_thread_fence(__ATOMIC_RELEASE);
    memcpy(header->magic, DIYA_SEGMENT_MAGIC, sizeof header->magic);
}

/* Of several threads one does it; the others need not wait. */
static bool take_refresh_lock(struct diya_process *process)
{
    uint32_t no_owner = 0;
    uint32_t own = diya_tls.thread != NULL ? diya_tls.thread->tid : process->pid;
    return __atomic_compare_exchange_n(&process->refresh_lock, &no_owner, own, false, __ATOMIC_ACQUIRE,
                                       __ATOMIC_RELAXED);
}

static void leave_refresh_lock(struct diya_process *process)
{
    __atomic_store_n(&process->refresh_lock, 0, __ATOMIC_RELEASE);
}

void diya_clock_refresh(void)
{
    struct diya_process *process = diya_process;
    if (!take_refresh_lock(process))
        return;
    process->header->last = diya_clock_point();
    diya_witness_refresh(process);
    if ((process->refreshes & (process->refreshes - 1)) == 0)
        diya_segment_look(process);
    leave_refresh_lock(process);
}

static void end_messages_and_samples(void)
{
    uint64_t generation = diya_enter();
    diya_message_counts_write(diya_tls.thread);
    diya_samples_end(diya_tls.thread);
    diya_leave(generation);
}

/* Only the process that the segment belongs to: a vfork child shares the memory. */
void diya_process_ended(enum diya_process_state state, int exit_code)
{
    struct diya_process *process = diya_process;
    /* Under seccomp strict even asking for the process number kills. */
    if (process == NULL || process->generation == 0 || diya_has_ended() || process->pid != sys_pid())
        return;
    if (diya_tls.generation == process->generation) {
        diya_heat_flush(diya_tls.thread);
        diya_mappings_end();
        end_messages_and_samples();
    }
    /* Once it has ended, others may rightly have taken the segment away. */
    if (process->header->state == DIYA_RUNNING)
        diya_segment_look(process);
    if (diya_tls.generation == process->generation)
        diya_calls_passed(diya_tls.thread);
    process->header->exit_code = exit_code;
    bool is_locked = take_refresh_lock(process);
    process->header->last = diya_clock_point();
    diya_witness_take(&process->header->witness_last);
    process->header->state = state;
    if (is_locked)
        leave_refresh_lock(process);
}

void diya_process_mpi(int rank, int size, enum diya_mpi_family family)
{
    struct diya_segment_header *header = diya_process->header;
    header->mpi_rank = rank;
    header->mpi_size = size;
    header->mpi_family = family;
    diya_clock_refresh();
}
