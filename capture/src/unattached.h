/* Forked children that cannot make a segment. */
#ifndef DIYA_UNATTACHED_H
#define DIYA_UNATTACHED_H

#include "base.h"

DIYA_HIDDEN void diya_children_inherit(struct diya_segment_header *header);
/* A child that was forked from a recorded process has no segment of its own. */
DIYA_HIDDEN void diya_unattached(uint32_t pid);

#endif
