/* Another tool in the same process, as the MPI profiling interface means it:
 * it wraps MPI_File_open, calls PMPI_File_open, and says so at the end. */
#include <stdint.h>
#include <stdio.h>

extern int PMPI_File_open(uintptr_t comm, const char *path, int amode, uintptr_t info, uintptr_t *file);

static int opened;

int MPI_File_open(uintptr_t comm, const char *path, int amode, uintptr_t info, uintptr_t *file)
{
    opened++;
    return PMPI_File_open(comm, path, amode, info, file);
}

__attribute__((destructor)) static void report(void)
{
    if (opened != 0)
        fprintf(stderr, "tool saw %d\n", opened);
}
