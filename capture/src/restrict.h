/* Programs that forbid themselves something by syscall(). */
#ifndef DIYA_RESTRICT_H
#define DIYA_RESTRICT_H

#include "core.h"

/* Makes the call SYS_prctl or SYS_seccomp, prepared for what it may forbid. */
DIYA_HIDDEN long diya_restricting(long number, long a, long b, long c, long d, long e, long f);

#endif
