/* Ranks that open a file together. */
#include "ranks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

blockio_status mpi_status(int result, const char *call, const char *name, blockio_error *error)
{
    char text[MPI_MAX_ERROR_STRING + 1] = "";
    int length = 0, class = MPI_SUCCESS;
    if (result == MPI_SUCCESS)
        return BLOCKIO_OK;
    MPI_Error_class(result, &class);
    MPI_Error_string(result, text, &length);
    bool is_system = class == MPI_ERR_NO_SUCH_FILE || class == MPI_ERR_ACCESS || class == MPI_ERR_NO_SPACE ||
                     class == MPI_ERR_QUOTA || class == MPI_ERR_READ_ONLY || class == MPI_ERR_BAD_FILE;
    return fail(error, is_system ? BLOCKIO_SYSTEM : BLOCKIO_MPI, "%s: %s: %.150s", call, name, text);
}

static blockio_status reduce(const struct group *group, int64_t *values, int count, MPI_Op how, blockio_error *error)
{
    int result = MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_INT64_T, how, mpi_group_of(group)->comm);
    return mpi_status(result, "MPI_Allreduce", "ranks of a file", error);
}

static blockio_status sum(const struct group *group, int64_t *values, int count, blockio_error *error)
{
    return reduce(group, values, count, MPI_SUM, error);
}

static blockio_status largest(const struct group *group, int64_t *values, int count, blockio_error *error)
{
    return reduce(group, values, count, MPI_MAX, error);
}

static blockio_status from_first(const struct group *group, int64_t *value, blockio_error *error)
{
    int result = MPI_Bcast(value, 1, MPI_INT64_T, 0, mpi_group_of(group)->comm);
    return mpi_status(result, "MPI_Bcast", "ranks of a file", error);
}

/* The largest status, with one of the ranks that have it, and the value of rank 0. */
static blockio_status agree_on(const struct group *group, blockio_status status, int64_t *value, blockio_error *error)
{
    int64_t all[2] = {(int64_t)status << 32 | (INT32_MAX - group->rank), group->rank == 0 ? *value : INT64_MIN};
    blockio_status result = reduce(group, all, 2, MPI_MAX, error);
    blockio_status worst = (blockio_status)(all[0] >> 32);
    *value = all[1];
    if (result != BLOCKIO_OK || worst == BLOCKIO_OK || worst == status)
        return result != BLOCKIO_OK ? result : worst;
    return fail(error, worst, "rank %d failed: %s", (int)(INT32_MAX - (all[0] & INT32_MAX)),
                blockio_status_text(worst));
}

static blockio_status agree(const struct group *group, blockio_status status, blockio_error *error)
{
    int64_t nothing = 0;
    return agree_on(group, status, &nothing, error);
}

/* Open MPI 4.1 returns wrong bytes for some of them with its components vulcan, dynamic and
 * dynamic_gen2 (case 186 of tests/random_shapes on 4 ranks); two_phase and ROMIO do not. */
#ifdef OPEN_MPI
enum { SHARES_BADLY = true };
#else
enum { SHARES_BADLY = false };
#endif

const struct group_calls mpi_calls = {.agree = agree,
                                      .sum = sum,
                                      .largest = largest,
                                      .agree_on = agree_on,
                                      .bytes = set_byte_view,
                                      .schedule = make_schedule,
                                      .schedule_overlaps = schedule_overlaps,
                                      .shares_badly = SHARES_BADLY,
                                      .free_schedule = free_schedule,
                                      .exchange = exchange,
                                      .view = make_view,
                                      .free_view = free_view,
                                      .collective = collective};

/* Nodes of a communicator: ranks that share memory are one. */
static int count_nodes(MPI_Comm comm)
{
    MPI_Comm node;
    int rank = 0, is_first, nodes = 1;
    if (MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node) != MPI_SUCCESS)
        return 1;
    MPI_Comm_rank(node, &rank);
    MPI_Comm_free(&node);
    is_first = rank == 0;
    MPI_Allreduce(&is_first, &nodes, 1, MPI_INT, MPI_SUM, comm);
    return nodes < 1 ? 1 : nodes;
}

/* A number of a hint, such as striping_factor; 0 if MPI-IO does not say. */
static int64_t hint(MPI_File file, const char *name)
{
    char value[MPI_MAX_INFO_VAL + 1] = "";
    int is_there = 0;
    MPI_Info info;
    if (MPI_File_get_info(file, &info) != MPI_SUCCESS)
        return 0;
    MPI_Info_get(info, name, MPI_MAX_INFO_VAL, value, &is_there);
    MPI_Info_free(&info);
    long long number = is_there ? strtoll(value, NULL, 10) : 0;
    return number > 0 && number < INT32_MAX ? number : 0;
}

static void find_stripes(blockio_file *file, MPI_File opened)
{
    blockio_options *options = &file->options;
    if (options->stripes == 0)
        options->stripes = (int)hint(opened, "striping_factor");
    if (options->stripe_bytes == 0)
        options->stripe_bytes = hint(opened, "striping_unit");
}

