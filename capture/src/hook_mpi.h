/* MPI-IO without mpi.h: one binary for MPICH, Open MPI and the MPI 5 ABI.
 *
 * Handles are integers or pointers, depending on the family; both travel in
 * the same registers, so hooks take them as uintptr_t and hand them on as they
 * came. An MPI_File is a pointer in every family. MPI_Status is never read,
 * only shown to the library.
 */
#ifndef DIYA_HOOK_MPI_H
#define DIYA_HOOK_MPI_H

#include "layer_symbol.h"

/* --- questions to the MPI library (hook_mpi_library.c) --------------------
 * Only PMPI_ functions: not recorded, not seen by other tools. Handles must be
 * known to be good: a wrong one makes MPI abort the program. Hence a hook asks
 * about arguments only after the call with them succeeded. */

DIYA_HIDDEN enum diya_mpi_family diya_mpi_family(const void *caller);
DIYA_HIDDEN uintptr_t diya_mpi_comm_world(const void *caller);
DIYA_HIDDEN bool diya_mpi_has_world(const void *caller);
DIYA_HIDDEN bool diya_mpi_is_null_comm(uintptr_t comm, const void *caller);
DIYA_HIDDEN bool diya_mpi_is_null_info(uintptr_t info, const void *caller);

/* A handle's value where the upper half may be left over from other use of
 * the register. */
DIYA_HIDDEN uint64_t diya_mpi_handle(uintptr_t handle, const void *caller);

/* -1: not known. */
DIYA_HIDDEN int64_t diya_mpi_type_size(uintptr_t type, const void *caller);
DIYA_HIDDEN int64_t diya_mpi_type_extent(uintptr_t type, const void *caller);
DIYA_HIDDEN int64_t diya_mpi_bytes_done(void *status, const void *caller);
DIYA_HIDDEN int64_t diya_mpi_position(uintptr_t file, const void *caller);
DIYA_HIDDEN int64_t diya_mpi_byte_offset(uintptr_t file, int64_t offset, const void *caller);

/* Rank that sent what a receive or probe returned; -1: not known. */
DIYA_HIDDEN int32_t diya_mpi_source(const void *status, const void *caller);
DIYA_HIDDEN bool diya_mpi_is_no_status(const void *status, const void *caller);

/* Mode bits and seek origins in the numbers of MPICH and Open MPI, and of
 * lseek: the ABI has its own. */
DIYA_HIDDEN int diya_mpi_amode(int amode, const void *caller);
DIYA_HIDDEN int diya_mpi_whence(int whence);
#define DIYA_MPI_MODE_SEQUENTIAL 256

/* A count that fits an int, of a type made for it if it must be. */
struct diya_mpi_fitted {
    int count;
    bool is_made;
    uintptr_t type;
};
DIYA_HIDDEN bool diya_mpi_fit(struct diya_mpi_fitted *fitted, int64_t count, uintptr_t type, const void *caller);
DIYA_HIDDEN void diya_mpi_release(struct diya_mpi_fitted *fitted, const void *caller);

/* errno that says best what an MPI error code means. */
DIYA_HIDDEN int diya_mpi_errno(int error, const void *caller);

/* Writes the hints in force as attributes, unless they are those written last. */
DIYA_HIDDEN void diya_mpi_write_hints(uint32_t file, uintptr_t handle, const void *caller);

/* Records rank and number of ranks, after MPI_Init. */
DIYA_HIDDEN void diya_mpi_write_process(const void *caller);

/* The same at the first opening of a file, if MPI_Init was not seen: another
 * tool called PMPI_Init, or the program has sessions and no world. Then the
 * rank in the file's communicator is the best there is. */
DIYA_HIDDEN void diya_mpi_write_late_process(uintptr_t comm, const void *caller);

/* Handles in Fortran are integers. */
enum diya_mpi_handle_type { DIYA_MPI_COMM, DIYA_MPI_FILE, DIYA_MPI_TYPE, DIYA_MPI_INFO, DIYA_MPI_REQUEST };
DIYA_HIDDEN uintptr_t diya_mpi_from_fortran(enum diya_mpi_handle_type type, int32_t handle, const void *caller);

/* --- one MPI-IO call (hook_mpi_call.c) ------------------------------------- */

struct diya_mpi_call {
    struct diya_call call;
    const void *caller;
    uintptr_t handle; /* MPI_File */
    int64_t offset;   /* absolute, -1: none */
    int64_t place;    /* of the individual pointer in elements of a view; -1: neither */
    uint32_t file;
    uint16_t function;
    uint16_t state; /* enum diya_mpi_file_state */
};

