/* A serial program sums windows of a dataset of an HDF5 file.
 *
 *   before  reads the whole dataset for each window
 *   after   reads it once
 */
#include "hdf5_count.h"

enum { WINDOWS = 32, CHUNK_WORDS = 1 << 13, WINDOW_WORDS = 1 << 16 };

static const char NAME[] = "counts";

static void create(const uint64_t *words, hsize_t all)
{
    hsize_t chunk[1] = {CHUNK_WORDS};
    hid_t file = count_h5_open(HDF5_FILE,
                               H5Fcreate(in_dir("counts.h5").text, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    hid_t space = good(H5Screate_simple(1, &all, NULL), "H5Screate_simple");
    hid_t layout = good(H5Pcreate(H5P_DATASET_CREATE), "H5Pcreate");
    good(H5Pset_chunk(layout, 1, chunk), "H5Pset_chunk");
    hid_t set = count_h5_open(HDF5_DATASET, H5Dcreate2(file, NAME, H5T_NATIVE_UINT64, space, H5P_DEFAULT,
                                                       layout, H5P_DEFAULT));
    count_h5_write(H5Dwrite(set, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, words), all * 8, false);
    H5Pclose(layout);
    H5Sclose(space);
    count_h5_close(HDF5_DATASET, H5Dclose(set));
    count_h5_close(HDF5_FILE, H5Fclose(file));
}

int main(int argc, char **argv)
{
    start(argc, argv, "before after");
    hsize_t window = scaled(WINDOW_WORDS), all = WINDOWS * window;
    uint64_t *words = new_words(all), *found = new_words(all);
    fill_words(words, 0, all);
    begin_io();
    create(words, all);
    hid_t file = count_h5_open(HDF5_FILE, H5Fopen(in_dir("counts.h5").text, H5F_ACC_RDONLY, H5P_DEFAULT));
    hid_t set = count_h5_open(HDF5_DATASET, H5Dopen2(file, NAME, H5P_DEFAULT));
    for (int k = 0; k < WINDOWS; k++) {
        if (k == 0 || is_variant("before"))
            count_h5_read(H5Dread(set, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, found), all * 8, false);
        add_result(found + k * window, k * window, window);
    }
    count_h5_close(HDF5_DATASET, H5Dclose(set));
    count_h5_close(HDF5_FILE, H5Fclose(file));
    end_io();
    free(words);
    free(found);
    add_result_dataset("counts.h5", NAME);
    if (is_variant("before"))
        expect("hdf5-reread", "read the dataset once, not for each window");
    else
        expect("none", "the dataset is read once");
    finish("hdf5_reread");
}
