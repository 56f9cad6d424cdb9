/* One MPI-IO call: which file, where, how much. */
#include "core.h"
#include "hook_mpi.h"

#include <stdio.h>
#include <string.h>

_Thread_local uint32_t diya_mpi_inside __attribute__((tls_model("initial-exec")));

/* Views written as attributes of one file: HDF5 sets two for each collective
 * call, and the later ones say little that is new. */
#define VIEWS_WRITTEN 8u

bool diya_mpi_begin(struct diya_mpi_call *mpi, uint16_t function, const void *caller)
{
    if (!diya_begin(&mpi->call))
        return false;
    if (mpi->call.depth == 0) {
        diya_mpi_inside = 0; /* an error handler may have left a hook by longjmp */
    } else if (diya_mpi_inside != 0) {
        diya_cancel(&mpi->call);
        return false;
    }
    diya_mpi_inside++;
    mpi->call.return_address = caller;
    mpi->caller = caller;
    mpi->function = function;
    mpi->handle = 0;
    mpi->file = 0;
    mpi->state = 0;
    mpi->offset = -1;
    mpi->place = -1;
    return true;
}

bool diya_mpi_begin_file(struct diya_mpi_call *mpi, uint16_t function, uintptr_t file, enum diya_mpi_pointer pointer,
                         int64_t offset, const void *caller)
{
    if (!diya_mpi_begin(mpi, function, caller))
        return false;
    mpi->handle = file;
    mpi->file = diya_handle_find(DIYA_HANDLE_MPI_FILE, file);
    mpi->state = (uint16_t)diya_handle_find(DIYA_HANDLE_MPI_VIEW, file);
    /* Only of a file whose opening was seen is the handle known to be good. */
    if (pointer == DIYA_MPI_NO_OFFSET || (mpi->state & (DIYA_MPI_OPENED | DIYA_MPI_SEQUENTIAL)) != DIYA_MPI_OPENED)
        return true;
    mpi->offset = pointer == DIYA_MPI_INDIVIDUAL ? diya_mpi_place(mpi) : offset;
    if (pointer == DIYA_MPI_INDIVIDUAL && (mpi->state & DIYA_MPI_HAS_VIEW) != 0)
        mpi->place = mpi->offset;
    if (mpi->offset >= 0 && (mpi->state & DIYA_MPI_HAS_VIEW) != 0)
        mpi->offset = diya_mpi_byte_offset(file, mpi->offset, caller);
    mpi->call.start = diya_ticks(); /* the questions are ours, not the program's */
    return true;
}

void diya_mpi_end(struct diya_mpi_call *mpi, int error, const struct diya_event *event)
{
    struct diya_event complete = *event;
    if (error != 0)
        complete.done = -(int64_t)diya_mpi_errno(error, mpi->caller);
    diya_end(&mpi->call, &complete);
}

static struct diya_event event_of(const struct diya_mpi_call *mpi)
{
    struct diya_event event = DIYA_EVENT(mpi->function);
    event.file = mpi->file;
    event.offset = mpi->offset;
    return event;
}

void diya_mpi_end_simple(struct diya_mpi_call *mpi, int error, uint64_t requested)
{
    diya_mpi_returned(mpi);
    struct diya_event event = event_of(mpi);
    event.requested = requested;
    event.done = (int64_t)requested;
    diya_mpi_end(mpi, error, &event);
}

void diya_mpi_end_data(struct diya_mpi_call *mpi, int error, int64_t count, uintptr_t type, void *status)
{
    diya_mpi_returned(mpi);
    struct diya_event event = event_of(mpi);
    int64_t size = error == 0 ? diya_mpi_type_size(type, mpi->caller) : -1;
    if (size > 0 && count > 0)
        event.requested = (uint64_t)size * (uint64_t)count;
    event.done = (int64_t)event.requested;
    /* Only reads come back short (at the end of the file). */
    int64_t done = error == 0 && status != NULL ? diya_mpi_bytes_done(status, mpi->caller) : -1;
    bool is_short = done >= 0 && done < event.done;
    if (is_short)
        event.done = done;
    diya_mpi_moved(mpi, size > 0 && !is_short ? event.done : -1);
    diya_mpi_end(mpi, error, &event);
}

