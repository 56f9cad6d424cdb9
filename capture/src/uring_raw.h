/* io_uring_setup and io_uring_enter: rings that a program drives by system calls. */
#ifndef DIYA_URING_RAW_H
#define DIYA_URING_RAW_H

#include "base.h"

DIYA_HIDDEN void uring_made(struct diya_call *call, const void *parameters, int64_t outcome);
/* Returns the file if there is one for all requests. */
DIYA_HIDDEN uint32_t uring_entering(int fd);
DIYA_HIDDEN void uring_entered(struct diya_call *call, int fd, unsigned submitted, unsigned flags, uint32_t file,
                               int64_t outcome);
DIYA_HIDDEN void uring_registered(int fd, unsigned operation, const void *argument, unsigned count, int64_t outcome);

/* Rings that are left. */
DIYA_HIDDEN void uring_process_ends(void);

#endif
