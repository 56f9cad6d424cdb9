/* How a library that changes a program's I/O tells the recorder what it did.
 *
 * The recorder exports `diya_record_applied`; without it there is nobody to tell.
 * One account per setting and outcome of a process: the last one counts.
 */
#ifndef DIYA_APPLIED_H
#define DIYA_APPLIED_H

#include <stdint.h>

struct diya_applied {
    const char *setting; /* its name, of apply/src/settings.def */
    const char *value;   /* as it was asked for; of `auto`: as it was chosen */
    const char *path;    /* an example of the files; NULL: no file */
    const char *why;     /* why it was not applied; NULL: it was */
    uint64_t files;      /* files, streams or descriptors that it concerns */
    uint64_t asked;      /* calls of the program */
    uint64_t issued;     /* calls that were made instead */
    uint64_t bytes;      /* that these calls moved */
};

void diya_record_applied(const struct diya_applied *account);

/* Once, while the library is loaded, with the address of any function of it. */
void diya_record_forwarder(const void *code);

/* Calls that this thread hands on from now are those of code at `caller`: the recorder looks
 * for the functions behind its hooks from there, and takes stacks from there. NULL: nobody's.
 * Returns what was set before. */
const void *diya_record_for(const void *caller);

#endif
