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
#include "hdf5.h"
#include "mpi_file.h"

#include <stdlib.h>

/* The first byte of a question and its answer. */
enum { PENDING = 1, SEVERAL = 2, STOP = 4, WORTH = 8, HOLES = 16 };
/* The second: rounds that a rank with holes in its view needs, bit N for more than 2^N. */
enum { MOST_ROUNDS = 1 << 6 };
/* Collective writes that do not pay, one after the other. */
enum { STRIKES = 2 };
/* Collective calls with nothing to write before them, after which the ranks stop asking. */
enum { IDLE_CALLS = 16 };

static bool ask(const struct mpi_library *mpi, const struct mpi_file *file, const unsigned char mine[2],
                unsigned char all[2])
{
    return mpi->Allreduce(mine, all, 2, mpi->byte, mpi->bit_or, file->comm) == 0;
}

static void wait_for_all(const struct mpi_library *mpi, const struct mpi_file *file)
{
    unsigned char nothing[2] = {0, 0}, all[2];
    ask(mpi, file, nothing, all);
}

/* One call for each piece. In a view without holes a piece has none either: data sieving would
 * read and write back the holes, into which another rank may be writing. Where the view has
 * holes, a piece is what the program wrote in one call, and is as safe as that. */
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
        int failed = mpi->File_write_at(file->handle, apply_mpi_etypes(file, piece->offset),
                                        gathered->memory + piece->at, (int)piece->bytes, mpi->byte, &status);
        error = error != 0 ? error : failed;
        apply_count(APPLY_mpi_collect, 0, 1, 0);
    }
    apply_gathered_clear(gathered);
    file->calls = 0;
    return error;
}

/* In the view of the program: piece `index` of this rank, if it has as many. */
static int write_in_view(const struct mpi_library *mpi, struct mpi_file *file, size_t index)
{
    struct mpi_status status;
    const struct gathered *gathered = &file->gathered;
    struct piece piece = index < gathered->count ? gathered->pieces[index] : (struct piece){0};
    return mpi->File_write_at_all(file->handle, apply_mpi_etypes(file, piece.offset), gathered->memory + piece.at,
                                  (int)piece.bytes, mpi->byte, &status);
}

/* A collective call returns when this rank's part is done. An aggregator may still be writing
 * back a hole that it has read, into which the next round writes. */
static int write_in_rounds(const struct mpi_library *mpi, struct mpi_file *file, size_t rounds)
{
    int error = 0;
    for (size_t round = 0; round < rounds; round++) {
        int failed = write_in_view(mpi, file, round);
        error = error != 0 ? error : failed;
        if (round + 1 < rounds)
            wait_for_all(mpi, file);
    }
    return error;
}