enum diya_mpi_file_state {
    DIYA_MPI_OPENED = 1,
    DIYA_MPI_HAS_VIEW = 2,   /* offsets are not bytes from the start of the file */
    DIYA_MPI_SEQUENTIAL = 4, /* MPI_MODE_SEQUENTIAL: no offsets at all */
};

/* Where the data of a call are. */
enum diya_mpi_pointer { DIYA_MPI_NO_OFFSET, DIYA_MPI_EXPLICIT, DIYA_MPI_INDIVIDUAL };

/* The outermost hook records, and those that it reaches only forward: Open MPI's
 * Fortran goes to PMPI_, MPICH's to MPI_, other tools' MPI_ to PMPI_. So each call
 * is recorded once. */
extern DIYA_HIDDEN _Thread_local uint32_t diya_mpi_inside __attribute__((tls_model("initial-exec")));

DIYA_HIDDEN bool diya_mpi_begin(struct diya_mpi_call *mpi, uint16_t function, const void *caller);
DIYA_HIDDEN bool diya_mpi_begin_file(struct diya_mpi_call *mpi, uint16_t function, uintptr_t file,
                                     enum diya_mpi_pointer pointer, int64_t offset, const void *caller);

/* --- where the individual pointer is (hook_mpi_position.c), in elements of the view ------
 * Of files whose opening was seen; -1: not known. */
DIYA_HIDDEN int64_t diya_mpi_place(const struct diya_mpi_call *mpi);

/* After a call that moved so many bytes with it; negative: fewer than it should, or not known. */
DIYA_HIDDEN void diya_mpi_moved(const struct diya_mpi_call *mpi, int64_t bytes);

/* After a seek: where it is now. */
DIYA_HIDDEN int64_t diya_mpi_sought(const struct diya_mpi_call *mpi, int64_t offset, int whence);
DIYA_HIDDEN void diya_mpi_place_in_view(uintptr_t file, int64_t etype_size);
DIYA_HIDDEN void diya_mpi_forget_place(uintptr_t file);

/* Takes the time of return, unless that was done. */
static inline void diya_mpi_returned(struct diya_mpi_call *mpi)
{
    if (mpi->call.end != 0)
        return;
    diya_returned(&mpi->call);
    diya_mpi_inside--;
}

/* The ends. `error` is what MPI returned; the real call is over. */
DIYA_HIDDEN void diya_mpi_end(struct diya_mpi_call *mpi, int error, const struct diya_event *event);
DIYA_HIDDEN void diya_mpi_end_simple(struct diya_mpi_call *mpi, int error, uint64_t requested);
DIYA_HIDDEN void diya_mpi_end_data(struct diya_mpi_call *mpi, int error, int64_t count, uintptr_t type, void *status);
DIYA_HIDDEN void diya_mpi_end_open(struct diya_mpi_call *mpi, int error, uintptr_t comm, const char *path, int amode,
                                   uintptr_t file);
DIYA_HIDDEN void diya_mpi_end_close(struct diya_mpi_call *mpi, int error);
DIYA_HIDDEN void diya_mpi_end_delete(struct diya_mpi_call *mpi, int error, const char *path);
DIYA_HIDDEN void diya_mpi_end_view(struct diya_mpi_call *mpi, int error, int64_t displacement, uintptr_t etype,
                                   uintptr_t filetype);
DIYA_HIDDEN void diya_mpi_end_info(struct diya_mpi_call *mpi, int error);
DIYA_HIDDEN void diya_mpi_end_flag(struct diya_mpi_call *mpi, int error, int flag);
DIYA_HIDDEN void diya_mpi_end_seek(struct diya_mpi_call *mpi, int error, int64_t offset, int whence);

DIYA_HIDDEN void diya_mpi_end_init(struct diya_mpi_call *mpi, int error);
DIYA_HIDDEN void diya_mpi_end_finalize(struct diya_mpi_call *mpi, int error);

/* --- requests of non-blocking calls (hook_mpi_wait.c) ---------------------- */

DIYA_HIDDEN void diya_mpi_request_started(const struct diya_mpi_call *mpi, uintptr_t request);

/* Requests that one wait or test call is given, as they were before it. */
#define DIYA_MPI_WAIT_KEPT 256u
struct diya_mpi_wait {
    struct diya_mpi_call mpi;
    const void *requests;
    uint32_t width; /* bytes of one request in the array */
    bool is_fortran;
    uint32_t count;
    uint64_t before[DIYA_MPI_WAIT_KEPT]; /* as in the array */
    uint64_t key[DIYA_MPI_WAIT_KEPT];    /* as they are bound */
};
DIYA_HIDDEN bool diya_mpi_begin_wait(struct diya_mpi_wait *wait, uint16_t function, const void *requests, int count,
                                     bool is_fortran, const void *caller);
DIYA_HIDDEN void diya_mpi_end_wait(struct diya_mpi_wait *wait, int error);

#endif
