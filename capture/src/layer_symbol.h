/* The real functions of the libraries above the C library: MPI, HDF5, PnetCDF,
 * NetCDF.
 *
 * dlsym(RTLD_NEXT) alone is not enough for them. Python loads h5py, netCDF4 and
 * mpi4py with RTLD_LOCAL: the dynamic linker binds their calls to our hooks
 * (preloaded libraries are global and come first), but RTLD_NEXT searches the
 * global scope only, where their libraries are not. Wheels even bring a copy
 * of libhdf5 each, so that one process holds several. Hence the real function
 * is looked for as the linker would have done it for the calling module: in the
 * global scope after us, and in the module and what it depends on.
 */
#ifndef DIYA_LAYER_SYMBOL_H
#define DIYA_LAYER_SYMBOL_H

#include "base.h"

/* Calling modules with a scope of their own; h5py alone consists of 25. */
#define DIYA_LAYER_SCOPES 64u

/* [0]: the same for all; then one for each calling module. */
struct diya_layer_cache {
    void *found[1 + DIYA_LAYER_SCOPES];
};

/* The function for code at `caller`, or NULL where it is nowhere. */
DIYA_HIDDEN void *diya_layer_find(struct diya_layer_cache *cache, const char *name, const void *caller);

/* The variable for code at `caller`, or NULL. */
DIYA_HIDDEN void *diya_layer_find_data(struct diya_layer_cache *cache, const char *name, const void *caller);

/* The function for a hook that must forward: a function that is nowhere becomes
 * one that returns -1. */
DIYA_HIDDEN void *diya_layer_real(struct diya_layer_cache *cache, const char *name, const void *caller);

#define DIYA_LAYER_LOOKUP(finder, type, name, caller)                                                                  \
    (__extension__({                                                                                                   \
        static struct diya_layer_cache diya_layer_cache_;                                                              \
        void *diya_layer_found_ = __atomic_load_n(&diya_layer_cache_.found[0], __ATOMIC_RELAXED);                      \
        if (__builtin_expect(diya_layer_found_ == NULL, 0))                                                            \
            diya_layer_found_ = finder(&diya_layer_cache_, name, caller);                                              \
        (type) diya_layer_found_;                                                                                      \
    }))

/* In a hook: the function it stands for. In two steps, for names that are macros
 * (pmpi_names.h). */
#define DIYA_LAYER_REAL(function, caller) DIYA_LAYER_REAL_(function, caller)
#define DIYA_LAYER_REAL_(function, caller) DIYA_LAYER_LOOKUP(diya_layer_real, __typeof__(&function), #function, caller)

/* A function that a hook asks; `type` is a function pointer. May be NULL. */
#define DIYA_LAYER_ASK(type, name, caller) DIYA_LAYER_LOOKUP(diya_layer_find, type, name, caller)

/* Address of a variable of the library. */
#define DIYA_LAYER_DATA(name, caller) DIYA_LAYER_LOOKUP(diya_layer_find_data, void *, name, caller)

/* A library in front of the recorder that hands calls on (../include/diya_applied.h): its
 * mapped addresses, and the code whose call this thread hands on. */
extern DIYA_HIDDEN uintptr_t diya_forwarder_start, diya_forwarder_bytes;
extern DIYA_HIDDEN _Thread_local const void *diya_forwarded_for __attribute__((tls_model("initial-exec")));

static inline const void *diya_true_caller(const void *address)
{
    bool is_forwarded = (uintptr_t)address - diya_forwarder_start < diya_forwarder_bytes;
    return is_forwarded && diya_forwarded_for != NULL ? diya_forwarded_for : address;
}

/* Code that called the hook in which this stands. */
#define DIYA_CALLER diya_true_caller(__builtin_return_address(0))

/* Key of a handle that is unique in its library only: several copies of one may
 * be loaded. The table keeps the kind in the upper 8 bits, so they stay free. */
static inline uint64_t diya_layer_key(const void *library, uint64_t number)
{
    uint64_t mixed = (number ^ (uintptr_t)library * 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
    mixed ^= mixed >> 31;
    return mixed * 0x94d049bb133111ebu >> 8;
}

/* What diya_handle_bind keeps for these layers beyond enum diya_handle_kind. */
enum diya_layer_handle_kind {
    DIYA_HANDLE_MPI_VIEW = DIYA_HANDLE_OTHER + 1, /* MPI_File -> bits of enum diya_mpi_file_state */
    DIYA_HANDLE_MPI_ETYPE,                        /* MPI_File -> bytes of an element of its view */
    DIYA_HANDLE_MPI_PLACE_LOW,                    /* MPI_File -> its pointer in such elements, lower half */
    DIYA_HANDLE_MPI_PLACE_HIGH,                   /* the same, upper half */
    DIYA_HANDLE_MPI_COUNTED,                      /* MPI_File -> calls counted since its last view */
    DIYA_HANDLE_COMMUNICATORS,                    /* hash of ranks -> communicators with them so far */
    DIYA_HANDLE_HINT_HASH,                        /* file -> hash of the hints last written */
    DIYA_HANDLE_VIEW_COUNT,                       /* file -> views written as attributes */
    DIYA_HANDLE_HDF5_KIND,                        /* hid_t -> enum diya_hdf5_object */
    DIYA_HANDLE_HDF5_FILE,                        /* hid_t -> file that holds the object */
    DIYA_HANDLE_HDF5_DESCRIBED,                   /* file -> 1 and flags: properties were written */
    DIYA_HANDLE_HDF5_BROKEN,                      /* dataset -> why collective transfers were not */
    DIYA_HANDLE_NETCDF_SESSION,                   /* ncid -> number of this opening */
    DIYA_HANDLE_VARIABLE,                         /* opening and varid -> variable */
    DIYA_HANDLE_VARIABLE_SHAPE,                   /* the same -> dimensions and type size */
    DIYA_HANDLE_VARIABLE_COUNT,                   /* opening -> highest varid bound, + 1 */
    DIYA_HANDLE_VARIABLE_ACCESS,                  /* opening and varid -> enum diya_collective */
    DIYA_HANDLE_VARIABLE_DESCRIBED,               /* variable -> properties were written */
};

#endif
