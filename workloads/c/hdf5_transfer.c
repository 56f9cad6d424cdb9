/* A table in HDF5: every rank writes and reads back its own columns.
 *
 *   before  independent transfers: each row of each rank is a small request
 *   after   collective transfers
 */
#include "hdf5_count.h"

enum { COLUMNS_PER_RANK = 64 };

int main(int argc, char **argv)
{
    start(argc, argv, "before after");
    bool is_collective = is_variant("after");
    hsize_t rows = scaled(512), columns = COLUMNS_PER_RANK * (hsize_t)run.nprocs;
    hsize_t first_column = COLUMNS_PER_RANK * (hsize_t)run.rank;
    uint64_t *block = new_words(rows * COLUMNS_PER_RANK);
    for (hsize_t row = 0; row < rows; row++)
        fill_words(block + row * COLUMNS_PER_RANK, row * columns + first_column, COLUMNS_PER_RANK);
    counts_all_of_hdf5();
    begin_io();
    hid_t access = mpi_file_access();
    hid_t list = transfer(is_collective);
    hid_t file =
        count_h5_open(HDF5_FILE, H5Fcreate(in_dir("table.h5").text, H5F_ACC_TRUNC, H5P_DEFAULT, access));
    hsize_t whole[2] = {rows, columns}, part[2] = {rows, COLUMNS_PER_RANK};
    hid_t space = good(H5Screate_simple(2, whole, NULL), "H5Screate");
    hid_t memory = good(H5Screate_simple(2, part, NULL), "H5Screate");
    hid_t table = count_h5_open(HDF5_DATASET, H5Dcreate2(file, "table", H5T_NATIVE_UINT64, space, H5P_DEFAULT,
                                                         H5P_DEFAULT, H5P_DEFAULT));
    select_box(space, 0, first_column, rows, COLUMNS_PER_RANK);
    uint64_t bytes = rows * COLUMNS_PER_RANK * 8;
    count_h5_write(H5Dwrite(table, H5T_NATIVE_UINT64, memory, space, list, block), bytes, is_collective);
    memset(block, 0, bytes);
    /* One rank may read what another has just written: order them. */
    count_done(HDF5_FILE, syncs, H5Fflush(file, H5F_SCOPE_GLOBAL));
    wait_for_all();
    count_h5_read(H5Dread(table, H5T_NATIVE_UINT64, memory, space, list, block), bytes, is_collective);
    count_h5_close(HDF5_DATASET, H5Dclose(table));
    H5Sclose(space);
    H5Sclose(memory);
    H5Pclose(list);
    H5Pclose(access);
    count_h5_close(HDF5_FILE, H5Fclose(file));
    end_io();
    for (hsize_t row = 0; row < rows; row++)
        add_result(block + row * COLUMNS_PER_RANK, row * columns + first_column, COLUMNS_PER_RANK);
    free(block);
    add_result_dataset("table.h5", "table");
    if (is_collective)
        expect("none", "collective transfers");
    else
        expect("independent-hdf5-transfer",
               "independent HDF5 transfers in requests of 512 bytes; transfer collectively");
    finish("hdf5_transfer");
}
