/* Files by MPI-IO: requests of one rank at an offset in bytes. On a local file system, which all ranks
 * reach by the kernel of their node, they are POSIX calls: those of MPI-IO cost more than a short request. */
#include "ranks.h"

#include <unistd.h>

/* After a collective call the view of its plan is still set: the next one may need it again. */
blockio_status set_byte_view(blockio_file *file, blockio_error *error)
{
    struct mpi_group *group = mpi_group_of(file->group);
    if (group->view == 0 || file->descriptor >= 0)
        return BLOCKIO_OK;
    group->view = 0;
    int result = MPI_File_set_view(group->file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    return mpi_status(result, "MPI_File_set_view", file->name, error);
}

static blockio_status read_mpi(blockio_file *file, int64_t offset_bytes, void *to, int64_t bytes, int64_t *got_bytes,
                               blockio_error *error)
{
    for (*got_bytes = 0; *got_bytes < bytes;) {
        int64_t left = bytes - *got_bytes;
        int wanted = (int)(left < REQUEST_BYTES ? left : REQUEST_BYTES), got = 0;
        MPI_Status found;
        int result = MPI_File_read_at(mpi_group_of(file->group)->file, offset_bytes + *got_bytes,
                                      (unsigned char *)to + *got_bytes, wanted, MPI_BYTE, &found);
        if (result != MPI_SUCCESS)
            return mpi_status(result, "MPI_File_read_at", file->name, error);
        MPI_Get_count(&found, MPI_BYTE, &got);
        if (got <= 0) /* the end of the file, or MPI_UNDEFINED */
            break;
        *got_bytes += got;
    }
    return BLOCKIO_OK;
}

static blockio_status write_mpi(blockio_file *file, int64_t offset_bytes, const void *from, int64_t bytes,
                                blockio_error *error)
{
    for (int64_t done = 0; done < bytes;) {
        int64_t left = bytes - done;
        int wanted = (int)(left < REQUEST_BYTES ? left : REQUEST_BYTES), written = 0;
        MPI_Status found;
        int result = MPI_File_write_at(mpi_group_of(file->group)->file, offset_bytes + done,
                                       (const unsigned char *)from + done, wanted, MPI_BYTE, &found);
        if (result != MPI_SUCCESS)
            return mpi_status(result, "MPI_File_write_at", file->name, error);
        MPI_Get_count(&found, MPI_BYTE, &written);
        if (written <= 0)
            return fail(error, BLOCKIO_SYSTEM,
                        "MPI_File_write_at: %s: nothing was written at byte %lld; is the disk full?", file->name,
                        (long long)(offset_bytes + done));
        done += written;
    }
    return BLOCKIO_OK;
}

static blockio_status size_mpi(blockio_file *file, int64_t *bytes, blockio_error *error)
{
    MPI_Offset found = 0;
    int result = MPI_File_get_size(mpi_group_of(file->group)->file, &found);
    *bytes = found;
    return mpi_status(result, "MPI_File_get_size", file->name, error);
}

static blockio_status sync_mpi(blockio_file *file, blockio_error *error)
{
    return mpi_status(MPI_File_sync(mpi_group_of(file->group)->file), "MPI_File_sync", file->name, error);
}

static blockio_status close_mpi(blockio_file *file, blockio_error *error)
{
    struct mpi_group *group = mpi_group_of(file->group);
    int result = MPI_File_close(&group->file);
    if (file->descriptor >= 0)
        close(file->descriptor);
    blockio_status status =
        group->base.calls->agree(&group->base, mpi_status(result, "MPI_File_close", file->name, error), error);
    MPI_Comm_free(&group->comm);
    return status;
}

const struct store mpi_store = {read_mpi, write_mpi, size_mpi, sync_mpi, close_mpi};
const struct store local_store = {read_posix, write_posix, size_posix, sync_mpi, close_mpi};
