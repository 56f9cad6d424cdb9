/* A chunked HDF5 dataset: every rank writes and reads its own rows.
 *
 *   before  chunks are tall columns (all rows x 8): each row that a rank moves
 *           touches every chunk in a small piece
 *   after   a chunk is what one rank moves: its rows x all columns
 */
#include "hdf5_count.h"

enum { COLUMNS = 512, TALL_CHUNK_COLUMNS = 8 };

int main(int argc, char **argv)
{
    start(argc, argv, "before after");
    hsize_t rows_here = scaled(64), rows = rows_here * (hsize_t)run.nprocs,
            first_row = rows_here * (hsize_t)run.rank;
    hsize_t whole[2] = {rows, COLUMNS}, part[2] = {rows_here, COLUMNS}, chunk[2] = {rows_here, COLUMNS};
    if (is_variant("before")) {
        chunk[0] = rows;
        chunk[1] = TALL_CHUNK_COLUMNS;
    }
    uint64_t words = rows_here * COLUMNS, first = first_row * COLUMNS;
    uint64_t *block = new_words(words);
    fill_words(block, first, words);
    counts_all_of_hdf5();
    begin_io();
    hid_t access = mpi_file_access();
    hid_t list = transfer(false);
    hid_t layout = good(H5Pcreate(H5P_DATASET_CREATE), "H5Pcreate");
    good(H5Pset_chunk(layout, 2, chunk), "H5Pset_chunk");
    hid_t file =
        count_h5_open(HDF5_FILE, H5Fcreate(in_dir("chunked.h5").text, H5F_ACC_TRUNC, H5P_DEFAULT, access));
    hid_t space = good(H5Screate_simple(2, whole, NULL), "H5Screate");
    hid_t memory = good(H5Screate_simple(2, part, NULL), "H5Screate");
    hid_t rowset = count_h5_open(
        HDF5_DATASET, H5Dcreate2(file, "rows", H5T_NATIVE_UINT64, space, H5P_DEFAULT, layout, H5P_DEFAULT));
    select_box(space, first_row, 0, rows_here, COLUMNS);
    count_h5_write(H5Dwrite(rowset, H5T_NATIVE_UINT64, memory, space, list, block), words * 8, false);
    memset(block, 0, words * 8);
    count_done(HDF5_FILE, syncs, H5Fflush(file, H5F_SCOPE_GLOBAL));
    wait_for_all();
    count_h5_read(H5Dread(rowset, H5T_NATIVE_UINT64, memory, space, list, block), words * 8, false);
    count_h5_close(HDF5_DATASET, H5Dclose(rowset));
    H5Sclose(memory);
    H5Sclose(space);
    H5Pclose(layout);
    H5Pclose(list);
    H5Pclose(access);
    count_h5_close(HDF5_FILE, H5Fclose(file));
    end_io();
    add_result(block, first, words);
    free(block);
    add_result_dataset("chunked.h5", "rows");
    add_fact("chunk_rows", (double)chunk[0]);
    add_fact("chunk_columns", (double)chunk[1]);
    if (is_variant("before"))
        expect("chunk-misfit", "chunks lie across the direction of access; make a chunk what one rank moves");
    else
        expect("none", "one chunk per rank and access");
    finish("hdf5_chunks");
}
