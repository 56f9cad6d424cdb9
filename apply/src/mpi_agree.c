/* Collective buffering for independent writes: for which files.
 *
 * What a rank has gathered is written by one collective call, so all ranks of the file have
 * to take part, or none. They agree before the file is opened: MPI_File_open is collective,
 * all ranks are there. A rank without this library would never answer. Nobody can find that
 * out, so it is refused where it may happen. */
#include "mpi_file.h"

#include <stdlib.h>
#include <string.h>

enum { LARGEST = 1 << 30 }; /* an int counts the bytes of a call */

/* NAME or NAME=VALUE in a list with semicolons. */
static bool names(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = list; at != NULL; at = strchr(at, ';')) {
        at += *at == ';';
        if (strncmp(at, name, length) == 0 && (at[length] == '\0' || at[length] == ';' || at[length] == '='))
            return true;
    }
    return false;
}

bool apply_mpi_may_lack_library(void)
{
    const char *all = getenv("OMPI_COMM_WORLD_SIZE"), *here = getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
    const char *passed_on = getenv("OMPI_MCA_mca_base_env_list");
    return all != NULL && here != NULL && strcmp(all, here) != 0 &&
           !(names(passed_on, "LD_PRELOAD") && names(passed_on, "DIYA_APPLY"));
}

/* BYTES, or BYTES,always; 0: it is neither, or nothing is asked for this file. */
static uint64_t read_value(const char *path, bool *is_always)
{
    const char *value = apply_value(APPLY_mpi_collect, path);
    char *end = NULL;
    uint64_t bytes = value == NULL || value[0] == '-' ? 0 : strtoull(value, &end, 10);
    *is_always = end != NULL && strcmp(end, ",always") == 0;
    return end != NULL && end != value && (*end == '\0' || *is_always) ? bytes : 0;
}

/* A program that has only sessions cannot be asked (MPI 4). */
static bool may_have_threads(const struct mpi_library *mpi)
{
    int is_initialized = 0, level = 0;
    return mpi->Initialized(&is_initialized) != 0 || !is_initialized || mpi->Query_thread(&level) != 0 ||
           level >= mpi->thread_multiple;
}

/* NULL: this rank is ready. */
static const char *why_not(const struct mpi_library *mpi, int amode, uint64_t bytes, const void *caller)
{
    if (bytes == 0)
        return "for a rank the value is not a number of bytes, or its path is another";
    if ((amode & mpi->mode_read) != 0)
        return "it is opened for reading: a read that waits for other ranks can wait for ever";
    if ((amode & mpi->mode_sequential) != 0)
        return "it is opened sequentially";
    /* Ranks read each other's headers and records after a barrier, without MPI_File_sync. */
    if (apply_layer_is_called_by(caller, "ncmpi_strerror"))
        return "PnetCDF reads what another rank wrote without MPI_File_sync";
    return NULL;
}

enum { REFUSES = 1, HAS_THREADS = 2 };

struct mpi_agreement apply_mpi_collect_agree(const struct mpi_library *mpi, uintptr_t comm, int amode, const char *path,
                                             const void *caller)
{
    struct mpi_agreement agreement = {.comm = 0};
    int ranks = 0;
    if (!apply_is_asked(APPLY_mpi_collect) || apply_mpi_is(mpi, comm, mpi->comm_null) ||
        mpi->Comm_size(comm, &ranks) != 0)
        return agreement;
    uint64_t bytes = read_value(path, &agreement.is_always);
    const char *unasked = ranks == 1 ? "one rank opens it"
                          : apply_mpi_may_lack_library()
                              ? "mpirun of Open MPI may have started ranks on other nodes without this library"
                              : NULL;
    if (unasked != NULL) {
        if (apply_value(APPLY_mpi_collect, path) != NULL)
            apply_refused(APPLY_mpi_collect, path, unasked);
        return agreement;
    }
    const char *why = why_not(mpi, amode, bytes, caller);
    char mine = (char)((why != NULL ? REFUSES : 0) | (may_have_threads(mpi) ? HAS_THREADS : 0)), all = REFUSES;
    bool is_agreed = mpi->Allreduce(&mine, &all, 1, mpi->byte, mpi->bit_or, comm) == 0 && (all & REFUSES) == 0;
    if (!is_agreed && apply_value(APPLY_mpi_collect, path) != NULL)
        apply_refused(APPLY_mpi_collect, path, why != NULL ? why : "another rank refuses it");
    agreement.is_threaded = (all & HAS_THREADS) != 0;
    agreement.is_hdf5 = apply_layer_is_called_by(caller, "H5open");
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
    file->is_always = agreement->is_always;
    file->is_hdf5 = agreement->is_hdf5;
    file->is_threaded = agreement->is_threaded;
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
    int etype_bytes = 0;
    file->has_position = false;
    if (!file->takes_part)
        return;
    free_type(mpi, &file->etype);
    free_type(mpi, &file->filetype);
    file->etype = keep(mpi, etype);
    file->filetype = keep(mpi, filetype);
    file->displacement = displacement;
    file->etype_bytes = mpi->Type_size(etype, &etype_bytes) == 0 ? etype_bytes : 0;
    file->has_holes = apply_mpi_plain_bytes(mpi, filetype) == 0;
    file->gathered.keeps_calls = file->has_holes;
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
