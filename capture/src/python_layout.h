/* Where CPython keeps what leads from a thread to its lines of code. */
#ifndef DIYA_PYTHON_LAYOUT_H
#define DIYA_PYTHON_LAYOUT_H

#include "base.h"

enum diya_python_instruction {
    DIYA_PYTHON_BYTES,   /* int: bytes into the code */
    DIYA_PYTHON_UNITS,   /* int: units of two bytes */
    DIYA_PYTHON_POINTER, /* into the code */
};

/* Offsets in bytes. */
struct diya_python_layout {
    uint16_t thread_frame; /* PyThreadState: innermost frame ... */
    int16_t through;       /* ... or a structure that has it here; -1: none */
    uint16_t frame_code;   /* of a frame: code object, lowest bits to be ignored */
    uint16_t frame_previous;
    uint16_t frame_instruction;
    uint16_t frame_owner; /* byte; 0: frames have none */
    uint16_t frame_copy;  /* int: which copy of the code it runs, where threads have their own; 0: none */
    uint16_t code_copies;
    uint16_t code_file, code_name, code_instructions;
    uint16_t object_type;
    uint16_t text_length, text_state, text_ascii, text_other;
    uint8_t kind_shift;  /* of the state: kind 3 bits, compact 1, ascii 1 */
    uint8_t instruction; /* enum diya_python_instruction */
};

/* The layout of the interpreter that calls itself `version` ("3.12.1 (main, ..."). `runtime`
 * is its _PyRuntime, or NULL. False: not known. */
DIYA_HIDDEN bool diya_python_layout(struct diya_python_layout *layout, const char *version, const uint8_t *runtime);

#endif
