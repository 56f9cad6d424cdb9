/* Major page faults of a thread: when, and at which address.
 *
 * A software event of the own process, user mode only, needs no privilege unless
 * perf_event_paranoid is above 2 or a container forbids the call. The kernel
 * writes into a ring that is mapped here; the mapping keeps the event alive, so
 * that no descriptor stays open. A full ring keeps what came first.
 */
#include "mapping.h"
#include "system.h"

#include <linux/perf_event.h>
#include <string.h>
#include <sys/auxv.h>
#include <time.h>

struct diya_fault_ring { /* the kernel's page of this ring */
    struct perf_event_mmap_page page;
};

struct sample {
    struct perf_event_header header;
    uint64_t time, address;
};

struct diya_fault_ring *diya_faults_open(void)
{
    struct perf_event_attr event;
    memset(&event, 0, sizeof event);
    event.size = sizeof event;
    event.type = PERF_TYPE_SOFTWARE;
    event.config = PERF_COUNT_SW_PAGE_FAULTS_MAJ;
    event.sample_period = 1;
    event.sample_type = PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR;
    event.exclude_kernel = event.exclude_hv = 1;
    event.use_clockid = 1;
    event.clockid = CLOCK_MONOTONIC;
    int fd = (int)diya_syscall(SYS_perf_event_open, (long)&event, 0, -1, -1, PERF_FLAG_FD_CLOEXEC, 0);
    if (fd < 0)
        return NULL;
    struct diya_fault_ring *ring = NULL;
    for (size_t pages = 64; pages >= 4 && ring == NULL; pages /= 4)
        ring = sys_map((1 + pages) * getauxval(AT_PAGESZ), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    sys_close(fd);
    return ring;
}

void diya_faults_drain(struct diya_fault_ring *ring, void (*take)(uint64_t mono_ns, uint64_t address))
{
    struct perf_event_mmap_page *page = &ring->page;
    const uint8_t *data = (const uint8_t *)ring + page->data_offset;
    uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE), tail = page->data_tail;
    while (tail < head) {
        struct sample sample; /* may lie across the end of the ring */
        for (size_t i = 0; i < sizeof sample; i++)
            ((uint8_t *)&sample)[i] = data[(tail + i) % page->data_size];
        if (sample.header.size < sizeof sample.header)
            break;
        if (sample.header.type == PERF_RECORD_SAMPLE)
            take(sample.time, sample.address);
        tail += sample.header.size;
    }
    __atomic_store_n(&page->data_tail, head, __ATOMIC_RELEASE);
}
