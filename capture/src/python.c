/* Reads the frames of CPython.
 *
 * Python gives up its interpreter lock around system calls, so a hook may not
 * use the interface that counts references or makes frame objects, and must
 * not wait for the lock. But the frames of a thread that is inside such a call
 * are the thread's own and do not change: they are read as they lie in
 * memory, where the version of the interpreter keeps them (python_layout.c). A
 * version that is not known, or frames that are not where they should be, give
 * native frames only, and the header of the segment says so.
 */
#include "python.h"
#include "files.h"
#include "python_layout.h"
#include "record.h"
#include "state.h"
#include "system.h"

#include <dlfcn.h>
#include <string.h>

static struct diya_python_layout layout;
static void *(*thread_state)(void);
static int (*line_of)(void *code, int address);
static const uint8_t *code_type, *text_type;
static uint32_t is_checked; /* the frames are where they should be */

uint32_t diya_python_state;

static void say(enum diya_python_frames_state state)
{
    __atomic_store_n(&diya_python_state, state, __ATOMIC_RELAXED);
    struct diya_process *process = diya_process;
    if (process != NULL && process->generation != 0 && process->header != NULL)
        process->header->identity.python_frames = state;
}

void diya_python_find(void)
{
    const char *(*version)(void) = (const char *(*)(void))dlsym(RTLD_DEFAULT, "Py_GetVersion");
    if (version == NULL) {
        (void)dlerror(); /* the program must not see the error of a search of the recorder */
        return;
    }
    line_of = (int (*)(void *, int))dlsym(RTLD_DEFAULT, "PyCode_Addr2Line");
    code_type = dlsym(RTLD_DEFAULT, "PyCode_Type");
    text_type = dlsym(RTLD_DEFAULT, "PyUnicode_Type");
    bool is_known = line_of != NULL && code_type != NULL && text_type != NULL &&
                    diya_python_layout(&layout, version(), dlsym(RTLD_DEFAULT, "_PyRuntime"));
    if (is_known)
        thread_state = (void *(*)(void))dlsym(RTLD_DEFAULT, "PyGILState_GetThisThreadState");
    say(thread_state != NULL ? DIYA_PYTHON_KNOWN : DIYA_PYTHON_UNKNOWN);
}

static const uint8_t *pointer_at(const uint8_t *object, size_t offset)
{
    const uint8_t *pointer;
    memcpy(&pointer, object + offset, sizeof pointer);
    return pointer;
}

static int int_at(const uint8_t *object, size_t offset)
{
    int number;
    memcpy(&number, object + offset, sizeof number);
    return number;
}

/* Whether eight bytes can be read: the kernel copies the set of signals before
 * it finds that `how` makes no sense, and changes nothing. */
static bool is_readable(const uint8_t *object, size_t offset)
{
    return object != NULL && diya_syscall(SYS_rt_sigprocmask, -1, (long)(object + offset), 0, 8, 0, 0) == -EINVAL;
}

static const uint8_t *innermost_frame(const uint8_t *thread)
{
    const uint8_t *frame = pointer_at(thread, layout.thread_frame);
    return layout.through < 0 || frame == NULL ? frame : pointer_at(frame, (size_t)layout.through);
}

/* NULL for a frame of the interpreter itself: those hold no code object, or are marked. */
static const uint8_t *code_of(const uint8_t *frame)
{
    enum { OWNED_BY_INTERPRETER = 3 };
    const uint8_t *code = (const uint8_t *)((uintptr_t)pointer_at(frame, layout.frame_code) & ~(uintptr_t)7);
    if (code == NULL || pointer_at(code, layout.object_type) != code_type)
        return NULL;
    return layout.frame_owner != 0 && frame[layout.frame_owner] >= OWNED_BY_INTERPRETER ? NULL : code;
}

static bool is_text(const uint8_t *code, size_t offset)
{
    if (!is_readable(code, offset))
        return false;
    const uint8_t *text = pointer_at(code, offset);
    return is_readable(text, layout.object_type) && pointer_at(text, layout.object_type) == text_type;
}

/* The first walk asks before each step whether there is memory. It finds code
 * with a name in a file, or this is not the layout that the version promises. */
static bool check(const uint8_t *thread)
{
    const uint8_t *frame = NULL;
    if (is_readable(thread, layout.thread_frame))
        frame = pointer_at(thread, layout.thread_frame);
    if (frame == NULL)
        return false; /* no Python code runs in this thread: nothing to check yet */
    if (layout.through >= 0) {
        frame = is_readable(frame, (size_t)layout.through) ? pointer_at(frame, (size_t)layout.through) : frame;
        if (frame == NULL)
            return false;
    }
    for (int depth = 0; depth < 4 && is_readable(frame, layout.frame_code); depth++) {
        const uint8_t *code = (const uint8_t *)((uintptr_t)pointer_at(frame, layout.frame_code) & ~(uintptr_t)7);
        if (!is_readable(code, layout.object_type))
            break;
        if (pointer_at(code, layout.object_type) == code_type) {
            is_checked = is_text(code, layout.code_file) && is_text(code, layout.code_name) &&
                         is_readable(frame, layout.frame_instruction) && is_readable(frame, layout.frame_previous);
            break;
        }
        frame = is_readable(frame, layout.frame_previous) ? pointer_at(frame, layout.frame_previous) : NULL;
        if (frame == NULL)
            return false; /* the interpreter's own frames only */
    }
    say(is_checked ? DIYA_PYTHON_READ : DIYA_PYTHON_MISMATCH);
    if (!is_checked)
        thread_state = NULL;
    return is_checked;
}

