/* Brings the segments of a node home when its last process ends. */
#ifndef DIYA_GATHER_H
#define DIYA_GATHER_H

#include "base.h"

/* To be called when this process has recorded its last call. */
DIYA_HIDDEN void diya_gather(void);

#endif
