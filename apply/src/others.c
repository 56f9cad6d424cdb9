/* Looks through the descriptors of the process for a second one of a file, and remembers mapped files. */
#include "others.h"

#include "../../capture/src/system.h"

#include <dirent.h>

enum { MAPPED = 256 }; /* mapped files that are remembered */

static struct {
    dev_t device;
    ino_t inode;
} mapped[MAPPED];
static uint32_t mapped_files;

static bool shares_memory, is_of_mpi;

void apply_watch_mpi(void)
{
    __atomic_store_n(&is_of_mpi, true, __ATOMIC_RELEASE);
}

bool apply_has_mpi(void)
{
    return __atomic_load_n(&is_of_mpi, __ATOMIC_ACQUIRE);
}

bool apply_shares_memory(void)
{
    return __atomic_load_n(&shares_memory, __ATOMIC_ACQUIRE);
}

/* Descriptors that the process had before our first look, or got since. */
static bool saw_inherited, has_received;

static void see_inherited(void)
{
    if (__atomic_exchange_n(&saw_inherited, true, __ATOMIC_RELAXED) &&
        !__atomic_load_n(&has_received, __ATOMIC_RELAXED))
        return;
    int folder = sys_open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
    _Alignas(struct dirent64) char entries[2048];
    long bytes;
    while ((bytes = diya_syscall(SYS_getdents64, folder, (long)entries, sizeof entries, 0, 0, 0)) > 0)
        for (long at = 0; at < bytes; at += ((struct dirent64 *)(entries + at))->d_reclen) {
            int fd = 0;
            for (const char *digit = ((struct dirent64 *)(entries + at))->d_name; *digit >= '0' && *digit <= '9';
                 digit++)
                fd = fd * 10 + (*digit - '0');
            struct apply_descriptor *descriptor = apply_descriptor(fd);
            if (descriptor != NULL && apply_watch_of(descriptor) == APPLY_NOT_SEEN && fd != folder)
                apply_seen(fd);
        }
    if (folder >= 0)
        sys_close(folder);
}

bool apply_has_other(const struct apply_descriptor *own)
{
    see_inherited();
    for (int fd = 0; fd <= apply_highest(); fd++) {
        struct apply_descriptor *other = &apply_descriptors[fd];
        struct stat status;
        if (other == own || apply_watch_of(other) == APPLY_NOT_SEEN)
            continue;
        if (sys_fstat(fd, &status) == 0 && status.st_ino == own->inode && status.st_dev == own->device) {
            apply_drop(fd);
            return true;
        }
    }
    return false;
}

bool apply_is_mapped(const struct apply_descriptor *own)
{
    uint32_t files = __atomic_load_n(&mapped_files, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < files && i < MAPPED; i++)
        if (mapped[i].inode == own->inode && mapped[i].device == own->device)
            return true;
    return files > MAPPED;
}

void apply_watch_mapped(int fd, int protection, int flags)
{
    struct stat status = {0};
    bool is_anonymous = (flags & MAP_ANONYMOUS) != 0;
    if (!is_anonymous && (sys_fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)))
        return;
    bool is_shared = (flags & MAP_SHARED) != 0 && (protection & PROT_WRITE) != 0 && !apply_has_mpi();
    if (is_shared && !__atomic_exchange_n(&shares_memory, true, __ATOMIC_ACQ_REL))
        apply_drop_all();
    if (is_anonymous)
        return;
    apply_drop(fd);
    uint32_t place = __atomic_fetch_add(&mapped_files, 1, __ATOMIC_ACQ_REL);
    if (place < MAPPED) {
        mapped[place].device = status.st_dev;
        mapped[place].inode = status.st_ino;
    }
}

void apply_watch_received(void)
{
    __atomic_store_n(&has_received, true, __ATOMIC_RELEASE);
    apply_drop_all();
}