/* --- open, close, delete ------------------------------------------------------ */

/* ROMIO takes a file system before the path, as in "ufs:/tmp/x". */
static const char *without_file_system(const char *path)
{
    static const char *const prefixes[] = {"ufs:",    "nfs:", "lustre:", "gpfs:",    "panfs:", "pvfs2:",   "pvfs:",
                                           "testfs:", "xfs:", "daos:",   "quobyte:", "ime:",   "unifyfs:", "dfs:",
                                           "bb:",     "hfs:", "sfs:",    "piofs:",   "pfs:",   "gridftp:", "zoidfs:"};
    for (size_t at = 0; at < sizeof prefixes / sizeof prefixes[0]; at++)
        if (strncmp(path, prefixes[at], strlen(prefixes[at])) == 0)
            return path + strlen(prefixes[at]);
    return path;
}

static void write_number(uint32_t file, const char *key, int64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%lld", (long long)value);
    diya_attribute(file, key, text);
}

/* Ranks that opened the file together; 0: not known. */
static int describe_open(const struct diya_mpi_call *mpi, uintptr_t comm, int amode)
{
    int size = 0;
    typedef int (*size_function)(uintptr_t, int *);
    size_function ask = DIYA_LAYER_ASK(size_function, "PMPI_Comm_size", mpi->caller);
    if (ask != NULL && ask(comm, &size) == 0)
        write_number(mpi->file, "mpi:comm_size", size);
    else
        size = 0;
    write_number(mpi->file, "mpi:amode", amode);
    diya_mpi_write_hints(mpi->file, mpi->handle, mpi->caller);
    return size;
}

void diya_mpi_end_open(struct diya_mpi_call *mpi, int error, uintptr_t comm, const char *path, int amode,
                       uintptr_t file)
{
    diya_mpi_returned(mpi);
    mpi->file = diya_file_of_path(without_file_system(path));
    mpi->handle = file;
    if (error == 0)
        diya_mpi_write_late_process(comm, mpi->caller);
    int mode = diya_mpi_amode(amode, mpi->caller), ranks = 0;
    if (error == 0 && file != 0) {
        uint32_t state = DIYA_MPI_OPENED | ((mode & DIYA_MPI_MODE_SEQUENTIAL) != 0 ? DIYA_MPI_SEQUENTIAL : 0);
        diya_handle_bind(DIYA_HANDLE_MPI_FILE, file, mpi->file);
        diya_handle_bind(DIYA_HANDLE_MPI_VIEW, file, state);
        diya_mpi_forget_place(file); /* of an earlier file at the same address */
        ranks = describe_open(mpi, comm, mode);
    }
    struct diya_event event = event_of(mpi);
    if (ranks == 1) /* MPI_COMM_SELF: no other rank takes part; Darshan counts the same way */
        event.collective = DIYA_COLLECTIVE_NO;
    event.has_aux = true;
    event.aux = (uint32_t)mode;
    diya_mpi_end(mpi, error, &event);
}

void diya_mpi_end_close(struct diya_mpi_call *mpi, int error)
{
    diya_mpi_returned(mpi);
    if (error == 0) {
        diya_handle_unbind(DIYA_HANDLE_MPI_FILE, mpi->handle);
        diya_handle_unbind(DIYA_HANDLE_MPI_VIEW, mpi->handle);
        diya_mpi_forget_place(mpi->handle);
    }
    struct diya_event event = event_of(mpi);
    diya_mpi_end(mpi, error, &event);
}

void diya_mpi_end_delete(struct diya_mpi_call *mpi, int error, const char *path)
{
    diya_mpi_returned(mpi);
    mpi->file = diya_file_of_path(without_file_system(path));
    struct diya_event event = event_of(mpi);
    diya_mpi_end(mpi, error, &event);
}

