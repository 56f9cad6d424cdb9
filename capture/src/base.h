/* What all files of the recorder stand on: calls and events, and the functions that name files,
 * keep handles, write records and find real functions. Hooks see core.h, which adds the way into
 * the recorder; whatever that way leads to must not include it. */
#ifndef DIYA_BASE_H
#define DIYA_BASE_H

#include "clock.h"
#include "diya_trace.h"
#include "generated/diya_functions.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define DIYA_EXPORT __attribute__((visibility("default")))

/* DIYA_OFTEN: functions of the most frequent calls. The compiler places them together, so that
 * they occupy few cache lines: a system call evicts much of the cache of the program.
 * DIYA_RARELY: functions that these calls seldom need, placed elsewhere.
 * DIYA_APART: functions that must not be inlined. */
#define DIYA_OFTEN __attribute__((hot))
#define DIYA_RARELY __attribute__((cold, noinline))
#define DIYA_APART __attribute__((noinline))

/* --- one call ---------------------------------------------------------- */

struct diya_call {
    uint64_t start;
    uint64_t end; /* 0 until diya_returned */
    const void *return_address;
    const char *edge; /* of calls that write to a stream: where its buffer ended before (stdio_begin) */
    uint32_t depth;
    int saved_errno;
};

struct diya_event {
    uint16_t function;  /* enum diya_function */
    uint8_t collective; /* enum diya_collective */
    bool has_aux;
    uint32_t file;  /* 0: none */
    uint32_t file2; /* 0: none */
    int64_t offset; /* absolute bytes, -1: none */
    uint64_t requested;
    int64_t done; /* bytes done, or -errno; 0 for success without data */
    uint64_t aux;
};

enum diya_collective { DIYA_COLLECTIVE_UNKNOWN = 0, DIYA_COLLECTIVE_YES = 1, DIYA_COLLECTIVE_NO = 2 };

/* An event of which only the function is known. */
#define DIYA_EVENT(function_number) ((struct diya_event){.function = (uint16_t)(function_number), .offset = -1})

/* Thread-local words of the fast path. `generation` equals *diya_generation
 * only while this thread may record: any other value leads to the slow path. */
struct diya_thread;
struct diya_tls {
    uint64_t generation;
    struct diya_thread *thread;
    uint32_t depth;
    uint32_t is_vfork_child;
    uintptr_t outermost_frame;
    uintptr_t busy_frame; /* where the stack ended when the recorder was entered */
};
#define DIYA_HIDDEN __attribute__((visibility("hidden")))
extern DIYA_HIDDEN _Thread_local struct diya_tls diya_tls __attribute__((tls_model("initial-exec")));
extern DIYA_HIDDEN const uint64_t *diya_generation;

