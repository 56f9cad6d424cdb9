/* Call stacks: where in the program a call was made.
 *
 * Unwinding costs a microsecond or more, so it is done once for each pair of
 * return address and stack pointer that a thread calls from; a repeated site
 * costs one look into the thread's cache. Two paths to the same function with
 * frames of equal size give the same pair: the next return addresses, which are
 * still where the unwinder found them, tell them apart.
 */
#include "stack.h"
#include "files.h"
#include "modules.h"
#include "own_symbol.h"
#include "python.h"
#include "record.h"
#include "state.h"
#include "system.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unwind.h>

#define MAX_FRAMES 32u
#define OWN_FRAMES 16u /* of the recorder, innermost, at most */

typedef _Unwind_Reason_Code (*backtrace_function)(_Unwind_Trace_Fn, void *);
typedef _Unwind_Ptr (*address_function)(struct _Unwind_Context *);
static backtrace_function unwind;
static address_function address_of;
static address_function frame_of;

/* libgcc before 12 finds the tables of a frame through dl_iterate_phdr, behind
 * the linker's lock; later ones through _dl_find_object, which takes none. With
 * an older one a forked child and a handler inside dlclose have their return
 * address only. */
static bool unwinder_locks;
static uint32_t first_pid; /* that the program was started in */

/* Before the program starts: opening a library inside a hook could wait for
 * the linker's lock. Without libgcc_s there is the return address only. */
__attribute__((constructor)) static void load_unwinder(void)
{
    const char *wanted = getenv("DIYA_STACKS");
    if (wanted == NULL || strcmp(wanted, "1") != 0 || getenv("DIYA_DIR") == NULL)
        return;
    uint64_t paused = diya_pause();
    void *library = dlopen("libgcc_s.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library != NULL) {
        address_of = (address_function)dlsym(library, "_Unwind_GetIP");
        frame_of = (address_function)dlsym(library, "_Unwind_GetCFA");
        unwind = (backtrace_function)dlsym(library, "_Unwind_Backtrace");
        struct link_map *map;
        bool is_known = dlinfo(library, RTLD_DI_LINKMAP, &map) == 0;
        unwinder_locks = !is_known || !diya_names_symbol(map, "_dl_find_object");
        first_pid = sys_pid();
    }
    diya_python_find();
    diya_resume(paused);
}

#define FARTHEST_PLACE 65536u /* a place beyond is not looked at: the stack may be a small one of a coroutine */

struct frames {
    uint32_t count, first; /* of the program */
    uint64_t address[MAX_FRAMES + OWN_FRAMES];
    uintptr_t place[MAX_FRAMES + OWN_FRAMES]; /* where the address lies, on machines whose calls push it */
};

static _Unwind_Reason_Code note_frame(struct _Unwind_Context *context, void *argument)
{
    struct frames *frames = argument;
    if (frames->count == MAX_FRAMES + OWN_FRAMES)
        return _URC_END_OF_STACK;
    uint64_t address = address_of(context);
    if (address == 0)
        return _URC_END_OF_STACK;
    frames->place[frames->count] = frame_of == NULL ? 0 : frame_of(context) - sizeof address;
    frames->address[frames->count++] = address;
    return _URC_NO_REASON;
}

/* The frames of the program begin where the hook returns to. */
static uint32_t program_frames(struct frames *frames, const void *return_address)
{
    uint64_t first = (uint64_t)(uintptr_t)return_address;
    for (uint32_t i = 0; i < frames->count; i++) {
        if (frames->address[i] != first)
            continue;
        frames->first = i;
        return frames->count - i > MAX_FRAMES ? MAX_FRAMES : frames->count - i;
    }
    frames->first = 0;
    frames->address[0] = first;
    return 1;
}

/* Keeps the return addresses that are found again where they were. */
static void note_checks(struct diya_stack_cached *cached, const struct frames *frames, uint32_t count, uintptr_t frame)
{
    cached->checks = 0;
    for (uint32_t i = frames->first + 1; i < frames->first + count && cached->checks < DIYA_STACK_CHECKS; i++) {
        uintptr_t place = frames->place[i];
        if (place <= frame || place - frame > FARTHEST_PLACE || place % sizeof(uint64_t) != 0 ||
            *(const uint64_t *)place != frames->address[i])
            return;
        cached->place[cached->checks] = (uint32_t)(place - frame);
        cached->address[cached->checks++] = frames->address[i];
    }
}

