/* The open files of MPI-IO that a setting concerns. */
#ifndef APPLY_MPI_FILE_H
#define APPLY_MPI_FILE_H

#include "mpi.h"
#include "mpi_gather.h"

#include <pthread.h>
#include <time.h>

struct mpi_file {
    uintptr_t handle;
    char path[APPLY_LAYER_PATH];
    struct mpi_file *next;

    /* Hints, one bit for each entry of mpi_hint that fits the path. */
    uint64_t hints_of_program, hints_ignored;
    bool has_tried_view; /* what was ignored at open was passed to set_view, too */

    /* mpi_collect (mpi_collect.c). */
    bool takes_part;  /* agreed among the ranks: each collective call begins with a question */
    bool gathers;     /* this rank's writes are gathered: never without takes_part */
    bool must_stop;   /* found out by this rank; the others hear of it at the next question */
    bool is_hdf5;     /* only the data of H5Dwrite is gathered */
    bool is_threaded; /* of some rank, several threads may call MPI at once */
    /* Held while this rank calls for itself, and by a collective call from when all ranks are
     * there. Recursive: an error handler may leave a hook by longjmp. */
    pthread_mutex_t lock;
    uintptr_t comm;
    unsigned idle; /* collective calls in a row before which no rank had anything */
    struct gathered gathered;

    /* Does it pay? Some writes are made as they are and timed, and so is each collective one. */
    bool is_always, has_verdict, was_worth; /* the verdict on the last collective write */
    unsigned timed, strikes;
    uint64_t timed_ns, calls; /* calls: gathered since the last write */

    /* The view. Pieces have their place in it: bytes of data from its start, holes not counted. */
    int64_t displacement, etype_bytes;
    bool has_holes;
    uintptr_t etype, filetype; /* ours: duplicates of derived types */

    /* The individual file pointer in etypes, where the library's has not followed. */
    bool has_position;
    int64_t position;
};

APPLY_HIDDEN struct mpi_file *apply_mpi_file_add(uintptr_t handle, const char *path);
/* NULL: no setting concerns it. */
APPLY_HIDDEN struct mpi_file *apply_mpi_file_find(uintptr_t handle);
/* Takes it off the list; it is the caller's to free. */
APPLY_HIDDEN struct mpi_file *apply_mpi_file_take(uintptr_t handle);
/* Is there one of this process? A forked child has its parent's list, and must not touch it. */
APPLY_HIDDEN bool apply_mpi_file_is_any(void);
/* Any file; NULL: none is left. */
APPLY_HIDDEN struct mpi_file *apply_mpi_file_take_any(void);
/* The one after this; NULL: the first, or no more. */
APPLY_HIDDEN struct mpi_file *apply_mpi_file_after(const struct mpi_file *file);

/* --- mpi_hints.c: entries of mpi_hint are bits, by their index ------------------------ */

/* The program's info with hints added, or as it was: passed on, then given to ..._end. */
struct mpi_hints {
    uintptr_t info;
    bool is_made;
    uint64_t added;
};
/* Entries that are asked for this path. */
APPLY_HIDDEN uint64_t apply_mpi_hints_asked(const char *path);
/* Those of them whose keys the program's info has. */
APPLY_HIDDEN uint64_t apply_mpi_hints_in(const struct mpi_library *mpi, const char *path, uintptr_t info,
                                         uint64_t asked);
APPLY_HIDDEN struct mpi_hints apply_mpi_hints_begin(const struct mpi_library *mpi, const char *path, uintptr_t info,
                                                    uint64_t wanted);
APPLY_HIDDEN void apply_mpi_hints_end(const struct mpi_library *mpi, struct mpi_hints *hints);
/* Those of `added` that the file does not have now. Tells the account of the others. */
APPLY_HIDDEN uint64_t apply_mpi_hints_ignored(const struct mpi_library *mpi, const struct mpi_file *file,
                                              uint64_t added);
APPLY_HIDDEN void apply_mpi_hints_refused(const char *path, uint64_t entries, const char *why);

/* --- mpi_collect.c ------------------------------------------------------------------- */

/* The ranks of a communicator agree before the file is opened. */
struct mpi_agreement {
    uintptr_t comm; /* 0: nothing was agreed on */
    uint64_t bytes;
    bool is_always; /* the value is "BYTES,always": whether it pays or not */
    bool is_hdf5, is_threaded;
};
APPLY_HIDDEN struct mpi_agreement apply_mpi_collect_agree(const struct mpi_library *mpi, uintptr_t comm, int amode,
                                                          const char *path, const void *caller);
APPLY_HIDDEN void apply_mpi_collect_open(const struct mpi_library *mpi, struct mpi_agreement *agreement,
                                         struct mpi_file *file);
/* All return an error of MPI, 0 for none. All but apply_mpi_write_together are called with the lock. */
APPLY_HIDDEN int apply_mpi_write_alone(const struct mpi_library *mpi, struct mpi_file *file);
APPLY_HIDDEN int apply_mpi_write_together(const struct mpi_library *mpi, struct mpi_file *file);
/* This rank gathers no more; what it has is written. */
APPLY_HIDDEN int apply_mpi_stop(const struct mpi_library *mpi, struct mpi_file *file, const char *why);
/* One independent write of the program; false: it is to be made as it is. */
APPLY_HIDDEN bool apply_mpi_take(const struct mpi_library *mpi, struct mpi_file *file, const int64_t *offset,
                                 const void *buffer, int64_t count, uintptr_t type, void *status, int *error);
/* The library's file pointer follows. */
APPLY_HIDDEN int apply_mpi_settle_position(const struct mpi_library *mpi, struct mpi_file *file);
APPLY_HIDDEN void apply_mpi_collect_view(const struct mpi_library *mpi, struct mpi_file *file, int64_t displacement,
                                         uintptr_t etype, uintptr_t filetype, const char *representation);
APPLY_HIDDEN void apply_mpi_collect_close(const struct mpi_library *mpi, struct mpi_file *file);
/* HDF5 communicates within H5Dwrite: what it wrote before is made, as ranks may build on it. */
APPLY_HIDDEN void apply_mpi_told(void);

static inline uint64_t apply_mpi_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* A place in the view as MPI counts it. */
static inline int64_t apply_mpi_etypes(const struct mpi_file *file, int64_t offset)
{
    return file->etype_bytes > 0 ? offset / file->etype_bytes : 0;
}

#endif
