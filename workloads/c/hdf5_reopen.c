/* A serial program appends records to a dataset of an HDF5 file.
 *
 *   before  opens the file and the dataset for each record, and closes both
 *   after   opens them once
 */
#include "hdf5_count.h"

enum { RECORD_WORDS = 96, CHUNK_RECORDS = 64 };

static const char NAME[] = "records";

static hid_t open_file(void)
{
    return count_h5_open(HDF5_FILE, H5Fopen(in_dir("records.h5").text, H5F_ACC_RDWR, H5P_DEFAULT));
}

static hid_t open_set(hid_t file)
{
    return count_h5_open(HDF5_DATASET, H5Dopen2(file, NAME, H5P_DEFAULT));
}

static void close_both(hid_t file, hid_t set)
{
    count_h5_close(HDF5_DATASET, H5Dclose(set));
    count_h5_close(HDF5_FILE, H5Fclose(file));
}

/* An empty dataset that grows by rows. */
static void create(void)
{
    hsize_t size[2] = {0, RECORD_WORDS}, most[2] = {H5S_UNLIMITED, RECORD_WORDS};
    hsize_t chunk[2] = {CHUNK_RECORDS, RECORD_WORDS};
    hid_t file = count_h5_open(HDF5_FILE,
                               H5Fcreate(in_dir("records.h5").text, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    hid_t space = good(H5Screate_simple(2, size, most), "H5Screate_simple");
    hid_t layout = good(H5Pcreate(H5P_DATASET_CREATE), "H5Pcreate");
    good(H5Pset_chunk(layout, 2, chunk), "H5Pset_chunk");
    hid_t set = count_h5_open(HDF5_DATASET, H5Dcreate2(file, NAME, H5T_NATIVE_UINT64, space, H5P_DEFAULT,
                                                       layout, H5P_DEFAULT));
    H5Pclose(layout);
    H5Sclose(space);
    close_both(file, set);
}

static void append_record(hid_t set, uint64_t row, const uint64_t *words)
{
    hsize_t size[2] = {row + 1, RECORD_WORDS}, from[2] = {row, 0}, count[2] = {1, RECORD_WORDS};
    good(H5Dset_extent(set, size), "H5Dset_extent");
    hid_t all = good(H5Dget_space(set), "H5Dget_space");
    hid_t one = good(H5Screate_simple(2, count, NULL), "H5Screate_simple");
    good(H5Sselect_hyperslab(all, H5S_SELECT_SET, from, NULL, count, NULL), "H5Sselect_hyperslab");
    count_h5_write(H5Dwrite(set, H5T_NATIVE_UINT64, one, all, H5P_DEFAULT, words), RECORD_WORDS * 8, false);
    H5Sclose(one);
    H5Sclose(all);
}

int main(int argc, char **argv)
{
    start(argc, argv, "before after");
    uint64_t records = scaled(2000);
    uint64_t *words = new_words(records * RECORD_WORDS);
    fill_words(words, 0, records * RECORD_WORDS);
    add_result(words, 0, records * RECORD_WORDS);
    begin_io();
    create();
    bool is_after = is_variant("after");
    hid_t file = is_after ? open_file() : 0, set = is_after ? open_set(file) : 0;
    for (uint64_t k = 0; k < records; k++) {
        if (!is_after) {
            file = open_file();
            set = open_set(file);
        }
        append_record(set, k, words + k * RECORD_WORDS);
        if (!is_after)
            close_both(file, set);
    }
    if (is_after)
        close_both(file, set);
    end_io();
    free(words);
    add_result_dataset("records.h5", NAME);
    if (is_after)
        expect("none", "file and dataset are opened once");
    else
        expect("hdf5-reopen", "open the file once, not for each record");
    finish("hdf5_reopen");
}
