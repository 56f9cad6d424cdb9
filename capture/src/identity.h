/* Who a process is: interpreter or runtime in it. */
#ifndef DIYA_IDENTITY_H
#define DIYA_IDENTITY_H

#include "internal.h"

/* Fills in what is known when recording begins. */
DIYA_HIDDEN void diya_identity_write(struct diya_identity *identity);

#endif
