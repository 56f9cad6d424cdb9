/* Frames of Python code that leads to a call. */
#ifndef DIYA_PYTHON_H
#define DIYA_PYTHON_H

#include "state.h"

#define DIYA_PYTHON_FRAMES 24u

struct diya_python_frame {
    const uint8_t *code; /* PyCodeObject */
    uint64_t address;    /* where in it, in bytes */
};

/* Whether the process runs an interpreter whose frames can be read. Asked once
 * before the program starts. */
DIYA_HIDDEN void diya_python_find(void);

/* What is known of it, for the header: enum diya_python_frames_state. */
extern DIYA_HIDDEN uint32_t diya_python_state;

/* The Python frames of the calling thread, innermost first; 0 without any.
 * Cheap: it follows pointers and takes no reference and no lock. */
DIYA_HIDDEN uint32_t diya_python_frames(struct diya_python_frame *frames, uint32_t room);

/* Writes what is not written yet of these frames, and puts their numbers. */
DIYA_HIDDEN uint32_t diya_python_write(struct diya_thread *thread, const struct diya_python_frame *frames,
                                       uint32_t count, uint32_t *numbers);

#endif
