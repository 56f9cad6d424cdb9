/* Where code belongs to. */
#ifndef APPLY_OWN_CODE_H
#define APPLY_OWN_CODE_H

#include "settings.h"

APPLY_HIDDEN bool apply_is_own_code(const void *address);
APPLY_HIDDEN bool apply_is_mpi_code(const void *address);
/* The C++ library of gcc. */
APPLY_HIDDEN bool apply_is_cxx_code(const void *address);

#endif
