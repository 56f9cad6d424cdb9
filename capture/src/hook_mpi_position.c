/* The individual file pointer, counted.
 *
 * To say where the pointer is in a view with holes, ROMIO goes through all repetitions of
 * the view before it. A question before each of n calls costs n * n / 2 such steps, and
 * the recorded program is many times slower. So what calls move is counted, and the library
 * is asked where it may differ: at first, after calls that moved less than they should,
 * and after 1, 2, 4, 8 ... calls.
 */
#include "hook_mpi.h"

/* All of one MPI_File since its last view; the table of handles keeps 32 bits each. */
static void keep(uintptr_t file, int64_t place, uint32_t calls)
{
    diya_handle_bind(DIYA_HANDLE_MPI_PLACE_LOW, file, (uint32_t)place);
    diya_handle_bind(DIYA_HANDLE_MPI_PLACE_HIGH, file, (uint32_t)((uint64_t)place >> 32));
    diya_handle_bind(DIYA_HANDLE_MPI_COUNTED, file, calls);
}

void diya_mpi_forget_place(uintptr_t file)
{
    diya_handle_unbind(DIYA_HANDLE_MPI_PLACE_LOW, file);
    diya_handle_unbind(DIYA_HANDLE_MPI_PLACE_HIGH, file);
    diya_handle_unbind(DIYA_HANDLE_MPI_COUNTED, file);
}

void diya_mpi_place_in_view(uintptr_t file, int64_t etype_size)
{
    diya_mpi_forget_place(file);
    diya_handle_bind(DIYA_HANDLE_MPI_ETYPE, file,
                     etype_size > 0 && etype_size <= UINT32_MAX ? (uint32_t)etype_size : 0);
}

int64_t diya_mpi_place(const struct diya_mpi_call *mpi)
{
    if ((mpi->state & DIYA_MPI_HAS_VIEW) == 0)
        return diya_mpi_position(mpi->handle, mpi->caller);
    uint32_t calls = diya_handle_find(DIYA_HANDLE_MPI_COUNTED, mpi->handle);
    if ((calls & (calls - 1)) != 0)
        return (int64_t)((uint64_t)diya_handle_find(DIYA_HANDLE_MPI_PLACE_HIGH, mpi->handle) << 32 |
                         diya_handle_find(DIYA_HANDLE_MPI_PLACE_LOW, mpi->handle));
    return diya_mpi_position(mpi->handle, mpi->caller);
}

void diya_mpi_moved(const struct diya_mpi_call *mpi, int64_t bytes)
{
    if (mpi->place < 0)
        return; /* no view, or no call through the individual pointer */
    uint32_t etype_size = diya_handle_find(DIYA_HANDLE_MPI_ETYPE, mpi->handle);
    if (bytes < 0 || etype_size == 0 || bytes % etype_size != 0) {
        diya_mpi_forget_place(mpi->handle);
        return;
    }
    uint32_t calls = diya_handle_find(DIYA_HANDLE_MPI_COUNTED, mpi->handle);
    keep(mpi->handle, mpi->place + bytes / etype_size, calls + 1 == 0 ? 1 : calls + 1);
}

int64_t diya_mpi_sought(const struct diya_mpi_call *mpi, int64_t offset, int whence)
{
    if ((mpi->state & DIYA_MPI_HAS_VIEW) == 0 || diya_mpi_whence(whence) != 0) {
        diya_mpi_forget_place(mpi->handle);
        return diya_mpi_position(mpi->handle, mpi->caller);
    }
    /* A multiple of no power of two: counted from here on. */
    uint32_t calls = diya_handle_find(DIYA_HANDLE_MPI_COUNTED, mpi->handle);
    keep(mpi->handle, offset, (calls & (calls - 1)) != 0 ? calls : 3);
    return offset;
}
