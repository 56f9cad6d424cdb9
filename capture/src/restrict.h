/* Programs that forbid themselves something, or leave for where the segment is not. */
#ifndef DIYA_RESTRICT_H
#define DIYA_RESTRICT_H

#include "base.h"

/* Makes the call SYS_prctl or SYS_seccomp, prepared for what it may forbid. */
DIYA_HIDDEN long diya_restricting(long number, long a, long b, long c, long d, long e, long f);

/* Before a call after which the segment may be out of reach. */
DIYA_HIDDEN void diya_leaving(void);

#endif
