/* Layouts of CPython 3.8 to 3.15.
 *
 * Up to 3.12 they follow from the headers, and are the same on all machines of
 * 64 bits: Include/cpython/{pystate,code,frameobject,unicodeobject}.h and
 * Include/internal/pycore_frame.h. From 3.13 on an interpreter contains its own
 * offsets, for debuggers: the table at the start of _PyRuntime (_Py_DebugOffsets,
 * Include/internal/pycore_debug_offsets.h), which also covers builds without the
 * global lock. Only where in that table a number lies differs between versions.
 */
#include "python_layout.h"

#include <string.h>

/* PyASCIIObject and PyCompactUnicodeObject lost a pointer and a length in 3.12. */
#define OBJECT .object_type = 8, .text_length = 16, .text_state = 32, .kind_shift = 2
#define TEXT_BEFORE_312 .text_ascii = 48, .text_other = 72
#define FRAME_OBJECT .thread_frame = 24, .through = -1, .frame_code = 32, .frame_previous = 24

static const struct diya_python_layout fixed[] = {
    [8] = {OBJECT, TEXT_BEFORE_312, FRAME_OBJECT, .frame_instruction = 104, .instruction = DIYA_PYTHON_BYTES,
           .code_file = 104, .code_name = 112},
    [9] = {OBJECT, TEXT_BEFORE_312, FRAME_OBJECT, .frame_instruction = 104, .instruction = DIYA_PYTHON_BYTES,
           .code_file = 104, .code_name = 112},
    [10] = {OBJECT, TEXT_BEFORE_312, FRAME_OBJECT, .frame_instruction = 96, .instruction = DIYA_PYTHON_UNITS,
            .code_file = 104, .code_name = 112},
    [11] = {OBJECT, TEXT_BEFORE_312, .thread_frame = 56, .through = 8, .frame_code = 32, .frame_previous = 48,
            .frame_instruction = 56, .instruction = DIYA_PYTHON_POINTER, .code_file = 112, .code_name = 128,
            .code_instructions = 184},
    [12] = {OBJECT, .text_ascii = 40, .text_other = 56, .thread_frame = 56, .through = 0, .frame_code = 0,
            .frame_previous = 8, .frame_instruction = 56, .frame_owner = 70, .instruction = DIYA_PYTHON_POINTER,
            .code_file = 112, .code_name = 128, .code_instructions = 192},
};

/* Places in the table of offsets, in words of 64 bits. */
struct places {
    uint8_t thread_frame, previous, executable, instruction, owner, file, name, instructions, type;
    uint8_t state, length, ascii, copy, copies; /* copy 0: the version has none */
};
static const struct places told[] = {
    [13] = {23, 29, 30, 31, 33, 35, 37, 43, 45, 68, 69, 70, 0, 0},
    [14] = {26, 32, 33, 34, 36, 40, 42, 48, 51, 78, 79, 80, 38, 49},
    [15] = {26, 40, 41, 42, 44, 48, 50, 56, 59, 90, 91, 92, 46, 57},
};
enum { WORD_VERSION = 1, WORD_FREE_THREADED = 2, LARGEST_OFFSET = 4096 };

/* Of the version number PY_VERSION_HEX: major, minor and whether it is final. */
static bool is_release(uint64_t hex, unsigned minor)
{
    return hex >> 16 == (0x300u | minor) && (hex >> 4 & 15) == 15;
}

static bool told_layout(struct diya_python_layout *layout, unsigned minor, const uint8_t *runtime)
{
    uint64_t words[96];
    if (runtime == NULL || memcmp(runtime, "xdebugpy", 8) != 0)
        return false;
    memcpy(words, runtime, sizeof words);
    if (!is_release(words[WORD_VERSION], minor))
        return false;
    const struct places *at = &told[minor];
    const struct {
        uint16_t *to;
        uint8_t word;
    } fields[] = {
        {&layout->thread_frame, at->thread_frame},
        {&layout->frame_previous, at->previous},
        {&layout->frame_code, at->executable},
        {&layout->frame_instruction, at->instruction},
        {&layout->frame_owner, at->owner},
        {&layout->code_file, at->file},
        {&layout->code_name, at->name},
        {&layout->code_instructions, at->instructions},
        {&layout->object_type, at->type},
        {&layout->text_state, at->state},
        {&layout->text_length, at->length},
        {&layout->text_ascii, at->ascii},
        {&layout->frame_copy, at->copy},
        {&layout->code_copies, at->copies},
    };
    *layout = (struct diya_python_layout){.through = -1, .instruction = DIYA_PYTHON_POINTER, .kind_shift = 2};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        if (fields[i].word == 0)
            continue;
        if (words[fields[i].word] > LARGEST_OFFSET)
            return false;
        *fields[i].to = (uint16_t)words[fields[i].word];
    }
    layout->text_other = layout->text_ascii + 2 * sizeof(uint64_t); /* length and pointer of the UTF-8 */
    bool is_free_threaded = words[WORD_FREE_THREADED] != 0;
    if (is_free_threaded && minor >= 14)
        layout->kind_shift = 8; /* `interned` became a byte of its own */
    if (!is_free_threaded)
        layout->frame_copy = layout->code_copies = 0;
    return true;
}

bool diya_python_layout(struct diya_python_layout *layout, const char *version, const uint8_t *runtime)
{
    if (sizeof(void *) != 8 || version[0] != '3' || version[1] != '.')
        return false;
    unsigned minor = 0;
    for (const char *at = version + 2; *at >= '0' && *at <= '9' && minor < 100; at++)
        minor = minor * 10 + (unsigned)(*at - '0');
    if (minor < sizeof fixed / sizeof fixed[0] && fixed[minor].object_type != 0) {
        *layout = fixed[minor];
        return true;
    }
    return minor < sizeof told / sizeof told[0] && told[minor].type != 0 && told_layout(layout, minor, runtime);
}