/* --- view, info, seek ----------------------------------------------------------- */

static void write_view(const struct diya_mpi_call *mpi, int64_t displacement, int64_t etype_size, int64_t size,
                       int64_t extent)
{
    uint32_t written = diya_handle_find(DIYA_HANDLE_VIEW_COUNT, mpi->file);
    if (mpi->file == 0 || written >= VIEWS_WRITTEN)
        return;
    diya_handle_bind(DIYA_HANDLE_VIEW_COUNT, mpi->file, written + 1);
    char text[128];
    snprintf(text, sizeof text, "displacement=%lld etype_size=%lld filetype_size=%lld filetype_extent=%lld",
             (long long)displacement, (long long)etype_size, (long long)size, (long long)extent);
    diya_attribute(mpi->file, "mpi:view", text);
    diya_mpi_write_hints(mpi->file, mpi->handle, mpi->caller);
}

void diya_mpi_end_view(struct diya_mpi_call *mpi, int error, int64_t displacement, uintptr_t etype, uintptr_t filetype)
{
    diya_mpi_returned(mpi);
    struct diya_event event = event_of(mpi);
    event.offset = displacement >= 0 ? displacement : -1; /* MPI_DISPLACEMENT_CURRENT is negative */
    if (error == 0) {
        int64_t etype_size = diya_mpi_type_size(etype, mpi->caller);
        int64_t size = diya_mpi_type_size(filetype, mpi->caller);
        int64_t extent = diya_mpi_type_extent(filetype, mpi->caller);
        bool is_plain = displacement == 0 && etype_size == 1 && size == 1 && extent == 1;
        uint32_t state = mpi->state & ~(uint32_t)DIYA_MPI_HAS_VIEW;
        if (state != 0)
            diya_handle_bind(DIYA_HANDLE_MPI_VIEW, mpi->handle, state | (is_plain ? 0 : DIYA_MPI_HAS_VIEW));
        diya_mpi_place_in_view(mpi->handle, etype_size);
        write_view(mpi, displacement, etype_size, size, extent);
        event.has_aux = extent >= 0;
        event.aux = (uint64_t)extent;
    }
    diya_mpi_end(mpi, error, &event);
}

void diya_mpi_end_info(struct diya_mpi_call *mpi, int error)
{
    diya_mpi_returned(mpi);
    if (error == 0)
        diya_mpi_write_hints(mpi->file, mpi->handle, mpi->caller);
    struct diya_event event = event_of(mpi);
    diya_mpi_end(mpi, error, &event);
}

void diya_mpi_end_flag(struct diya_mpi_call *mpi, int error, int flag)
{
    diya_mpi_returned(mpi);
    struct diya_event event = event_of(mpi);
    event.has_aux = true;
    event.aux = flag != 0;
    diya_mpi_end(mpi, error, &event);
}

void diya_mpi_end_seek(struct diya_mpi_call *mpi, int error, int64_t offset, int whence)
{
    diya_mpi_returned(mpi);
    struct diya_event event = event_of(mpi);
    bool is_known = (mpi->state & (DIYA_MPI_OPENED | DIYA_MPI_SEQUENTIAL)) == DIYA_MPI_OPENED;
    if (error == 0 && is_known && mpi->function == DIYA_F_MPI_FILE_SEEK) {
        event.offset = diya_mpi_sought(mpi, offset, whence);
        if (event.offset >= 0 && (mpi->state & DIYA_MPI_HAS_VIEW) != 0)
            event.offset = diya_mpi_byte_offset(mpi->handle, event.offset, mpi->caller);
    } else {
        event.offset = offset >= 0 ? offset : -1;
    }
    event.has_aux = true;
    event.aux = (uint32_t)diya_mpi_whence(whence);
    diya_mpi_end(mpi, error, &event);
}
