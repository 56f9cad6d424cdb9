/* Names and numbers of files. */
#ifndef DIYA_FILES_H
#define DIYA_FILES_H

#include "base.h"

#include <sys/stat.h>

DIYA_HIDDEN uint64_t diya_hash(const void *bytes, size_t length, uint64_t seed);
DIYA_HIDDEN uint32_t diya_file_number(const char *name, size_t length, uint32_t parent, enum diya_name_kind kind);
DIYA_HIDDEN void diya_file_status(uint32_t file, const struct stat *status, const char *name, size_t length);

#endif
