/* Collective buffering for independent writes: which writes are gathered. */
#include "hdf5.h"
#include "mpi_file.h"

#include <stdlib.h>

/* Made as they are, to know what a write takes. */
enum { TIMED_WRITES = 8 };

int apply_mpi_settle_position(const struct mpi_library *mpi, struct mpi_file *file)
{
    if (!file->has_position)
        return 0;
    file->has_position = false;
    return mpi->File_seek(file->handle, file->position, mpi->seek_set);
}

/* Bytes of one write; 0: it is one that MPI answers with an error, or nothing. */
static int64_t bytes_of(const struct mpi_library *mpi, const struct mpi_file *file, const int64_t *offset,
                        const void *buffer, int64_t count, uintptr_t type)
{
    int element = 0;
    if (!file->gathers || file->etype_bytes == 0 || count <= 0 || buffer == NULL || (offset != NULL && *offset < 0) ||
        mpi->Type_size(type, &element) != 0 || element <= 0)
        return 0;
    return count <= INT64_MAX / element && count * element % file->etype_bytes == 0 ? count * element : 0;
}

/* Data with holes or in another order than memory has it becomes plain. NULL: that failed. */
static char *packed(const struct mpi_library *mpi, const struct mpi_file *file, const void *buffer, int64_t count,
                    uintptr_t type, int64_t bytes)
{
    char *memory = malloc((size_t)bytes);
    int position = 0;
    if (memory != NULL && mpi->Pack(buffer, (int)count, type, memory, (int)bytes, &position, file->comm) == 0 &&
        position == bytes)
        return memory;
    free(memory);
    return NULL;
}

/* false: there is no memory, or the data cannot be packed. */
static bool add(const struct mpi_library *mpi, struct mpi_file *file, int64_t at, const void *buffer, int64_t count,
                uintptr_t type, int64_t bytes, int *error)
{
    char *made = NULL;
    if (apply_mpi_plain_bytes(mpi, type) == 0 &&
        (buffer = made = packed(mpi, file, buffer, count, type, bytes)) == NULL)
        return false;
    bool is_added = apply_gathered_add(&file->gathered, at, buffer, (size_t)bytes);
    if (!is_added) {
        *error = apply_mpi_write_alone(mpi, file);
        is_added = apply_gathered_add(&file->gathered, at, buffer, (size_t)bytes);
    }
    free(made);
    return is_added;
}

static void set_status(const struct mpi_library *mpi, void *status, int64_t bytes)
{
    if ((uintptr_t)status <= 1) /* MPI_STATUS_IGNORE */
        return;
    mpi->Status_set_elements(status, mpi->byte, (int)bytes);
    mpi->Status_set_cancelled(status, 0);
}

/* Where the write goes in the view; -1: that is not known. */
static int64_t place_of(const struct mpi_library *mpi, struct mpi_file *file, const int64_t *offset)
{
    if (offset == NULL && !file->has_position)
        file->has_position = mpi->File_get_position(file->handle, &file->position) == 0;
    if (offset == NULL && !file->has_position)
        return -1;
    return (offset != NULL ? *offset : file->position) * file->etype_bytes;
}

/* Made as it is, at the place that it has. */
static int write_timed(const struct mpi_library *mpi, struct mpi_file *file, int64_t at, const void *buffer, int count,
                       uintptr_t type, void *status)
{
    uint64_t start = apply_mpi_now_ns();
    int error = mpi->File_write_at(file->handle, apply_mpi_etypes(file, at), buffer, count, type, status);
    file->timed_ns += apply_mpi_now_ns() - start;
    file->timed++;
    apply_count(APPLY_mpi_collect, 0, 1, 0);
    return error;
}

bool apply_mpi_take(const struct mpi_library *mpi, struct mpi_file *file, const int64_t *offset, const void *buffer,
                    int64_t count, uintptr_t type, void *status, int *error)
{
    int64_t bytes = bytes_of(mpi, file, offset, buffer, count, type);
    int64_t at = bytes == 0 ? -1 : place_of(mpi, file, offset);
    bool is_other = bytes > (int64_t)file->gathered.room || (file->is_hdf5 && !apply_hdf5_writes_data());
    /* A write that is made as it is must not overtake older ones of the same bytes. */
    if (at < 0 || (is_other && apply_gathered_touches(&file->gathered, at, (size_t)bytes)))
        *error = apply_mpi_write_alone(mpi, file);
    if (at < 0 || is_other)
        return false;
    bool is_timed = !file->is_always && file->timed < TIMED_WRITES && file->gathered.count == 0;
    if (is_timed)
        *error = write_timed(mpi, file, at, buffer, (int)count, type, status);
    else if (!add(mpi, file, at, buffer, count, type, bytes, error)) {
        *error = *error != 0 ? *error : apply_mpi_write_alone(mpi, file);
        return false;
    }
    if (offset == NULL && *error == 0)
        file->position += bytes / file->etype_bytes;
    apply_count(APPLY_mpi_collect, 1, 0, (uint64_t)bytes);
    file->calls += !is_timed;
    if (!is_timed)
        set_status(mpi, status, bytes);
    return true;
}
