/* Functions of the libraries above the C library (MPI, HDF5), for code at a return address.
 *
 * Python loads h5py and mpi4py with RTLD_LOCAL: their calls reach our hooks, but their
 * libraries are in no global scope, where RTLD_NEXT searches. Several copies of HDF5 may be
 * loaded. So the scope of the calling module is searched as well.
 */
#ifndef APPLY_LAYER_H
#define APPLY_LAYER_H

#include "real.h"

#include <stddef.h>

#define APPLY_CALLER __builtin_return_address(0)

/* What a hook hands on to: the recorder's hook, another tool's, or the library's function. */
APPLY_HIDDEN void *apply_layer_next(const char *name, const void *caller);
/* The library's function or variable itself; NULL: it has none. */
APPLY_HIDDEN void *apply_layer_own(const char *name, const void *caller);
/* The first that is neither ours nor the recorder's: past the recorder. */
APPLY_HIDDEN void *apply_layer_past(const char *name);
/* Whether the module with this code defines the symbol: is the caller that library? */
APPLY_HIDDEN bool apply_layer_is_called_by(const void *caller, const char *symbol);
/* First address of the module with this code, 0 if it is unknown: names a copy of a library. */
APPLY_HIDDEN uintptr_t apply_layer_module(const void *caller);

/* Names to the recorder the code whose call this thread hands on; returns the code named before. */
APPLY_HIDDEN const void *apply_layer_for(const void *caller);

enum { APPLY_LAYER_PATH = 4097 };
/* The absolute path of a file as MPI and HDF5 name it, without a prefix of ROMIO ("ufs:"). */
APPLY_HIDDEN const char *apply_layer_path(char room[APPLY_LAYER_PATH], const char *path);

#endif
