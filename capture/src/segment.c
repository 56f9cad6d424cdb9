/* The segment file: creation, windows, and what an ended thread leaves.
 *
 * No descriptor stays open: programs close all descriptors, or dup2 over
 * them. Space is allocated before it is mapped, since a page that the file
 * system cannot provide later would be a SIGBUS inside the application.
 */
#include "segment.h"
#include "removed.h"
#include "settings.h"
#include "state.h"
#include "system.h"
#include "witness.h"

#include <pthread.h>
#include <unistd.h>

/* Some file systems (NFS before 4.2) have no fallocate: zeros are written. */
static int write_zeros(int fd, uint64_t offset, uint64_t bytes)
{
    static const char zeros[DIYA_PAGE];
    for (uint64_t end = offset + bytes; offset < end; offset += DIYA_PAGE) {
        long written = sys_pwrite(fd, zeros, DIYA_PAGE, (int64_t)offset);
        diya_own_write(written);
        if (written != (long)DIYA_PAGE)
            return written < 0 ? (int)written : -ENOSPC;
    }
    return 0;
}

/* Maps a part of the segment that is sure to have its pages. */
static void *map_part(int fd, uint64_t offset, uint64_t bytes, int *failed)
{
    /* Beyond RLIMIT_FSIZE the kernel would send SIGXFSZ. */
    if (offset + bytes > sys_file_size_limit()) {
        *failed = -EFBIG;
        return NULL;
    }
    int allocated = sys_fallocate(fd, (int64_t)offset, (int64_t)bytes);
    if (allocated == -EOPNOTSUPP || allocated == -ENOSYS)
        allocated = write_zeros(fd, offset, bytes);
    if (allocated < 0) {
        *failed = allocated;
        return NULL;
    }
    void *mapped = sys_map(bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, (int64_t)offset);
    *failed = mapped == NULL ? -ENOMEM : 0;
    return mapped;
}

