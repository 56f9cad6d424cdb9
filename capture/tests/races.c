/* The recorder without its hooks, for the thread sanitizer: threads make calls on
 * files of their own and on one of all, as hooks would. Time runs fast, so that the
 * heat map is widened again and again. Prints how many calls it made. */
#include "core.h"
#include "counters.h"
#include "header.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { THREADS = 6, CALLS = 20000 };

/* The thread that sets the recorder up may not run for a while, on a busy machine. */
enum { SLOW_SET_UP_MICROSECONDS = 50000 };
void __real_diya_header_write(struct diya_segment_header *header, uint32_t pid);
void __wrap_diya_header_write(struct diya_segment_header *header, uint32_t pid);
void __wrap_diya_header_write(struct diya_segment_header *header, uint32_t pid)
{
    usleep(SLOW_SET_UP_MICROSECONDS);
    __real_diya_header_write(header, pid);
}

static uint64_t now;
static pthread_barrier_t all_done;

static void one_call(const char *path, enum diya_function function, uint64_t ticks)
{
    struct diya_call call;
    if (!diya_begin(&call))
        abort();
    call.start = __atomic_fetch_add(&now, ticks, __ATOMIC_RELAXED);
    diya_returned(&call);
    call.end = call.start + ticks;
    struct diya_event event = DIYA_EVENT(function);
    event.file = diya_file_of_path(path);
    event.offset = 0;
    event.requested = 64;
    event.done = 64;
    diya_end(&call, &event);
}

static void *widen_the_heat_map(void *number)
{
    char own[64];
    snprintf(own, sizeof own, "/own/%ld", (long)number);
    for (int i = 0; i < CALLS; i++) {
        one_call(i % 3 == 0 ? "/shared" : own, i % 2 == 0 ? DIYA_F_PWRITE : DIYA_F_PREAD, 1u << (i % 22));
        if (i % 50 == 0) { /* files that several threads meet for the first time */
            char path[64];
            snprintf(path, sizeof path, "/new/%d", i);
            one_call(path, DIYA_F_PWRITE, 1);
        }
    }
    /* No thread ends: the sanitizer would be gone before the recorder's part of it. */
    pthread_barrier_wait(&all_done);
    for (;;)
        pause();
}

int main(void)
{
    pthread_t thread;
    now = diya_ticks();
    pthread_barrier_init(&all_done, NULL, THREADS + 1);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&thread, NULL, widen_the_heat_map, (void *)i);
    pthread_barrier_wait(&all_done);
    diya_process_ended(DIYA_EXITED, 0);
    printf("%d\n", THREADS * (CALLS + CALLS / 50));
    return 0;
}
