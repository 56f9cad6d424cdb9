/* From paths to numbers of files. */
#ifndef DIYA_PATHS_H
#define DIYA_PATHS_H

#include "state.h"

#include <sys/stat.h>

/* Into thread->path; returns its length. */
DIYA_HIDDEN size_t diya_path_absolute(struct diya_thread *thread, int dirfd, const char *path);
DIYA_HIDDEN uint32_t diya_file_opened(int dirfd, const char *path, int fd);
DIYA_HIDDEN uint32_t diya_file_at_status(int dirfd, const char *path, const struct stat *status);
DIYA_HIDDEN void diya_directory_changed(void);

#endif
