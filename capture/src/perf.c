/* Opens events of the kernel and reads their rings (perf_event_open(2)). */
#include "perf.h"
#include "system.h"

#include <string.h>
#include <sys/auxv.h>
#include <time.h>

struct diya_perf_ring *diya_perf_open(struct perf_event_attr *event, size_t most_pages)
{
    event->size = sizeof *event;
    event->type = PERF_TYPE_SOFTWARE;
    event->exclude_kernel = event->exclude_hv = 1;
    event->use_clockid = 1;
    event->clockid = CLOCK_MONOTONIC;
    event->watermark = 1; /* no thread waits for the ring */
    event->wakeup_watermark = UINT32_MAX;
    int fd = (int)diya_syscall(SYS_perf_event_open, (long)event, 0, -1, -1, PERF_FLAG_FD_CLOEXEC, 0);
    if (fd < 0)
        return NULL;
    struct diya_perf_ring *ring = NULL;
    for (size_t pages = most_pages; pages >= 1 && ring == NULL; pages /= 4)
        ring = sys_map((1 + pages) * getauxval(AT_PAGESZ), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    sys_close(fd);
    return ring;
}

void diya_perf_close(struct diya_perf_ring *ring)
{
    sys_unmap(ring, ring->page.data_offset + ring->page.data_size);
}

/* What lies in the ring, perhaps across its end. */
static void copy(const struct diya_perf_ring *ring, uint64_t from, void *to, size_t bytes)
{
    const uint8_t *data = (const uint8_t *)ring + ring->page.data_offset;
    for (size_t i = 0; i < bytes; i++)
        ((uint8_t *)to)[i] = data[(from + i) % ring->page.data_size];
}

void diya_perf_drain(struct diya_perf_ring *ring, void (*take)(void *context, const struct diya_perf_record *record),
                     void *context)
{
    uint64_t head = __atomic_load_n(&ring->page.data_head, __ATOMIC_ACQUIRE), tail = ring->page.data_tail;
    while (tail < head) {
        struct perf_event_header header;
        copy(ring, tail, &header, sizeof header);
        if (header.size < sizeof header)
            break;
        struct diya_perf_record record = {.type = header.type};
        size_t words = (header.size - sizeof header) / sizeof record.word[0];
        copy(ring, tail + sizeof header, record.word,
             (words < DIYA_PERF_WORDS ? words : DIYA_PERF_WORDS) * sizeof record.word[0]);
        take(context, &record);
        tail += header.size;
    }
    __atomic_store_n(&ring->page.data_tail, head, __ATOMIC_RELEASE);
}
