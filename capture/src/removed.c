/* A segment that somebody removes while its process runs: a script that empties /dev/shm.
 *
 * What it held is lost, and nothing would tell: a process without a segment is one that
 * made no call. So a new file takes its name. It has the header alone, which says that
 * records are missing and how many at least; it is mapped where the old header was, so
 * that later losses, the end and a kill are seen in it. Nothing more is recorded: the names
 * of files were in the old one.
 *
 * Looked for at the end, when a window is asked for, and now and then in between.
 */
#include "removed.h"
#include "settings.h"
#include "system.h"

#include <errno.h>
#include <sys/mman.h>

void diya_calls_passed(struct diya_thread *thread)
{
    uint32_t calls = DIYA_CALLS_PER_CLOCK_POINT - thread->until_clock;
    thread->until_clock = DIYA_CALLS_PER_CLOCK_POINT;
    uint64_t passed = __atomic_add_fetch(&diya_process->passed_calls, calls, __ATOMIC_RELAXED);
    if (diya_process->header->was_removed)
        diya_process->header->removed_calls = passed;
}

/* Whether the folder is that of the segment: a program may have gone to another root
 * folder, where there is none, or another one. */
static bool is_folder(const struct diya_process *process, const struct stat *status)
{
    return process->folder_inode != 0 && status->st_ino == process->folder_inode &&
           status->st_dev == process->folder_device;
}

void diya_segment_placed(struct diya_process *process)
{
    struct stat status;
    if (sys_lstat(diya_settings.directory, &status) == 0) {
        process->folder_device = status.st_dev;
        process->folder_inode = status.st_ino;
    }
}

static bool is_gone(const struct diya_process *process)
{
    struct stat status;
    return sys_lstat(process->segment_path, &status) == -ENOENT && sys_lstat(diya_settings.directory, &status) == 0 &&
           is_folder(process, &status);
}

/* A folder that is gone stays so: the launcher misses it. */
static void replace(struct diya_process *process)
{
    struct diya_segment_header *header = process->header;
    int fd = sys_open(process->segment_path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return;
    if (sys_pwrite(fd, header, DIYA_SEGMENT_HEADER_BYTES, 0) != (long)DIYA_SEGMENT_HEADER_BYTES)
        diya_syscall(SYS_unlinkat, AT_FDCWD, (long)process->segment_path, 0, 0, 0, 0);
    else
        diya_syscall(SYS_mmap, (long)header, DIYA_SEGMENT_HEADER_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
                     fd, 0);
    sys_close(fd);
}

void diya_segment_look(struct diya_process *process)
{
    uint32_t not_yet = 0;
    if (process->is_restricted || process->was_removed || !is_gone(process) ||
        !__atomic_compare_exchange_n(&process->was_removed, &not_yet, 1, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        return;
    process->header->was_removed = 1;
    if (diya_tls.thread != NULL)
        diya_calls_passed(diya_tls.thread);
    replace(process);
}