static bool is_same_path(const struct diya_stack_cached *cached, uintptr_t frame)
{
    for (uint32_t i = 0; i < cached->checks; i++)
        if (*(const uint64_t *)(frame + cached->place[i]) != cached->address[i])
            return false;
    return true;
}

static void write_stack(struct diya_thread *thread, uint32_t stack, const uint64_t *addresses, uint32_t count,
                        const struct diya_python_frame *frames, uint32_t frame_count)
{
    uint8_t head[8];
    size_t used = diya_put_varint(head, stack);
    diya_modules_refresh(thread, addresses, count);
    diya_record_other(thread, DIYA_STACK, head, used, addresses, count * sizeof *addresses);
    if (frame_count == 0)
        return;
    uint32_t numbers[DIYA_PYTHON_FRAMES];
    uint8_t list[DIYA_PYTHON_FRAMES * 5];
    size_t list_bytes = 0;
    diya_python_write(thread, frames, frame_count, numbers);
    for (uint32_t i = 0; i < frame_count; i++)
        list_bytes += diya_put_varint(list + list_bytes, numbers[i]);
    diya_record_other(thread, DIYA_STACK_FRAMES, head, used, list, list_bytes);
}

/* Number of a stack, the same for all threads. */
static uint32_t stack_number(struct diya_thread *thread, const uint64_t *addresses, uint32_t count,
                             const struct diya_python_frame *frames, uint32_t frame_count)
{
    struct diya_process *process = diya_process;
    uint64_t of_python = diya_hash(frames, frame_count * sizeof *frames, 0);
    uint64_t key = diya_hash(addresses, count * sizeof *addresses, of_python) | 1;
    for (uint32_t i = 0; i < 128; i++) {
        uint64_t *place = &process->stack_table[2 * ((key + i) & process->stack_mask)];
        uint64_t present = __atomic_load_n(&place[0], __ATOMIC_ACQUIRE);
        if (present == 0 &&
            __atomic_compare_exchange_n(&place[0], &present, key, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
            uint32_t stack = __atomic_add_fetch(&process->stacks, 1, __ATOMIC_RELAXED);
            write_stack(thread, stack, addresses, count, frames, frame_count);
            __atomic_store_n(&place[1], stack, __ATOMIC_RELEASE);
            return stack;
        }
        if (present != key)
            continue;
        uint32_t stack = 0;
        for (int wait = 0; wait < 10000 && stack == 0; wait++)
            stack = (uint32_t)__atomic_load_n(&place[1], __ATOMIC_ACQUIRE);
        return stack;
    }
    return 0;
}

static uint32_t take_stack(struct diya_thread *thread, struct diya_stack_cached *cached, const void *return_address,
                           uintptr_t frame, const struct diya_python_frame *python, uint32_t python_count)
{
    struct frames frames;
    frames.count = 0;
    bool may_wait = unwinder_locks && (diya_process->pid != first_pid || diya_is_unloading());
    if (unwind != NULL && !may_wait)
        unwind(note_frame, &frames);
    uint32_t count = program_frames(&frames, return_address);
    note_checks(cached, &frames, count, frame);
    return stack_number(thread, frames.address + frames.first, count, python, python_count);
}

uint32_t diya_stack_of(struct diya_thread *thread, const void *return_address, uintptr_t frame)
{
    /* The interpreter calls from the same place for all Python code. */
    struct diya_python_frame python[DIYA_PYTHON_FRAMES];
    uint32_t python_count = diya_python_frames(python, DIYA_PYTHON_FRAMES);
    uintptr_t key = frame;
    if (python_count > 0)
        key ^= (uintptr_t)diya_hash(python, python_count * sizeof *python, 0);
    uintptr_t mixed = (uintptr_t)return_address * 31 + key / 16;
    uint32_t set = (uint32_t)(mixed ^ mixed >> 12) % (DIYA_STACK_CACHE / DIYA_STACK_WAYS) * DIYA_STACK_WAYS;
    struct diya_stack_cached *ways = &thread->stack_cache[set], *cached;
    for (uint32_t i = 0; i < DIYA_STACK_WAYS; i++) {
        cached = &ways[i];
        if (cached->return_address == return_address && cached->frame == key && is_same_path(cached, frame))
            return cached->stack;
    }
    cached = &ways[thread->stack_turn++ % DIYA_STACK_WAYS];
    cached->stack = take_stack(thread, cached, return_address, frame, python, python_count);
    cached->return_address = return_address;
    cached->frame = key;
    return cached->stack;
}
