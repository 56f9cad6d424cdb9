/* Requests and completions of io_uring, whoever drives the ring. */
#ifndef DIYA_URING_H
#define DIYA_URING_H

#include "core.h"

/* What is read of a ring: shared with the kernel, and written by the program. */
struct uring_view {
    uint64_t owner; /* of its requests */
    const uint32_t *submit_tail, *array, *complete_tail;
    const uint8_t *entries, *completions;
    uint32_t submit_mask, complete_mask, entry_bytes, completion_bytes;
    int fd;
};

/* The request of entry `index`, before the kernel gets it. Returns its file. */
DIYA_HIDDEN uint32_t uring_requested(const struct uring_view *view, uint32_t index, uint64_t now_ns);

/* Completions from `seen` on are recorded within the call; returns where they end. */
DIYA_HIDDEN uint32_t uring_completed(const struct diya_call *call, const struct uring_view *view, uint32_t seen);

/* IORING_REGISTER_FILES and its update: files that requests name by their place. */
DIYA_HIDDEN void uring_files(int ring_fd, unsigned first, const int *fds, unsigned count);

/* A number of requests, or -errno. */
DIYA_HIDDEN void uring_end(struct diya_call *call, enum diya_function function, uint32_t file, int64_t outcome);

#endif