static bool make_layout(const struct mpi_library *mpi, const struct mpi_file *file, uintptr_t *layout)
{
    const struct gathered *gathered = &file->gathered;
    int *lengths = malloc(gathered->count * sizeof *lengths);
    int64_t *places = malloc(gathered->count * sizeof *places);
    bool is_made = lengths != NULL && places != NULL;
    for (size_t i = 0; is_made && i < gathered->count; i++) {
        lengths[i] = (int)gathered->pieces[i].bytes;
        places[i] = file->displacement + gathered->pieces[i].offset;
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
    bool is_made = gathered->count > 0 && make_layout(mpi, file, &layout);
    if (!file->has_position)
        file->has_position = mpi->File_get_position(file->handle, &file->position) == 0;
    int error = mpi->File_set_view(file->handle, 0, mpi->byte, is_made ? layout : mpi->byte, "native", mpi->info_null);
    bool is_ready = is_made && error == 0;
    int failed = mpi->File_write_at_all(file->handle, 0, gathered->memory, is_ready ? (int)gathered->used : 0,
                                        mpi->byte, &status);
    error = error != 0 ? error : failed;
    failed =
        mpi->File_set_view(file->handle, file->displacement, file->etype, file->filetype, "native", mpi->info_null);
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

static size_t rounds_in(unsigned char bits)
{
    size_t rounds = 1;
    for (; bits != 0; bits >>= 1)
        rounds *= 2;
    return rounds;
}

/* What this rank has, for the others. */
static void describe(struct mpi_file *file, unsigned char mine[2])
{
    if (!apply_gathered_sort(&file->gathered))
        file->must_stop = true;
    size_t runs = apply_gathered_runs(&file->gathered);
    mine[0] = (unsigned char)((runs > 0 ? PENDING : 0) | (runs > 1 ? SEVERAL : 0) | (file->must_stop ? STOP : 0) |
                              (file->was_worth ? WORTH : 0) | (file->has_holes ? HOLES : 0));
    mine[1] = 0;
    for (unsigned bit = 0; bit < 8; bit++)
        mine[1] |= (unsigned char)(runs > (size_t)1 << bit ? 1 << bit : 0);
}

static int write_gathered(const struct mpi_library *mpi, struct mpi_file *file, const unsigned char all[2])
{
    struct gathered *gathered = &file->gathered;
    size_t rounds = rounds_in(all[1]);
    if ((all[0] & HOLES) != 0 && rounds > MOST_ROUNDS)
        return apply_mpi_write_alone(mpi, file);
    if (gathered->count > 0)
        apply_count(APPLY_mpi_collect, 0, (all[0] & HOLES) != 0 ? rounds : 1, 0);
    apply_gathered_join(gathered);
    bool is_in_view = (all[0] & SEVERAL) == 0 || (all[0] & HOLES) != 0;
    return is_in_view ? write_in_rounds(mpi, file, rounds) : write_in_layout(mpi, file);
}

static int write_with_lock(const struct mpi_library *mpi, struct mpi_file *file)
{
    unsigned char mine[2], all[2];
    describe(file, mine);
    if (!ask(mpi, file, mine, all) || (all[0] & STOP) != 0)
        return stop_together(mpi, file, "another rank stopped");
    if (file->has_verdict)
        file->strikes = (all[0] & WORTH) != 0 ? 0 : file->strikes + 1;
    file->has_verdict = false;
    if (file->strikes == STRIKES)
        return stop_together(mpi, file, "collective writes took longer than the writes of the program");
    if ((all[0] & PENDING) == 0)
        return ++file->idle < IDLE_CALLS ? 0 : stop_together(mpi, file, "collective calls had nothing to gather");
    file->idle = 0;
    uint64_t start = apply_mpi_now_ns(), calls = file->calls;
    int error = write_gathered(mpi, file, all);
    apply_gathered_clear(&file->gathered);
    wait_for_all(mpi, file); /* as between rounds: this rank may write next */
    file->has_verdict = true;
    uint64_t saved_ns = file->timed == 0 ? 0 : calls * file->timed_ns / file->timed;
    file->was_worth = file->is_always || apply_mpi_now_ns() - start < saved_ns;
    file->calls = 0;
    return error;
}

/* Another thread of a rank may use the file, and other ranks may need what it does before they
 * come: so the lock is taken when all are there. From then on no rank waits for any other
 * thread. */
int apply_mpi_write_together(const struct mpi_library *mpi, struct mpi_file *file)
{
    if (!file->takes_part)
        return 0;
    if (file->is_threaded)
        wait_for_all(mpi, file);
    pthread_mutex_lock(&file->lock);
    int error = write_with_lock(mpi, file);
    pthread_mutex_unlock(&file->lock);
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

void apply_mpi_told(void)
{
    struct mpi_scope scope;
    const struct mpi_library *mpi = apply_hdf5_writes_data() ? apply_mpi(NULL) : NULL;
    if (mpi == NULL)
        return;
    bool is_outer = apply_mpi_enter(&scope, NULL);
    for (struct mpi_file *file = NULL; is_outer && (file = apply_mpi_file_after(file)) != NULL;) {
        pthread_mutex_lock(&file->lock);
        if (file->is_hdf5)
            apply_mpi_write_alone(mpi, file);
        pthread_mutex_unlock(&file->lock);
    }
    apply_mpi_leave(&scope);
}
