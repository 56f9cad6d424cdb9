/* Reads the frames of CPython.
 *
 * Python gives up its interpreter lock around system calls, so a hook may not
 * use the interface that counts references or makes frame objects, and must
 * not wait for the lock. But the frames of a thread that is inside such a call
 * are the thread's own and nobody changes them: they are read as they lie in
 * memory. The layout belongs to one minor version; for others there are native
 * frames only.
 *
 * Offsets: CPython 3.11, Include/cpython/{pystate,code,unicodeobject}.h and
 * Include/internal/pycore_frame.h.
 */
#include "python.h"

#include <dlfcn.h>
#include <string.h>

enum {
    THREAD_CFRAME = 56,      /* PyThreadState.cframe */
    CFRAME_CURRENT = 8,      /* _PyCFrame.current_frame */
    FRAME_CODE = 32,         /* _PyInterpreterFrame.f_code */
    FRAME_PREVIOUS = 48,     /* .previous */
    FRAME_INSTRUCTION = 56,  /* .prev_instr */
    CODE_FILE = 112,         /* PyCodeObject.co_filename */
    CODE_QUALIFIED_NAME = 128, /* .co_qualname */
    CODE_INSTRUCTIONS = 184, /* .co_code_adaptive */
    TEXT_LENGTH = 16,        /* PyASCIIObject.length */
    TEXT_STATE = 32,         /* .state: interned 2 bits, kind 3, compact 1, ascii 1 */
    TEXT_ASCII = 48,         /* characters of a compact ASCII string */
    TEXT_OTHER = 72,         /* of another compact string */
};

static void *(*thread_state)(void);
static int (*line_of)(void *code, int address);

void diya_python_find(void)
{
    const char *(*version)(void) = (const char *(*)(void))dlsym(RTLD_DEFAULT, "Py_GetVersion");
    if (version == NULL || strncmp(version(), "3.11.", 5) != 0)
        return;
    line_of = (int (*)(void *, int))dlsym(RTLD_DEFAULT, "PyCode_Addr2Line");
    if (line_of != NULL)
        thread_state = (void *(*)(void))dlsym(RTLD_DEFAULT, "PyGILState_GetThisThreadState");
}

static const uint8_t *pointer_at(const uint8_t *object, size_t offset)
{
    const uint8_t *pointer;
    memcpy(&pointer, object + offset, sizeof pointer);
    return pointer;
}

uint32_t diya_python_frames(struct diya_python_frame *frames, uint32_t room)
{
    if (thread_state == NULL)
        return 0;
    const uint8_t *thread = thread_state();
    const uint8_t *cframe = thread == NULL ? NULL : pointer_at(thread, THREAD_CFRAME);
    const uint8_t *frame = cframe == NULL ? NULL : pointer_at(cframe, CFRAME_CURRENT);
    uint32_t count = 0;
    for (; frame != NULL && count < room; frame = pointer_at(frame, FRAME_PREVIOUS)) {
        frames[count].code = pointer_at(frame, FRAME_CODE);
        frames[count].instruction = pointer_at(frame, FRAME_INSTRUCTION);
        if (frames[count].code == NULL)
            break;
        count++;
    }
    return count;
}

/* Characters beyond ASCII become '?': names serve to be found again. */
static size_t put_text(char *to, size_t room, const uint8_t *text)
{
    size_t length = (size_t)(uintptr_t)pointer_at(text, TEXT_LENGTH);
    uint32_t state;
    memcpy(&state, text + TEXT_STATE, sizeof state);
    size_t width = state >> 2 & 7;
    bool is_compact = state >> 5 & 1, is_ascii = state >> 6 & 1;
    if (!is_compact || (width != 1 && width != 2 && width != 4))
        length = 0;
    const uint8_t *characters = text + (is_ascii ? TEXT_ASCII : TEXT_OTHER);
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
        size_t length = put_text(text, 4096, pointer_at(code, CODE_FILE));
        length += put_text(text + length, 1024, pointer_at(code, CODE_QUALIFIED_NAME));
        int line = line_of((void *)(uintptr_t)code, (int)(frames[i].instruction - (code + CODE_INSTRUCTIONS)));
        numbers[i] = frame_number(thread, text, length, line < 0 ? 0 : (uint32_t)line);
    }
    return count;
}
