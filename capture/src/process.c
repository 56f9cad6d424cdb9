/* One process: from its first call to its end.
 *
 * Nothing is written before the first recorded call. Generation 0 means that the
 * recorder has not started in this process. The state is in memory that the kernel
 * zeroes in a forked child (MADV_WIPEONFORK). So a child finds generation 0 at its
 * first call, also after a raw clone, and starts its own segment.
 */
#include "process.h"
#include "header.h"
#include "segment.h"
#include "settings.h"
#include "state.h"
#include "system.h"
#include "thread.h"
#include "unattached.h"

#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Frames that are farther apart belong to different stacks (coroutine, signal handler). */
#define FARTHEST_FRAME (8u << 20)

static pthread_key_t thread_end;
static bool has_key;
static uint32_t tables_state; /* 0 none, 1 being made, 2 made, 3 off for good */
enum { TABLES_NONE, TABLES_CHANGING, TABLES_MADE, TABLES_OFF };

/* --- the tables, in one piece of memory ------------------------------------- */

/* If the limit of the address space (ulimit -v) is below this, the recorder uses small tables
 * (3 MB instead of 47 MB) and small windows. */
#define SCARCE_BYTES ((uint64_t)64 << 30)
#define SMALL_WINDOW_BYTES (256u * 1024u)
#define WINDOW_BYTES (1024u * 1024u)

/* Number of entries of all file tables together. Each table is four times as large as the one
 * before (files.c); the last one has `files` entries. */
static size_t file_places(size_t files)
{
    return (4 * files - DIYA_FIRST_FILES) / 3;
}

/* Pages are touched only as the program uses files. */
static struct diya_process *map_tables(unsigned shift)
{
    size_t files = (size_t)1 << (20 - shift), handles = (size_t)1 << (17 - shift), stacks = (size_t)1 << (16 - shift);
    size_t fds = (size_t)1 << (20 - shift), descriptions = (size_t)1 << (18 - shift);
    size_t bytes =
        DIYA_PAGE * 2 + file_places(files) * sizeof(struct diya_file_entry) + files * sizeof(struct diya_file_facts) +
        handles * sizeof(struct diya_handle_entry) + stacks * sizeof(uint64_t) * 2 + fds * sizeof(uint64_t) +
        descriptions * sizeof(struct diya_description) + DIYA_MODULES * sizeof(struct diya_module) + DIYA_PAGE;
    uint8_t *at = sys_memory(bytes);
    if (at == NULL)
        return NULL;
    _Static_assert(sizeof(struct diya_process) <= DIYA_PAGE * 2, "the process state fits before the tables");
    sys_advise(at, bytes, MADV_WIPEONFORK);
    return (struct diya_process *)at;
}

/* Gap between the tables, whose sizes are multiples of a page. Without it, their first entries,
 * which are used most often, would map to the same lines of the L1 cache. */
#define APART_BYTES (4u * 64u)

/* Sets the pointers to the tables. A forked child does this again: its memory is zeroed. */
static void place_tables(struct diya_process *process, unsigned shift)
{
    uint8_t *at = (uint8_t *)process + DIYA_PAGE * 2;
    size_t files = (size_t)1 << (20 - shift), handles = (size_t)1 << (17 - shift);
    process->file_mask = (uint32_t)files - 1;
    process->handle_mask = (uint32_t)handles - 1;
    process->stack_mask = (1u << (16 - shift)) - 1;
    process->fd_limit = 1u << (20 - shift);
    process->description_limit = 1u << (18 - shift);
    process->file_table = (struct diya_file_entry *)at;
    at += file_places(files) * sizeof(struct diya_file_entry);
    at += APART_BYTES;
    process->file_facts = (struct diya_file_facts *)at;
    at += files * sizeof(struct diya_file_facts);
    process->handles = (struct diya_handle_entry *)at;
    at += handles * sizeof(struct diya_handle_entry);
    process->stack_table = (uint64_t *)at;
    at += ((size_t)process->stack_mask + 1) * sizeof(uint64_t) * 2;
    at += APART_BYTES;
    process->fds = (uint64_t *)at;
    at += (size_t)process->fd_limit * sizeof(uint64_t);
    at += APART_BYTES;
    process->descriptions = (struct diya_description *)at;
    at += (size_t)process->description_limit * sizeof(struct diya_description);
    process->module_table = (struct diya_module *)at;
    process->used_descriptions = 1; /* 0 means none */
}

