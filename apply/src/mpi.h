/* MPI-IO without mpi.h: one library for MPICH and Open MPI.
 *
 * Handles are integers in MPICH and pointers in Open MPI; both travel in the same registers,
 * so they are uintptr_t here and handed on as they came. An MPI_File is a pointer in both.
 */
#ifndef APPLY_MPI_H
#define APPLY_MPI_H

#include "account.h"
#include "layer.h"

enum mpi_family { MPI_FAMILY_MPICH, MPI_FAMILY_OPEN, MPI_FAMILY_ABI };

/* Functions that are asked: none that the recorder shows as a call of the program. */
#define MPI_QUESTIONS(F)                                                                                               \
    F(Info_create, (uintptr_t *))                                                                                      \
    F(Info_dup, (uintptr_t, uintptr_t *))                                                                              \
    F(Info_free, (uintptr_t *))                                                                                        \
    F(Info_set, (uintptr_t, const char *, const char *))                                                               \
    F(File_get_info, (uintptr_t, uintptr_t *))                                                                         \
    F(File_get_position, (uintptr_t, int64_t *))                                                                       \
    F(Comm_size, (uintptr_t, int *))                                                                                   \
    F(Comm_split, (uintptr_t, int, int, uintptr_t *))                                                                  \
    F(Comm_free, (uintptr_t *))                                                                                        \
    F(Allreduce, (const void *, void *, int, uintptr_t, uintptr_t, uintptr_t))                                         \
    F(Initialized, (int *))                                                                                            \
    F(Finalized, (int *))                                                                                              \
    F(Query_thread, (int *))                                                                                           \
    F(Type_size, (uintptr_t, int *))                                                                                   \
    F(Type_get_extent, (uintptr_t, int64_t *, int64_t *))                                                              \
    F(Type_get_true_extent, (uintptr_t, int64_t *, int64_t *))                                                         \
    F(Type_get_envelope, (uintptr_t, int *, int *, int *, int *))                                                      \
    F(Type_get_contents, (uintptr_t, int, int, int, int *, int64_t *, uintptr_t *))                                    \
    F(Pack, (const void *, int, uintptr_t, void *, int, int *, uintptr_t))                                             \
    F(Type_dup, (uintptr_t, uintptr_t *))                                                                              \
    F(Type_free, (uintptr_t *))                                                                                        \
    F(Type_commit, (uintptr_t *))                                                                                      \
    F(Type_create_hindexed, (int, const int *, const int64_t *, uintptr_t, uintptr_t *))                               \
    F(Status_set_elements, (void *, uintptr_t, int))                                                                   \
    F(Status_set_cancelled, (void *, int))

/* The first is MPI 4's, the second ended with MPI 5: one of them is there. */
#define MPI_EITHER(F)                                                                                                  \
    F(Info_get_string, (uintptr_t, const char *, int *, char *, int *))                                                \
    F(Info_get, (uintptr_t, const char *, int, char *, int *))

/* Calls that are made for the program: through the next library, so that the recorder has them. */
#define MPI_CALLS(F)                                                                                                   \
    F(File_set_view, (uintptr_t, int64_t, uintptr_t, uintptr_t, const char *, uintptr_t))                              \
    F(File_seek, (uintptr_t, int64_t, int))                                                                            \
    F(File_write_at, (uintptr_t, int64_t, const void *, int, uintptr_t, void *))                                       \
    F(File_write_at_all, (uintptr_t, int64_t, const void *, int, uintptr_t, void *))

struct mpi_library {
#define F(name, arguments) int(*name) arguments;
    MPI_QUESTIONS(F)
    MPI_EITHER(F)
    MPI_CALLS(F)
#undef F
    enum mpi_family family;
    uintptr_t byte, info_null, comm_null, bit_or;
    /* modes: of files that are read only, or written in sequence. named: the first combiner. */
    int mode_read, mode_sequential, seek_set, thread_multiple, named;
};

/* NULL: functions are missing, and nothing may be applied. */
APPLY_HIDDEN const struct mpi_library *apply_mpi(const void *caller);

/* mpirun of Open MPI passes a variable to other nodes only if the user names it. A rank there may
 * have other settings, or run without this library. A rank cannot see the option -x. It can see
 * the parameter mca_base_env_list, and all ranks have the variables that this one names. */
APPLY_HIDDEN bool apply_mpi_may_lack_library(void);

/* Two values of a handle: the upper half of a register with an int is undefined. */
APPLY_HIDDEN bool apply_mpi_is(const struct mpi_library *mpi, uintptr_t a, uintptr_t b);
/* Predefined types live for ever, others are freed. */
APPLY_HIDDEN bool apply_mpi_is_named(const struct mpi_library *mpi, uintptr_t type);
/* Bytes of one element if its bytes lie in order and without holes, otherwise 0. */
APPLY_HIDDEN int64_t apply_mpi_plain_bytes(const struct mpi_library *mpi, uintptr_t type);
/* A count beyond an int as one element of a larger type, which the caller frees. */
APPLY_HIDDEN bool apply_mpi_large_type(const struct mpi_library *mpi, int64_t count, uintptr_t type, uintptr_t *made);

/* Room for an MPI_Status: the largest there is has 32 bytes. */
struct mpi_status {
    _Alignas(16) char bytes[128];
};

/* The outermost of our hooks acts, and those that it reaches hand on: another tool's MPI_
 * function calls a PMPI_ one, Fortran's call C's. */
struct mpi_scope {
    const void *recorded_for;
    uintptr_t outer;
};
APPLY_HIDDEN bool apply_mpi_enter(struct mpi_scope *scope, const void *caller);
APPLY_HIDDEN void apply_mpi_leave(const struct mpi_scope *scope);

/* Exports a hook under both names of the profiling interface: Open MPI's Fortran calls PMPI_.
 * The work is done by call_NAME, whose arguments are given: `real` is what to hand on to. */
#define MPI_HOOK(name, parameters, arguments)                                                                          \
    MPI_HOOK_AS(MPI_, name, parameters, arguments)                                                                     \
    MPI_HOOK_AS(PMPI_, name, parameters, arguments)
#define MPI_HOOK_AS(prefix, name, parameters, arguments)                                                               \
    APPLY_EXPORT int prefix##name parameters;                                                                          \
    int prefix##name parameters                                                                                        \
    {                                                                                                                  \
        static void *slot;                                                                                             \
        const void *caller = APPLY_CALLER;                                                                             \
        int(*real) parameters = (int(*) parameters)apply_mpi_next(&slot, #prefix #name, caller);                       \
        return call_##name arguments;                                                                                  \
    }
/* NULL: no library has it. */
APPLY_HIDDEN void *apply_mpi_next(void **slot, const char *name, const void *caller);

#endif
