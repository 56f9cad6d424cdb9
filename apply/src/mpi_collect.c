/* Collective buffering for independent writes: the writes.
 *
 * MPI lets another rank see a write only after both called MPI_File_sync, or after the file
 * was closed, unless the atomic mode is set (MPI 4.0, section 14.6.1 "File Consistency").
 * Between these calls a rank may keep its writes to itself. They are written at the next
 * blocking collective call on the file: all ranks make it, so none waits in vain. What the
 * rank itself may notice is written before: reads, the size of the file, requests.
 */
#include "mpi_file.h"

#include <stdlib.h>

enum { PENDING = 1, SEVERAL = 2, STOP = 4 };
/* Collective calls with nothing to write before them, after which the ranks stop asking. */
enum { IDLE_CALLS = 16 };
enum { SEEK_SET_OF_MPI = 600 };

static int64_t etypes_of(const struct mpi_file *file, int64_t offset)
{
    return (offset - file->displacement) / file->etype_bytes;
}

/* One call for each piece without a hole: data sieving would read and write back the holes,
 * into which another rank may be writing. */
int apply_mpi_write_alone(const struct mpi_library *mpi, struct mpi_file *file)
{
    struct gathered *gathered = &file->gathered;
    int error = 0;
    if (gathered->count == 0)
        return 0;
    apply_gathered_sort(gathered);
    for (size_t i = 0; i < gathered->count; i++) {
        struct mpi_status status;
        const struct piece *piece = &gathered->pieces[i];
        int failed = mpi->File_write_at(file->handle, etypes_of(file, piece->offset), gathered->memory + piece->at,
                                        (int)piece->bytes, mpi->byte, &status);
        error = error != 0 ? error : failed;
        apply_count(APPLY_mpi_collect, 0, 1, 0);
    }
    apply_gathered_clear(gathered);
    return error;
}

/* Each rank has at most one piece: the view stays. */
static int write_in_view(const struct mpi_library *mpi, struct mpi_file *file)
{
    struct mpi_status status;
    const struct gathered *gathered = &file->gathered;
    int64_t offset = gathered->count == 0 ? 0 : etypes_of(file, gathered->pieces[0].offset);
    return mpi->File_write_at_all(file->handle, offset, gathered->memory, (int)gathered->used, mpi->byte, &status);
}

static bool make_layout(const struct mpi_library *mpi, const struct gathered *gathered, uintptr_t *layout)
{
    int *lengths = malloc(gathered->count * sizeof *lengths);
    int64_t *places = malloc(gathered->count * sizeof *places);
    bool is_made = lengths != NULL && places != NULL;
    for (size_t i = 0; is_made && i < gathered->count; i++) {
        lengths[i] = (int)gathered->pieces[i].bytes;
        places[i] = gathered->pieces[i].offset;
    }
    is_made = is_made && mpi->Type_create_hindexed((int)gathered->count, lengths, places, mpi->byte, layout) == 0;
    free(lengths);
    free(places);
    return is_made && mpi->Type_commit(layout) == 0;
}

/* Through a view of all pieces, after which the program's view is set again. That takes the
 * file pointer to the start: it is kept here until the program needs it. A rank that fails
 * makes the collective calls all the same, for the others wait for it. */
static int write_in_layout(const struct mpi_library *mpi, struct mpi_file *file)
{
    struct gathered *gathered = &file->gathered;
    struct mpi_status status;
    uintptr_t layout = 0;
    bool is_made = gathered->count > 0 && make_layout(mpi, gathered, &layout);
    if (!file->has_position)
        file->has_position = mpi->File_get_position(file->handle, &file->position) == 0;
    int error = mpi->File_set_view(file->handle, 0, mpi->byte, is_made ? layout : mpi->byte, "native", mpi->info_null);
    bool is_ready = is_made && error == 0;
    int failed = mpi->File_write_at_all(file->handle, 0, gathered->memory, is_ready ? (int)gathered->used : 0,
                                        mpi->byte, &status);
    error = error != 0 ? error : failed;
    failed = mpi->File_set_view(file->handle, file->displacement, file->etype, file->filetype, "native", mpi->info_null);
    error = error != 0 ? error : failed;
    if (layout != 0)
        mpi->Type_free(&layout);
    if (!is_ready && gathered->count > 0) {
        failed = apply_mpi_write_alone(mpi, file);
        error = error != 0 ? error : failed;
    }
    return error;
}

static int stop_together(const struct mpi_library *mpi, struct mpi_file *file, const char *why)
{
    file->takes_part = false;
    return apply_mpi_stop(mpi, file, why);
}

