/* A serial program writes a compressed HDF5 dataset.
 *
 *   before  row by row: a chunk of 20 rows does not fit into the chunk cache, so each row
 *           reads, unpacks, packs and writes the whole chunk
 *   after   all rows with one call: each chunk is packed once
 */
#include "hdf5_count.h"

/* A chunk has 1.25 MiB. The cache is 1 MiB before HDF5 2.0, and this size here in all versions. */
enum { COLUMNS = 8192, CHUNK_ROWS = 20, CACHE_BYTES = 1 << 20, CACHE_SLOTS = 521, LEVEL = 1 };

int main(int argc, char **argv)
{
    start(argc, argv, "before after");
    hsize_t rows = scaled(20), whole[2] = {rows, COLUMNS}, chunk[2] = {CHUNK_ROWS, COLUMNS};
    hsize_t at_once = is_variant("before") ? 1 : rows, part[2] = {at_once, COLUMNS};
    uint64_t *words = new_words(rows * COLUMNS);
    fill_words(words, 0, rows * COLUMNS);
    add_result(words, 0, rows * COLUMNS);
    begin_io();
    hid_t file = count_h5_open(HDF5_FILE,
                               H5Fcreate(in_dir("packed.h5").text, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    hid_t layout = good(H5Pcreate(H5P_DATASET_CREATE), "H5Pcreate");
    good(H5Pset_chunk(layout, 2, chunk), "H5Pset_chunk");
    good(H5Pset_deflate(layout, LEVEL), "H5Pset_deflate");
    hid_t access = good(H5Pcreate(H5P_DATASET_ACCESS), "H5Pcreate");
    good(H5Pset_chunk_cache(access, CACHE_SLOTS, CACHE_BYTES, 1.0), "H5Pset_chunk_cache");
    hid_t space = good(H5Screate_simple(2, whole, NULL), "H5Screate");
    hid_t memory = good(H5Screate_simple(2, part, NULL), "H5Screate");
    hid_t set = count_h5_open(HDF5_DATASET, H5Dcreate2(file, "rows", H5T_NATIVE_UINT64, space, H5P_DEFAULT,
                                                       layout, access));
    for (hsize_t row = 0; row < rows; row += at_once) {
        select_box(space, row, 0, at_once, COLUMNS);
        count_h5_write(H5Dwrite(set, H5T_NATIVE_UINT64, memory, space, H5P_DEFAULT, words + row * COLUMNS),
                       at_once * COLUMNS * 8, false);
    }
    count_h5_close(HDF5_DATASET, H5Dclose(set));
    H5Sclose(memory);
    H5Sclose(space);
    H5Pclose(access);
    H5Pclose(layout);
    count_h5_close(HDF5_FILE, H5Fclose(file));
    end_io();
    free(words);
    add_result_dataset("packed.h5", "rows");
    if (is_variant("before"))
        expect("repacked-chunks", "each row unpacks and packs a chunk of 20 rows; write whole chunks");
    else
        expect("none", "each chunk is packed once");
    finish("hdf5_packed_chunks");
}
