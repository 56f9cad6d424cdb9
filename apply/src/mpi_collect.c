/* Collective buffering for independent writes: the writes.
 *
 * MPI lets another rank see a write only after both called MPI_File_sync, or after the file
 * was closed, unless the atomic mode is set (MPI 4.0, section 14.6.1 "File Consistency").
 * Between these calls a rank may keep its writes to itself. They are written at the next
 * blocking collective call on the file: all ranks make it, so none waits in vain. What the
 * rank itself may notice is written before: reads, the size of the file, requests.
 *
 * Where writes are cheap (a local disk), moving the bytes between ranks costs more than it
 * saves. So the first writes are made as they are and timed, each collective write is timed,
 * and the ranks stop when two in a row took longer than the writes of every rank would have.
 */
#include "mpi_file.h"

#include <stdlib.h>

enum { PENDING = 1, SEVERAL = 2, STOP = 4, WORTH = 8 };
/* Collective writes that do not pay, one after the other. */
enum { STRIKES = 2 };
/* Collective calls with nothing to write before them, after which the ranks stop asking. */
enum { IDLE_CALLS = 16 };

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
        int failed = mpi->File_write_at(file->handle, apply_mpi_etypes(file, piece->offset), gathered->memory + piece->at,
                                        (int)piece->bytes, mpi->byte, &status);
        error = error != 0 ? error : failed;
        apply_count(APPLY_mpi_collect, 0, 1, 0);
    }
    apply_gathered_clear(gathered);
    file->calls = 0;
    return error;
}

/* Each rank has at most one piece: the view stays. */
static int write_in_view(const struct mpi_library *mpi, struct mpi_file *file)
{
    struct mpi_status status;
    const struct gathered *gathered = &file->gathered;
    int64_t offset = gathered->count == 0 ? 0 : apply_mpi_etypes(file, gathered->pieces[0].offset);
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
                       (file->must_stop ? STOP : 0) | (file->was_worth ? WORTH : 0));
    char all = STOP;
    if (mpi->Allreduce(&mine, &all, 1, mpi->byte, mpi->bit_or, file->comm) != 0 || (all & STOP) != 0)
        return stop_together(mpi, file, "another rank stopped");
    if (file->has_verdict)
        file->strikes = (all & WORTH) != 0 ? 0 : file->strikes + 1;
    file->has_verdict = false;
    if (file->strikes == STRIKES)
        return stop_together(mpi, file, "collective writes took longer than the writes of the program");
    if ((all & PENDING) == 0)
        return ++file->idle < IDLE_CALLS ? 0 : stop_together(mpi, file, "collective calls had nothing to gather");
    file->idle = 0;
    if (gathered->count > 0)
        apply_count(APPLY_mpi_collect, 0, 1, 0);
    uint64_t start = apply_mpi_now_ns();
    int error = (all & SEVERAL) == 0 ? write_in_view(mpi, file) : write_in_layout(mpi, file);
    apply_gathered_clear(gathered);
    /* A collective call returns when this rank's part is done. An aggregator may still be
     * writing back a hole that it has read, into which this rank writes next. */
    mpi->Allreduce(&mine, &all, 1, mpi->byte, mpi->bit_or, file->comm);
    file->has_verdict = true;
    uint64_t saved_ns = file->timed == 0 ? 0 : file->calls * file->timed_ns / file->timed;
    file->was_worth = file->is_always || apply_mpi_now_ns() - start < saved_ns;
    file->calls = 0;
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