int apply_mpi_write_together(const struct mpi_library *mpi, struct mpi_file *file)
{
    struct gathered *gathered = &file->gathered;
    if (!file->takes_part)
        return 0;
    if (!apply_gathered_sort(gathered))
        file->must_stop = true;
    char mine = (char)((gathered->count > 0 ? PENDING : 0) | (gathered->count > 1 ? SEVERAL : 0) |
                       (file->must_stop ? STOP : 0));
    char all = STOP;
    if (mpi->Allreduce(&mine, &all, 1, mpi->byte, mpi->bit_or, file->comm) != 0 || (all & STOP) != 0)
        return stop_together(mpi, file, "another rank stopped");
    if ((all & PENDING) == 0)
        return ++file->idle < IDLE_CALLS ? 0 : stop_together(mpi, file, "collective calls had nothing to gather");
    file->idle = 0;
    if (gathered->count > 0)
        apply_count(APPLY_mpi_collect, 0, 1, 0);
    int error = (all & SEVERAL) == 0 ? write_in_view(mpi, file) : write_in_layout(mpi, file);
    apply_gathered_clear(gathered);
    /* A collective call returns when this rank's part is done. An aggregator may still be
     * writing back a hole that it has read, into which this rank writes next. */
    mpi->Allreduce(&mine, &all, 1, mpi->byte, mpi->bit_or, file->comm);
    return error;
}

int apply_mpi_stop(const struct mpi_library *mpi, struct mpi_file *file, const char *why)
{
    if (!file->gathers)
        return 0;
    int error = apply_mpi_write_alone(mpi, file);
    file->gathers = false;
    file->must_stop = true;
    apply_gathered_free(&file->gathered);
    apply_refused(APPLY_mpi_collect, file->path, why);
    return error;
}

int apply_mpi_settle_position(const struct mpi_library *mpi, struct mpi_file *file)
{
    if (!file->has_position)
        return 0;
    file->has_position = false;
    return mpi->File_seek(file->handle, file->position, SEEK_SET_OF_MPI);
}

/* Bytes of one write of plain data in a plain view; 0: it is something else. */
static int64_t plain_bytes(const struct mpi_library *mpi, const struct mpi_file *file, const int64_t *offset,
                           const void *buffer, int64_t count, uintptr_t type)
{
    if (!file->gathers || file->etype_bytes == 0 || count <= 0 || buffer == NULL || (offset != NULL && *offset < 0))
        return 0;
    int64_t element = apply_mpi_plain_bytes(mpi, type);
    if (element == 0) {
        apply_refused(APPLY_mpi_collect, file->path, "a write of a type with holes, or one that cannot be seen through");
        return 0;
    }
    return count <= INT64_MAX / element && count * element % file->etype_bytes == 0 ? count * element : 0;
}

static void set_status(const struct mpi_library *mpi, void *status, int64_t bytes)
{
    if ((uintptr_t)status <= 1) /* MPI_STATUS_IGNORE */
        return;
    mpi->Status_set_elements(status, mpi->byte, (int)bytes);
    mpi->Status_set_cancelled(status, 0);
}

/* Where the write goes in the file; -1: that is not known. */
static int64_t place_of(const struct mpi_library *mpi, struct mpi_file *file, const int64_t *offset)
{
    if (offset == NULL && !file->has_position)
        file->has_position = mpi->File_get_position(file->handle, &file->position) == 0;
    if (offset == NULL && !file->has_position)
        return -1;
    return file->displacement + (offset != NULL ? *offset : file->position) * file->etype_bytes;
}

bool apply_mpi_take(const struct mpi_library *mpi, struct mpi_file *file, const int64_t *offset, const void *buffer,
                    int64_t count, uintptr_t type, void *status, int *error)
{
    int64_t bytes = plain_bytes(mpi, file, offset, buffer, count, type);
    int64_t at = bytes == 0 ? -1 : place_of(mpi, file, offset);
    bool is_large = bytes > (int64_t)file->gathered.room;
    /* A write that is made as it is must not overtake older ones of the same bytes. */
    if (at < 0 || (is_large && apply_gathered_touches(&file->gathered, at, (size_t)bytes)))
        *error = apply_mpi_write_alone(mpi, file);
    if (at < 0 || is_large)
        return false;
    if (!apply_gathered_add(&file->gathered, at, buffer, (size_t)bytes)) {
        *error = apply_mpi_write_alone(mpi, file);
        if (!apply_gathered_add(&file->gathered, at, buffer, (size_t)bytes))
            return false;
    }
    if (offset == NULL)
        file->position += bytes / file->etype_bytes;
    apply_count(APPLY_mpi_collect, 1, 0, (uint64_t)bytes);
    set_status(mpi, status, bytes);
    return true;
}