static inline __attribute__((always_inline)) uint64_t diya_generation_now(void)
{
    return __atomic_load_n(__atomic_load_n(&diya_generation, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
}

/* Call this when the real function has returned. Stores the end time and errno. */
static inline __attribute__((always_inline)) void diya_returned(struct diya_call *call)
{
    call->end = diya_ticks();
    call->saved_errno = errno;
}

/* What `done` of the event is, for functions that return a count or -1. */
static inline int64_t diya_done(const struct diya_call *call, int64_t returned)
{
    return returned >= 0 ? returned : -(int64_t)call->saved_errno;
}

/* The same for functions that return an error number, or 0. */
static inline int64_t diya_done_code(int error_number)
{
    return -(int64_t)error_number;
}

/* Writes the record. Without a preceding diya_returned, the end time is now.
 * Restores errno. */
DIYA_HIDDEN void diya_end(struct diya_call *call, const struct diya_event *event);

/* Ends the call without a record. Restores errno if diya_returned stored it. */
DIYA_HIDDEN void diya_cancel(struct diya_call *call);

/* A further record with the times of a call that is not over: copy_file_range
 * is a read and a write. */
DIYA_HIDDEN void diya_also(struct diya_call *call, const struct diya_event *event);

/* A hook sometimes calls a function of a library that may do I/O itself.
 * Between pause and resume, calls of this thread are forwarded without a record. */
DIYA_HIDDEN uint64_t diya_pause(void);
DIYA_HIDDEN void diya_resume(uint64_t paused);

/* --- files ------------------------------------------------------------- */

/* Number of the file of this path; "." , ".." and double slashes are removed
 * textually, relative paths start at the working directory. 0: no number.
 * The memory at `path` must be readable: call this only after a call that did
 * not fail with EFAULT. */
DIYA_HIDDEN uint32_t diya_file_of_path(const char *path);
DIYA_HIDDEN uint32_t diya_file_of_path_kind(const char *path, enum diya_name_kind kind);
DIYA_HIDDEN uint32_t diya_file_at(int dirfd, const char *path, enum diya_name_kind kind);

/* Something inside a file (dataset, variable), or a name that is no path. */
DIYA_HIDDEN uint32_t diya_file_named(const char *name, size_t length, uint32_t parent, enum diya_name_kind kind);

/* File behind a descriptor. Pipes, sockets and terminals have kind DIYA_NAME_PIPE. */
DIYA_HIDDEN uint32_t diya_file_of_fd(int fd);

/* A property of a file, written to the segment at once. */
DIYA_HIDDEN void diya_attribute(uint32_t file, const char *key, const char *value);

/* --- handles of other layers: MPI_File, hid_t, ncid, FILE * ------------- */

enum diya_handle_kind {
    DIYA_HANDLE_STREAM = 1,
    DIYA_HANDLE_DIRECTORY = 2,
    DIYA_HANDLE_MPI_FILE = 3,
    DIYA_HANDLE_MPI_REQUEST = 4,
    DIYA_HANDLE_HDF5 = 5,
    DIYA_HANDLE_PNETCDF = 6,
    DIYA_HANDLE_NETCDF = 7,
    DIYA_HANDLE_AIO = 8,
    DIYA_HANDLE_MAPPING = 9,
    DIYA_HANDLE_SHELL = 10, /* FILE of popen -> number of its shell */
    DIYA_HANDLE_OTHER = 11, /* first free one; up to 255 */
};

/* Any 32-bit value but 0 may be bound. All are safe in signal handlers and
 * among threads. A forked child starts with none. */
DIYA_HIDDEN bool diya_handle_bind(unsigned kind, uint64_t handle, uint32_t value);
DIYA_HIDDEN uint32_t diya_handle_find(unsigned kind, uint64_t handle);   /* 0: not bound */
DIYA_HIDDEN uint32_t diya_handle_unbind(unsigned kind, uint64_t handle); /* what it was bound to, or 0 */

/* --- process ----------------------------------------------------------- */

DIYA_HIDDEN void diya_process_mpi(int rank, int size, enum diya_mpi_family family);

/* --- the real functions -------------------------------------------------- */

/* Address of a function in the libraries loaded after this one (as RTLD_NEXT),
 * looked up once. Safe before any constructor has run. If no library defines
 * the function, the address of one that returns -1 with ENOSYS. */
#define DIYA_REAL(name)                                                                                                \
    (__extension__({                                                                                                   \
        static void *diya_real_cache;                                                                                  \
        void *diya_real_found = __atomic_load_n(&diya_real_cache, __ATOMIC_RELAXED);                                   \
        if (__builtin_expect(diya_real_found == NULL, 0))                                                              \
            diya_real_found = diya_resolve(&diya_real_cache, #name);                                                   \
        (__typeof__(&name))diya_real_found;                                                                            \
    }))
DIYA_HIDDEN DIYA_RARELY void *diya_resolve(void **cache, const char *name);

/* Address of a function that a hook calls for information, NULL if no library
 * defines it. Searches the libraries loaded after this one, then all of them. */
DIYA_HIDDEN void *diya_symbol(const char *name);

#endif