/* Options that differ between ranks would make them choose different methods and wait for ever. */
static blockio_status same_options(const struct group *group, blockio_mode mode, const blockio_options *options,
                                   blockio_error *error)
{
    int64_t values[14] = {mode,
                          options->method,
                          options->aggregators,
                          options->buffer_bytes,
                          options->stripe_bytes,
                          options->stripes,
                          options->request_ns};
    for (int i = 0; i < 7; i++)
        values[7 + i] = -values[i];
    blockio_status status = largest(group, values, 14, error);
    for (int i = 0; i < 7 && status == BLOCKIO_OK; i++)
        if (values[i] != -values[7 + i])
            status = fail(error, BLOCKIO_RANKS_DIFFER, "ranks open a file with different modes or options");
    return status;
}

static blockio_status open_file(blockio_file *file, struct mpi_group *group, MPI_Info info, const char *path,
                                blockio_error *error)
{
    static const int modes[] = {MPI_MODE_RDONLY, MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_MODE_RDWR | MPI_MODE_CREATE};
    int result = MPI_File_open(group->comm, path, modes[file->mode], info, &group->file);
    blockio_status status =
        group->base.calls->agree(&group->base, mpi_status(result, "MPI_File_open", file->name, error), error);
    if (status == BLOCKIO_OK && file->mode == BLOCKIO_CREATE) {
        result = MPI_File_set_size(group->file, 0);
        status =
            group->base.calls->agree(&group->base, mpi_status(result, "MPI_File_set_size", file->name, error), error);
    }
    if (status != BLOCKIO_OK && group->file != MPI_FILE_NULL)
        MPI_File_close(&group->file);
    return status;
}

/* All ranks or none. */
static blockio_status open_locally(blockio_file *file, const struct mpi_group *group, const char *path,
                                   blockio_error *error)
{
    if (!file->is_local || group->base.nodes > 1)
        return BLOCKIO_OK;
    int64_t is_missing = !open_posix(file, path);
    blockio_status status = largest(&group->base, &is_missing, 1, error);
    if (status == BLOCKIO_OK && !is_missing) {
        file->store = &local_store;
    } else if (file->descriptor >= 0) {
        close(file->descriptor);
        file->descriptor = -1;
    }
    return status;
}

/* Everything that ranks must agree on. */
static blockio_status prepare_file(blockio_file *file, struct mpi_group *group, MPI_Info info, const char *path,
                                   blockio_error *error)
{
    blockio_status status = same_options(&group->base, file->mode, &file->options, error);
    if (status == BLOCKIO_OK)
        status = open_file(file, group, info, path, error);
    if (status != BLOCKIO_OK)
        return status;
    int64_t first[3] = {is_local_path(path)};
    find_stripes(file, group->file);
    first[1] = file->options.stripes;
    first[2] = file->options.stripe_bytes;
    for (int i = 0; i < 3 && status == BLOCKIO_OK; i++)
        status = from_first(&group->base, &first[i], error);
    file->is_local = first[0] != 0;
    file->options.stripes = (int)first[1];
    file->options.stripe_bytes = first[2];
    complete_options(file);
    return status == BLOCKIO_OK ? open_locally(file, group, path, error) : status;
}

blockio_status blockio_open_hints(MPI_Comm comm, MPI_Info info, const char *path, blockio_mode mode,
                                  const blockio_options *options, blockio_file **result, blockio_error *error)
{
    clear_error(error);
    if (result != NULL)
        *result = NULL;
    int is_initialized = 0;
    MPI_Initialized(&is_initialized);
    if (!is_initialized || comm == MPI_COMM_NULL)
        return fail(error, BLOCKIO_BAD_ARGUMENT, "MPI is not initialized, or the communicator is MPI_COMM_NULL");
    MPI_Comm own;
    blockio_status status = mpi_status(MPI_Comm_dup(comm, &own), "MPI_Comm_dup", "communicator of a file", error);
    if (status != BLOCKIO_OK)
        return status;
    MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
    struct mpi_group here = {.base = {.calls = &mpi_calls}, .comm = own, .file = MPI_FILE_NULL};
    MPI_Comm_rank(own, &here.base.rank);
    MPI_Comm_size(own, &here.base.ranks);
    here.base.nodes = count_nodes(own);
    blockio_file *file = calloc(1, sizeof *file);
    struct mpi_group *group = calloc(1, sizeof *group);
    status = result == NULL ? fail(error, BLOCKIO_BAD_ARGUMENT, "the result is NULL")
                            : check_open(path, mode, options, error);
    if (file == NULL || group == NULL)
        status = fail(error, BLOCKIO_NO_MEMORY, "no memory for a file");
    status = agree(&here.base, status, error);
    if (status == BLOCKIO_OK) {
        *group = here;
        file->group = &group->base;
        file->store = &mpi_store;
        file->mode = mode;
        file->descriptor = -1;
        name_file(file, path);
        if (options != NULL)
            file->options = *options;
        status = prepare_file(file, group, info, path, error);
    }
    if (status != BLOCKIO_OK) {
        MPI_Comm_free(&own);
        free(group);
        free(file);
        return status;
    }
    *result = file;
    return BLOCKIO_OK;
}

blockio_status blockio_open_mpi(MPI_Comm comm, const char *path, blockio_mode mode, const blockio_options *options,
                                blockio_file **file, blockio_error *error)
{
    return blockio_open_hints(comm, MPI_INFO_NULL, path, mode, options, file, error);
}

blockio_status blockio_open_fortran(int comm, const char *path, blockio_mode mode, const blockio_options *options,
                                    blockio_file **file, blockio_error *error)
{
    return blockio_open_mpi(MPI_Comm_f2c(comm), path, mode, options, file, error);
}

bool blockio_has_mpi(void)
{
    return true;
}
