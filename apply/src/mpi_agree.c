/* Collective buffering for independent writes: for which files.
 *
 * What a rank has gathered is written by one collective call, so all ranks of the file have
 * to take part, or none. They agree before the file is opened: MPI_File_open is collective,
 * all ranks are there. A rank without this library would never answer. Nobody can find that
 * out, so it is refused where it may happen. */
#include "mpi_file.h"

#include <stdlib.h>
#include <string.h>

/* Mode bits: the same numbers in MPICH and Open MPI. */
enum { MODE_RDONLY = 2, MODE_SEQUENTIAL = 256, THREAD_MULTIPLE = 3 };

enum { LARGEST = 1 << 30 }; /* an int counts the bytes of a call */

bool apply_mpi_may_lack_library(void)
{
    const char *all = getenv("OMPI_COMM_WORLD_SIZE"), *here = getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
    return all != NULL && here != NULL && strcmp(all, here) != 0;
}

/* NULL: this rank is ready. */
static const char *why_not(const struct mpi_library *mpi, int amode, uint64_t bytes, const void *caller)
{
    int threads = THREAD_MULTIPLE;
    if (bytes == 0)
        return "a rank has another path or no number of bytes for this file";
    if ((amode & (MODE_RDONLY | MODE_SEQUENTIAL)) != 0)
        return "it is opened for reading only or sequentially";
    if (mpi->Query_thread(&threads) != 0 || threads >= THREAD_MULTIPLE)
        return "the program may call MPI from several threads at once (MPI_THREAD_MULTIPLE)";
    /* Both read what other ranks wrote after a barrier, without MPI_File_sync. */
    if (apply_layer_is_called_by(caller, "H5open") || apply_layer_is_called_by(caller, "ncmpi_strerror"))
        return "HDF5 and PnetCDF read what another rank wrote without MPI_File_sync";
    return NULL;
}

struct mpi_agreement apply_mpi_collect_agree(const struct mpi_library *mpi, uintptr_t comm, int amode, const char *path,
                                             const void *caller)
{
    struct mpi_agreement agreement = {.comm = 0};
    int ranks = 0;
    if (!apply_is_asked(APPLY_mpi_collect) || apply_mpi_is(mpi, comm, mpi->comm_null) || mpi->Comm_size(comm, &ranks) != 0)
        return agreement;
    uint64_t bytes = apply_bytes(APPLY_mpi_collect, path);
    const char *unasked = mpi->family == MPI_FAMILY_ABI ? "it is not known for the library of the MPI 5 ABI"
                          : ranks == 1                  ? "one rank opens it"
                          : apply_mpi_may_lack_library()
                              ? "mpirun of Open MPI may have started ranks on other nodes without this library"
                              : NULL;
    if (unasked != NULL) {
        if (bytes != 0)
            apply_refused(APPLY_mpi_collect, path, unasked);
        return agreement;
    }
    const char *why = why_not(mpi, amode, bytes, caller);
    char is_mine = why != NULL, is_any = 1;
    bool is_agreed = mpi->Allreduce(&is_mine, &is_any, 1, mpi->byte, mpi->bit_or, comm) == 0 && is_any == 0;
    if (!is_agreed && bytes != 0)
        apply_refused(APPLY_mpi_collect, path, why != NULL ? why : "another rank refuses it");
    if (is_agreed && mpi->Comm_split(comm, 0, 0, &agreement.comm) == 0)
        agreement.bytes = bytes < LARGEST ? bytes : LARGEST;
    else
        agreement.comm = 0;
    return agreement;
}

void apply_mpi_collect_open(const struct mpi_library *mpi, struct mpi_agreement *agreement, struct mpi_file *file)
{
    if (agreement->comm == 0)
        return;
    if (file == NULL) { /* the file could not be opened, or there is no memory */
        mpi->Comm_free(&agreement->comm);
        return;
    }
    file->takes_part = file->gathers = true;
    file->comm = agreement->comm;
    file->gathered.room = agreement->bytes;
    file->etype = file->filetype = mpi->byte;
    file->etype_bytes = 1;
    apply_used(APPLY_mpi_collect, apply_value(APPLY_mpi_collect, file->path), file->path);
}

static void free_type(const struct mpi_library *mpi, uintptr_t *type)
{
    if (*type != 0 && !apply_mpi_is_named(mpi, *type))
        mpi->Type_free(type);
}

/* The program may free its types after this call, and wants the view back later. */
static uintptr_t keep(const struct mpi_library *mpi, uintptr_t type)
{
    uintptr_t kept = type;
    if (!apply_mpi_is_named(mpi, type) && mpi->Type_dup(type, &kept) != 0)
        kept = 0;
    return kept;
}

void apply_mpi_collect_view(const struct mpi_library *mpi, struct mpi_file *file, int64_t displacement, uintptr_t etype,
                            uintptr_t filetype, const char *representation)
{
    file->has_position = false;
    if (!file->takes_part)
        return;
    free_type(mpi, &file->etype);
    free_type(mpi, &file->filetype);
    file->etype = keep(mpi, etype);
    file->filetype = keep(mpi, filetype);
    file->displacement = displacement;
    file->etype_bytes = apply_mpi_plain_bytes(mpi, filetype) != 0 ? apply_mpi_plain_bytes(mpi, etype) : 0;
    if (file->etype_bytes == 0)
        apply_refused(APPLY_mpi_collect, file->path, "its view has holes, or a type that cannot be seen through");
    if (strcmp(representation, "native") != 0 || file->etype == 0 || file->filetype == 0)
        apply_mpi_stop(mpi, file, "its data representation is not \"native\"");
}

void apply_mpi_collect_close(const struct mpi_library *mpi, struct mpi_file *file)
{
    apply_gathered_free(&file->gathered);
    if (file->comm == 0)
        return;
    free_type(mpi, &file->etype);
    free_type(mpi, &file->filetype);
    mpi->Comm_free(&file->comm);
}