/* How far into the code, in bytes. */
static uint64_t address_in(const uint8_t *frame, const uint8_t *code)
{
    if (layout.instruction != DIYA_PYTHON_POINTER) {
        int last = int_at(frame, layout.frame_instruction);
        return (uint64_t)(int64_t)(layout.instruction == DIYA_PYTHON_UNITS ? 2 * last : last);
    }
    const uint8_t *start = code + layout.code_instructions;
    if (layout.frame_copy != 0) { /* threads run copies of their own: a length, then pointers */
        const uint8_t *copies = pointer_at(code, layout.code_copies);
        int copy = int_at(frame, layout.frame_copy);
        if (copies != NULL && copy >= 0 && (uintptr_t)copy < (uintptr_t)pointer_at(copies, 0))
            start = pointer_at(copies, 8 + 8 * (size_t)copy);
    }
    return (uint64_t)(pointer_at(frame, layout.frame_instruction) - start);
}

uint32_t diya_python_frames(struct diya_python_frame *frames, uint32_t room)
{
    void *(*state)(void) = thread_state;
    if (state == NULL)
        return 0;
    const uint8_t *thread = state();
    if (thread == NULL || (!is_checked && !check(thread)))
        return 0;
    uint32_t count = 0;
    for (const uint8_t *frame = innermost_frame(thread); frame != NULL && count < room;
         frame = pointer_at(frame, layout.frame_previous)) {
        const uint8_t *code = code_of(frame);
        if (code == NULL)
            continue;
        frames[count].code = code;
        frames[count].address = address_in(frame, code);
        count++;
    }
    return count;
}

/* Characters beyond ASCII become '?': names serve to be found again. */
static size_t put_text(char *to, size_t room, const uint8_t *text)
{
    size_t length = (size_t)(uintptr_t)pointer_at(text, layout.text_length);
    unsigned state = (unsigned)int_at(text, layout.text_state) >> layout.kind_shift;
    size_t width = state & 7;
    bool is_compact = state >> 3 & 1, is_ascii = state >> 4 & 1;
    if (!is_compact || (width != 1 && width != 2 && width != 4))
        length = 0;
    const uint8_t *characters = text + (is_ascii ? layout.text_ascii : layout.text_other);
    if (length > room - 1)
        length = room - 1;
    for (size_t i = 0; i < length; i++) {
        uint32_t character = 0;
        memcpy(&character, characters + i * width, width); /* little endian */
        to[i] = character < 128 ? (char)character : '?';
    }
    to[length] = '\0';
    return length + 1;
}

/* Number of a frame: the same file, function and line have the same one. */
static uint32_t frame_number(struct diya_thread *thread, const char *text, size_t length, uint32_t line)
{
    struct diya_process *process = diya_process;
    uint64_t key = diya_hash(text, length, line) | 1;
    for (uint32_t i = 0; i < 128; i++) {
        uint64_t *place = &process->stack_table[2 * ((key + i) & process->stack_mask)];
        uint64_t present = __atomic_load_n(&place[0], __ATOMIC_ACQUIRE);
        if (present == key)
            return (uint32_t)__atomic_load_n(&place[1], __ATOMIC_ACQUIRE);
        if (present != 0 ||
            !__atomic_compare_exchange_n(&place[0], &present, key, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
            continue;
        uint32_t frame = __atomic_add_fetch(&process->frames, 1, __ATOMIC_RELAXED);
        uint8_t head[12];
        size_t used = diya_put_varint(head, frame);
        used += diya_put_varint(head + used, line);
        diya_record_other(thread, DIYA_FRAME, head, used, text, length);
        __atomic_store_n(&place[1], frame, __ATOMIC_RELEASE);
        return frame;
    }
    return 0;
}

uint32_t diya_python_write(struct diya_thread *thread, const struct diya_python_frame *frames, uint32_t count,
                           uint32_t *numbers)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *code = frames[i].code;
        char *text = thread->scratch;
        size_t length = put_text(text, 4096, pointer_at(code, layout.code_file));
        length += put_text(text + length, 1024, pointer_at(code, layout.code_name));
        int line = line_of((void *)(uintptr_t)code, (int)frames[i].address);
        numbers[i] = frame_number(thread, text, length, line < 0 ? 0 : (uint32_t)line);
    }
    return count;
}
