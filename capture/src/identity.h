/* Who a process is: its rank as the launcher counts, the interpreter in it, its container. */
#ifndef DIYA_IDENTITY_H
#define DIYA_IDENTITY_H

#include "base.h"
#include "language.h"

/* Fills in what is known when recording begins, and gives the rank, or -1. */
DIYA_HIDDEN int32_t diya_identity_write(struct diya_identity *identity);

#endif