static unsigned table_shift;

/* Kernels before 4.14 do not empty the memory of a child. */
static void forked_child(void)
{
    if (diya_process != NULL && diya_process->pid != sys_pid())
        memset(diya_process, 0, DIYA_PAGE * 2);
}

/* The C library keeps the values of the first 32 keys in the memory of the thread. For further
 * keys it allocates memory, which a hook must not do. Without a key, the window of an ended
 * thread is not closed. */
#define KEYS_WITHOUT_ALLOCATION 32

static void thread_ended(void *state);

static void make_key(void)
{
    has_key = pthread_key_create(&thread_end, thread_ended) == 0;
    if (has_key && thread_end >= KEYS_WITHOUT_ALLOCATION) {
        pthread_key_delete(thread_end);
        has_key = false;
    }
}

static bool make_tables(void)
{
    uint32_t none = TABLES_NONE;
    if (!__atomic_compare_exchange_n(&tables_state, &none, TABLES_CHANGING, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return none == TABLES_MADE;
    struct diya_process *process = NULL;
    if (diya_settings_read()) {
        bool is_scarce = sys_memory_limit() < SCARCE_BYTES;
        diya_settings.window_bytes = is_scarce ? SMALL_WINDOW_BYTES : WINDOW_BYTES;
        for (table_shift = is_scarce ? 4 : 0; table_shift <= 6; table_shift += 2)
            if ((process = map_tables(table_shift)) != NULL)
                break;
    }
    if (process == NULL) {
        __atomic_store_n(&tables_state, TABLES_OFF, __ATOMIC_RELEASE);
        return false;
    }
    diya_clock_choose_once();
    make_key();
    pthread_atfork(NULL, NULL, forked_child);
    diya_process = process;
    __atomic_store_n(&diya_generation, &process->generation, __ATOMIC_RELAXED);
    __atomic_store_n(&tables_state, TABLES_MADE, __ATOMIC_RELEASE);
    return true;
}

/* Registers the fork handler and the key early: both allocate memory, which is not allowed if the
 * first recorded call is made in a signal handler. A constructor that ran earlier may already
 * have done this. */
__attribute__((constructor)) static void prepare(void)
{
    if (getenv("DIYA_DIR") != NULL)
        make_tables();
}

/* --- start of a process and of a thread -------------------------------------- */

/* Returns false if another thread is starting the process, or if no descriptor is free: the next
 * call tries again. */
static bool start_process(struct diya_process *process)
{
    uint32_t none = 0;
    if (!__atomic_compare_exchange_n(&process->starting, &none, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return false;
    uint64_t attempts = ++process->retry_calls;
    if ((attempts & (attempts - 1)) != 0) { /* at the first, second, fourth ... call */
        process->starting = 0;
        return false;
    }
    place_tables(process, table_shift);
    process->pid = sys_pid();
    diya_segment_name(process->segment_path, sizeof process->segment_path, process->pid);
    int failed = diya_segment_create(process);
    if (failed == 0) {
        diya_header_write(process->header, process->pid);
        diya_count_pending(process->header);
        diya_children_inherit(process->header);
        __atomic_store_n(&process->generation, diya_ticks() << 1 | 1u << 20, __ATOMIC_RELEASE);
        return true;
    }
    bool is_temporary = failed == -EMFILE || failed == -ENFILE || failed == -ENOMEM || failed == -ENOSPC;
    if (!is_temporary) {
        diya_unattached(process->pid);
        __atomic_store_n(&tables_state, TABLES_OFF, __ATOMIC_RELEASE);
    }
    __atomic_store_n(&process->starting, 0, __ATOMIC_RELEASE);
    return false;
}

static bool start_thread(void)
{
    struct diya_tls *tls = &diya_tls;
    if (tls->thread == NULL) {
        tls->thread = sys_memory(sizeof *tls->thread);
        if (tls->thread == NULL)
            return false;
        if (has_key)
            pthread_setspecific(thread_end, tls->thread);
    } else { /* in a forked child: the windows are the parent's */
        struct diya_window *records = &tls->thread->records;
        if (records->header != NULL)
            sys_unmap(records->header, (size_t)(records->end - (uint8_t *)records->header));
    }
    diya_thread_reset(tls->thread);
    uint32_t tid = sys_tid(), first = 0;
    if (!__atomic_compare_exchange_n(&diya_process->first_tid, &first, tid, false, __ATOMIC_RELAXED,
                                     __ATOMIC_RELAXED) &&
        first != tid)
        __atomic_store_n(&diya_process->is_threaded, 1, __ATOMIC_RELAXED);
    tls->thread->tid = tid;
    return true;
}

/* Which of parent and child this is, after a vfork. */
static bool after_vfork(void)
{
    struct diya_tls *tls = &diya_tls;
    tls->is_vfork_child = sys_pid() != diya_process->pid;
    if (!tls->is_vfork_child)
        tls->generation = diya_generation_now();
    return true;
}

static bool has_started(const struct diya_process *process)
{
    return __atomic_load_n(&process->generation, __ATOMIC_ACQUIRE) != 0;
}

/* Turns of waiting for a thread that does the set-up (0.1 ms, once per process). Where the machine
 * is so busy that it does not run, the later turns sleep: 1 s at most, and only once. */
#define TURNS_OF_YIELD 1000
#define LONGEST_WAIT_TURNS 11000
static uint32_t has_waited_in_vain;

static bool let_others_run(int turn)
{
    if (turn < TURNS_OF_YIELD) {
        diya_syscall(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
        return true;
    }
    if (turn == LONGEST_WAIT_TURNS || __atomic_load_n(&has_waited_in_vain, __ATOMIC_RELAXED) != 0) {
        __atomic_store_n(&has_waited_in_vain, 1, __ATOMIC_RELAXED);
        return false;
    }
    const struct timespec tenth_of_a_millisecond = {.tv_nsec = 100000};
    diya_syscall(SYS_nanosleep, (long)&tenth_of_a_millisecond, 0, 0, 0, 0, 0);
    return true;
}

static bool is_being_made(void)
{
    uint32_t state = __atomic_load_n(&tables_state, __ATOMIC_ACQUIRE);
    return state == TABLES_CHANGING ||
           (state == TABLES_MADE && __atomic_load_n(&diya_process->starting, __ATOMIC_ACQUIRE) != 0);
}

/* True if a signal handler interrupted the recorder and left with siglongjmp, so that the record
 * stays incomplete. While a handler runs, its frames are below the interrupted ones. A frame
 * above them means that the handler has left. With a separate signal stack this does not hold. */
static bool is_abandoned(uintptr_t frame)
{
    stack_t own;
    uintptr_t busy = diya_tls.busy_frame;
    if ((diya_process != NULL && diya_process->is_restricted) ||
        diya_syscall(SYS_sigaltstack, 0, (long)&own, 0, 0, 0, 0) != 0 || (own.ss_flags & SS_ONSTACK) != 0)
        return false;
    bool was_on_own = (own.ss_flags & SS_DISABLE) == 0 && busy - (uintptr_t)own.ss_sp < own.ss_size;
    return was_on_own || (frame >= busy && frame - busy < FARTHEST_FRAME);
}

/* The thread starts again in a new window. The old window ends with its last complete record; it
 * stays mapped, in case the interrupted code continues after all. */
static void forget_abandoned(void)
{
    struct diya_thread *thread = diya_tls.thread;
    struct diya_process *process = diya_process;
    if (thread != NULL && process != NULL) {
        uint32_t windows = thread->windows, tid = thread->tid;
        struct diya_sampler *sampler = thread->sampler; /* its event goes on */
        uint32_t *const locks[] = {&process->module_lock, &process->heatmap_lock, &process->refresh_lock};
        for (size_t i = 0; i < sizeof locks / sizeof locks[0]; i++)
            __atomic_compare_exchange_n(locks[i], &(uint32_t){tid}, 0, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
        diya_thread_reset(thread);
        thread->windows = windows;
        thread->sampler = sampler;
    }
    diya_tls.depth = 0;
    diya_tls.generation = DIYA_GENERATION_NEW;
}

bool diya_begin_slow(uintptr_t frame)
{
    struct diya_tls *tls = &diya_tls;
    if (__atomic_load_n(&tables_state, __ATOMIC_ACQUIRE) == TABLES_OFF)
        return false;
    switch (tls->generation) {
    case DIYA_GENERATION_BUSY:
        diya_count_dropped(DIYA_DROPPED_SIGNAL, 1);
        if (!is_abandoned(frame))
            return false;
        forget_abandoned();
        break;
    case DIYA_GENERATION_LATE:
        diya_count_dropped(DIYA_DROPPED_LATE, 1);
        return false;
    case DIYA_GENERATION_ENDED:
        diya_count_dropped(DIYA_DROPPED_FORBIDDEN, 1);
        return false;
    case DIYA_GENERATION_PAUSED:
        return false;
    case DIYA_GENERATION_VFORK:
        return after_vfork();
    default:
        break;
    }
    if (diya_generation == &diya_ended_generation) {
        diya_count_dropped(DIYA_DROPPED_FORBIDDEN, 1);
        return false;
    }
    int saved_errno = errno;
    uint64_t before = diya_enter();
    bool is_ready = false;
    for (int turn = 0; !is_ready; turn++) {
        is_ready = make_tables() && (has_started(diya_process) || start_process(diya_process));
        if (!is_ready && (!is_being_made() || !let_others_run(turn)))
            break;
    }
    is_ready = is_ready && start_thread();
    diya_leave(is_ready ? diya_process->generation : before);
    if (!is_ready && __atomic_load_n(&tables_state, __ATOMIC_ACQUIRE) == TABLES_MADE)
        diya_count_dropped(DIYA_DROPPED_SPACE, 1);
    errno = saved_errno;
    return is_ready;
}

void diya_recording_ended(bool of_all_threads)
{
    diya_clock_refresh();
    if (of_all_threads)
        __atomic_store_n(&diya_generation, &diya_ended_generation, __ATOMIC_RELAXED);
    diya_tls.generation = DIYA_GENERATION_ENDED;
}

/* --- end ------------------------------------------------------------------------ */

/* Runs when a thread ends. Destructors of other keys may still do I/O, so the window is closed
 * only in the last round of destructors. */
static void thread_ended(void *state)
{
    struct diya_thread *thread = state;
    if (thread != diya_tls.thread)
        return;
    if (++thread->exit_rounds < PTHREAD_DESTRUCTOR_ITERATIONS && pthread_setspecific(thread_end, state) == 0)
        return;
    bool is_own = diya_tls.generation == diya_generation_now(); /* else a forked child: the windows are the parent's */
    diya_enter();
    if (is_own)
        diya_thread_close(thread);
    diya_tls.thread = NULL;
    sys_unmap(thread, sizeof *thread);
    diya_leave(DIYA_GENERATION_LATE);
}

/* After longjmp, some calls never end. A frame that is far away belongs to another stack (signal
 * handler, coroutine): its calls still run. */
void diya_unwound(uintptr_t frame)
{
    if (frame - diya_tls.outermost_frame > FARTHEST_FRAME)
        return;
    diya_tls.depth = 0;
    diya_tls.outermost_frame = frame;
}
