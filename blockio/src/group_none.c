/* In place of group_mpi.c in a library without MPI. */
#include "internal.h"

blockio_status blockio_open_fortran(int comm, const char *path, blockio_mode mode, const blockio_options *options,
                                    blockio_file **file, blockio_error *error)
{
    (void)comm, (void)path, (void)mode, (void)options;
    if (file != NULL)
        *file = NULL;
    return fail(error, BLOCKIO_BAD_ARGUMENT,
                "this blockio was built without MPI; use blockio_open, or another library");
}

bool blockio_has_mpi(void)
{
    return false;
}
