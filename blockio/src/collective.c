/* Collective calls of MPI-IO with a file view of the plan's runs. */
#include "ranks.h"

#include <limits.h>
#include <stdlib.h>

/* Runs are shorter than REQUEST_BYTES here: choose.c sees to it. */
blockio_status make_view(const struct group *group, struct side *side, blockio_error *error)
{
    const struct runs *runs = &side->runs;
    int *lengths = allocate(runs->count, sizeof *lengths);
    MPI_Aint *offsets = allocate(runs->count, sizeof *offsets);
    MPI_Datatype *view = allocate(1, sizeof *view);
    blockio_status status = BLOCKIO_OK;
    if (lengths == NULL || offsets == NULL || view == NULL || runs->count > INT_MAX)
        status = fail(error, BLOCKIO_NO_MEMORY, "no memory for a file view of %zu pieces", runs->count);
    for (size_t i = 0; i < runs->count && status == BLOCKIO_OK; i++) {
        lengths[i] = (int)runs->run[i].length_bytes;
        offsets[i] = (MPI_Aint)runs->run[i].offset_bytes;
    }
    if (status == BLOCKIO_OK) {
        int result = runs->count == 0 ? MPI_Type_contiguous(1, MPI_BYTE, view)
                                      : MPI_Type_create_hindexed((int)runs->count, lengths, offsets, MPI_BYTE, view);
        if (result == MPI_SUCCESS && (result = MPI_Type_commit(view)) != MPI_SUCCESS)
            MPI_Type_free(view);
        status = mpi_status(result, "MPI_Type_create_hindexed", "file view of a plan", error);
    }
    free(lengths);
    free(offsets);
    side->view_number = ++mpi_group_of(group)->views;
    if (status == BLOCKIO_OK)
        side->view = view;
    else
        free(view);
    return status;
}

void free_view(struct side *side)
{
    MPI_Datatype *view = side->view;
    MPI_Type_free(view);
    free(view);
    side->view = NULL;
}

blockio_status collective(blockio_file *file, const struct side *side, unsigned char *packed, bool is_write,
                          blockio_error *error)
{
    struct mpi_group *group = mpi_group_of(file->group);
    const MPI_Datatype *view = side->view;
    int count = (int)side->runs.packed_bytes[side->runs.count];
    int result;
    blockio_status status;
    if (group->view != side->view_number) {
        result = MPI_File_set_view(group->file, 0, MPI_BYTE, *view, "native", MPI_INFO_NULL);
        status = mpi_status(result, "MPI_File_set_view", file->name, error);
        status = group->base.calls->agree(&group->base, status, error);
        if (status != BLOCKIO_OK)
            return status;
        group->view = side->view_number;
    }
    MPI_Status found;
    result = is_write ? MPI_File_write_at_all(group->file, 0, packed, count, MPI_BYTE, &found)
                      : MPI_File_read_at_all(group->file, 0, packed, count, MPI_BYTE, &found);
    return mpi_status(result, is_write ? "MPI_File_write_at_all" : "MPI_File_read_at_all", file->name, error);
}
