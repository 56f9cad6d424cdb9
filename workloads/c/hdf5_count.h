/* Counting of HDF5 calls, and the property lists that the workloads share. */
#ifndef WORKLOAD_HDF5_COUNT_H
#define WORKLOAD_HDF5_COUNT_H

#include "answer.h"

#include <hdf5.h>

/* Any HDF5 identifier or status: negative is failure. */
static inline hid_t good(int64_t returned, const char *what)
{
    require(returned >= 0, what);
    return (hid_t)returned;
}

static inline void counts_all_of_hdf5(void)
{
    counts_all_of(HDF5_FILE);
    counts_all_of(HDF5_DATASET);
    counts_all_of(HDF5_ATTRIBUTE);
}

static inline hid_t count_h5_open(enum layer layer, hid_t id)
{
    count(layer, opens, 1);
    return good(id, "HDF5 open or create");
}

static inline void count_h5_close(enum layer layer, herr_t returned)
{
    good(returned, "HDF5 close");
    count(layer, closes, 1);
}

/* H5Dwrite and H5Dread say whether, not how much: on success it is all of the
 * selection. */
static inline void count_h5_write(herr_t returned, uint64_t bytes, bool is_collective)
{
    good(returned, "H5Dwrite");
    count_write(HDF5_DATASET, (int64_t)bytes);
    count(HDF5_DATASET, collective_writes, is_collective);
}

static inline void count_h5_read(herr_t returned, uint64_t bytes, bool is_collective)
{
    good(returned, "H5Dread");
    count_read(HDF5_DATASET, (int64_t)bytes);
    count(HDF5_DATASET, collective_reads, is_collective);
}

/* File access through MPI-IO. */
static inline hid_t mpi_file_access(void)
{
    hid_t access = good(H5Pcreate(H5P_FILE_ACCESS), "H5Pcreate");
    good(H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL), "H5Pset_fapl_mpio");
    return access;
}

static inline hid_t transfer(bool is_collective)
{
    hid_t list = good(H5Pcreate(H5P_DATASET_XFER), "H5Pcreate");
    good(H5Pset_dxpl_mpio(list, is_collective ? H5FD_MPIO_COLLECTIVE : H5FD_MPIO_INDEPENDENT),
         "H5Pset_dxpl_mpio");
    return list;
}

/* Select the box of two dimensions that this rank moves. */
static inline void select_box(hid_t space, hsize_t row, hsize_t column, hsize_t rows, hsize_t columns)
{
    hsize_t from[2] = {row, column}, size[2] = {rows, columns};
    good(H5Sselect_hyperslab(space, H5S_SELECT_SET, from, NULL, size, NULL), "H5Sselect_hyperslab");
}

#endif
