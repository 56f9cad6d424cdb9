/* Folders that segments may be put into. */
#ifndef DIYA_DIRECTORY_H
#define DIYA_DIRECTORY_H

#include "base.h"

DIYA_HIDDEN bool diya_directory_there(const char *directory);
DIYA_HIDDEN bool diya_directory_usable(const char *directory); /* makes it where there is none */

#endif