int diya_segment_create(struct diya_process *process)
{
    int fd = sys_open(process->segment_path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return fd;
    int failed = 0;
    process->header = map_part(fd, 0, DIYA_SEGMENT_HEADER_BYTES, &failed);
    process->segment_bytes = DIYA_SEGMENT_HEADER_BYTES;
    sys_close(fd);
    diya_segment_placed(process);
    if (process->header == NULL) /* an empty file would only puzzle the collector */
        diya_syscall(SYS_unlinkat, AT_FDCWD, (long)process->segment_path, 0, 0, 0, 0);
    return failed;
}

/* --- blocks of windows that ended threads left --------------------------- */

static uint8_t *take_block(uint32_t least_bytes, uint32_t *bytes)
{
    for (uint32_t i = 0; i < DIYA_FREE_BLOCKS; i++) {
        struct diya_free_block *block = &diya_process->free_blocks[i];
        uint32_t expected = DIYA_FREE_BLOCK_READY;
        if (__atomic_load_n(&block->state, __ATOMIC_RELAXED) != DIYA_FREE_BLOCK_READY || block->bytes < least_bytes ||
            !__atomic_compare_exchange_n(&block->state, &expected, DIYA_FREE_BLOCK_CHANGING, false, __ATOMIC_ACQUIRE,
                                         __ATOMIC_RELAXED))
            continue;
        uint8_t *start = block->start;
        *bytes = block->bytes;
        __atomic_store_n(&block->state, DIYA_FREE_BLOCK_EMPTY, __ATOMIC_RELEASE);
        if (*bytes >= least_bytes)
            return start;
        sys_unmap(start, *bytes); /* another thread exchanged it in between */
    }
    return NULL;
}

static bool leave_block(uint8_t *start, uint32_t bytes)
{
    for (uint32_t i = 0; i < DIYA_FREE_BLOCKS; i++) {
        struct diya_free_block *block = &diya_process->free_blocks[i];
        uint32_t expected = DIYA_FREE_BLOCK_EMPTY;
        if (!__atomic_compare_exchange_n(&block->state, &expected, DIYA_FREE_BLOCK_CHANGING, false, __ATOMIC_ACQUIRE,
                                         __ATOMIC_RELAXED))
            continue;
        block->start = start;
        block->bytes = bytes;
        __atomic_store_n(&block->state, DIYA_FREE_BLOCK_READY, __ATOMIC_RELEASE);
        return true;
    }
    return false;
}

/* --- windows --------------------------------------------------------------- */

/* The longest call record is below this: a record is written without further
 * checks once there is as much room. */
#define LONGEST_CALL_BYTES 160u
/* For a process that will not be able to open its segment: fifty thousand calls. */
#define SPARE_BYTES (256u * 1024u)

static void window_begin(struct diya_thread *thread, struct diya_window *window, enum diya_window_kind kind,
                         uint8_t *start, uint32_t bytes)
{
    struct diya_window_header *header = (struct diya_window_header *)start;
    header->bytes = bytes;
    header->kind = kind;
    header->tid = thread->tid;
    header->sequence = thread->windows++;
    header->thread = (uint64_t)pthread_self();
    header->base_ticks = diya_ticks();
    __atomic_store_n(&header->magic, DIYA_WINDOW_MAGIC, __ATOMIC_RELEASE);
    window->header = header;
    window->cursor = start + sizeof *header;
    window->end = start + bytes;
    window->limit = window->end - LONGEST_CALL_BYTES;
}

/* The next part of the segment; NULL: no room, or the file cannot be opened any more. */
static uint8_t *grow(uint32_t bytes)
{
    struct diya_process *process = diya_process;
    if (__atomic_load_n(&process->is_restricted, __ATOMIC_RELAXED) ||
        __atomic_load_n(&process->was_removed, __ATOMIC_RELAXED))
        return NULL;
    int fd = sys_open(process->segment_path, O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0);
    if (fd == -ENOENT)
        diya_segment_look(process);
    if (fd < 0)
        return NULL;
    uint64_t offset = __atomic_fetch_add(&process->segment_bytes, bytes, __ATOMIC_RELAXED);
    int failed = 0;
    uint8_t *start = map_part(fd, offset, bytes, &failed);
    sys_close(fd);
    if (start == NULL) {
        /* Given back if no other thread took the next place meanwhile. */
        uint64_t after = offset + bytes;
        __atomic_compare_exchange_n(&process->segment_bytes, &after, offset, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    }
    return start;
}

/* The cap is for records of calls. Names go a quarter and 16 MiB beyond it,
 * counters are bounded by themselves (counters.c). */
static uint64_t most_bytes(enum diya_window_kind purpose)
{
    uint64_t cap = diya_settings.max_trace_bytes;
    if (cap == 0 || (purpose != DIYA_WINDOW_RECORDS && purpose != DIYA_WINDOW_NAMES))
        return UINT64_MAX;
    return purpose == DIYA_WINDOW_NAMES ? cap + cap / 4 + (16u << 20) : cap;
}

enum diya_window_result diya_window_take(struct diya_thread *thread, struct diya_window *window,
                                         enum diya_window_kind purpose, uint32_t bytes)
{
    enum diya_window_kind kind = purpose == DIYA_WINDOW_NAMES ? DIYA_WINDOW_RECORDS : purpose;
    uint32_t block_bytes = 0;
    uint8_t *block = take_block(4 * DIYA_PAGE, &block_bytes);
    if (block != NULL) {
        window_begin(thread, window, kind, block, block_bytes);
        return DIYA_WINDOW_TAKEN;
    }
    if (__atomic_load_n(&diya_process->segment_bytes, __ATOMIC_RELAXED) + bytes > most_bytes(purpose))
        return DIYA_WINDOW_CAP;
    uint8_t *start = grow(bytes);
    if (start == NULL)
        return DIYA_WINDOW_SPACE;
    window_begin(thread, window, kind, start, bytes);
    return DIYA_WINDOW_TAKEN;
}

void diya_segment_spare(void)
{
    uint8_t *start = grow(SPARE_BYTES);
    if (start != NULL && !leave_block(start, SPARE_BYTES))
        sys_unmap(start, SPARE_BYTES);
}

void diya_window_close(struct diya_window *window, bool give_rest)
{
    struct diya_window_header *header = window->header;
    if (header == NULL)
        return;
    uint32_t used = (uint32_t)(window->cursor - (uint8_t *)header);
    uint32_t whole = (uint32_t)(window->end - (uint8_t *)header);
    /* One byte more than used stays: the 0 that ends the records. */
    uint32_t kept = (used + 1 + DIYA_PAGE - 1) / DIYA_PAGE * DIYA_PAGE;
    if (kept > whole)
        kept = whole;
    header->used = used;
    if (give_rest && whole - kept >= 4 * DIYA_PAGE) {
        header->bytes = kept;
        if (!leave_block((uint8_t *)header + kept, whole - kept))
            kept = whole;
    } else {
        kept = whole;
    }
    sys_unmap(header, kept);
    window->header = NULL;
    window->cursor = window->limit = window->end = NULL;
}
