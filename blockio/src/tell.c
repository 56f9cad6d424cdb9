/* Tells diya, where it records the program, how a plan reads and writes, and why.
 *
 * diya.h of diya makes this possible without a link: it is a load and a branch where nobody
 * records. Without the header, it tells nothing. */
#include "internal.h"

#include <stdio.h>

#if defined(__has_include)
#if __has_include(<diya.h>)
#include <diya.h>
#define HAS_DIYA
#endif
#endif

#ifdef HAS_DIYA

/* diya keeps 32,768 texts of a process: a program that makes a plan in each step leaves room. */
enum { MOST_NOTES = 200 };

static int notes_told;

static void tell_side(const blockio_file *file, const struct side *side)
{
    char text[1000];
    if (side->overlaps || __atomic_fetch_add(&notes_told, 1, __ATOMIC_RELAXED) >= MOST_NOTES)
        return;
    snprintf(text, sizeof text, "blockio %s: %s", file->name, side->choice.note);
    diya_note(text);
}

#endif

void tell_plan(const blockio_file *file, const blockio_plan *plan)
{
#ifdef HAS_DIYA
    /* All ranks have chosen the same. */
    if (file->group->rank != 0)
        return;
    tell_side(file, &plan->side[BLOCKIO_READING]);
    if (file->mode != BLOCKIO_READ)
        tell_side(file, &plan->side[BLOCKIO_WRITING]);
#else
    (void)file;
    (void)plan;
#endif
}
