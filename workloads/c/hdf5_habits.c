/* A serial program writes an HDF5 file, with and without habits that cost time.
 *
 *   before  a dataset for each step, attributes for each step, and noise that is
 *           compressed
 *   after   one dataset with a row for each step, and the noise as it is
 */
#include "hdf5_count.h"

enum { STEP_WORDS = 16, ATTRIBUTES = 4, NOISE_WORDS = 1 << 16, CHUNK_WORDS = 1 << 13, LEVEL = 6 };

static void set_attribute(hid_t object, const char *name, uint64_t value)
{
    hid_t space = good(H5Screate(H5S_SCALAR), "H5Screate");
    hid_t attribute = count_h5_open(
        HDF5_ATTRIBUTE, H5Acreate2(object, name, H5T_NATIVE_UINT64, space, H5P_DEFAULT, H5P_DEFAULT));
    good(H5Awrite(attribute, H5T_NATIVE_UINT64, &value), "H5Awrite");
    count_write(HDF5_ATTRIBUTE, 8);
    count_h5_close(HDF5_ATTRIBUTE, H5Aclose(attribute));
    H5Sclose(space);
}

static void write_dataset(hid_t file, const char *name, hsize_t rows, hsize_t columns, hid_t layout,
                          const uint64_t *words, bool has_attributes)
{
    hsize_t size[2] = {rows, columns};
    hid_t space = good(H5Screate_simple(2, size, NULL), "H5Screate");
    hid_t set = count_h5_open(HDF5_DATASET, H5Dcreate2(file, name, H5T_NATIVE_UINT64, space, H5P_DEFAULT,
                                                       layout, H5P_DEFAULT));
    count_h5_write(H5Dwrite(set, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, words),
                   rows * columns * 8, false);
    for (int k = 0; k < ATTRIBUTES && has_attributes; k++) {
        char label[16];
        snprintf(label, sizeof label, "value%d", k);
        set_attribute(set, label, words[k]);
    }
    count_h5_close(HDF5_DATASET, H5Dclose(set));
    H5Sclose(space);
}

int main(int argc, char **argv)
{
    start(argc, argv, "before after");
    uint64_t steps = scaled(2000), noise = scaled(4) * NOISE_WORDS;
    uint64_t *words = new_words(steps * STEP_WORDS), *block = new_words(noise);
    fill_words(words, 0, steps * STEP_WORDS);
    fill_words(block, 0, noise);
    add_result(block, 0, noise);
    begin_io();
    hid_t file = count_h5_open(HDF5_FILE,
                               H5Fcreate(in_dir("habits.h5").text, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    hid_t packed = good(H5Pcreate(H5P_DATASET_CREATE), "H5Pcreate");
    hsize_t chunk[2] = {CHUNK_WORDS, 1};
    good(H5Pset_chunk(packed, 2, chunk), "H5Pset_chunk");
    good(H5Pset_deflate(packed, LEVEL), "H5Pset_deflate");
    for (uint64_t k = 0; k < steps && is_variant("before"); k++) {
        char name[32];
        snprintf(name, sizeof name, "step%llu", (unsigned long long)k);
        write_dataset(file, name, 1, STEP_WORDS, H5P_DEFAULT, words + k * STEP_WORDS, true);
    }
    if (is_variant("after"))
        write_dataset(file, "steps", steps, STEP_WORDS, H5P_DEFAULT, words, true);
    write_dataset(file, "noise", noise, 1, is_variant("before") ? packed : H5P_DEFAULT, block, false);
    H5Pclose(packed);
    count_h5_close(HDF5_FILE, H5Fclose(file));
    end_io();
    free(words);
    free(block);
    add_result_dataset("habits.h5", "noise");
    if (is_variant("before"))
        expect("hdf5-habits", "a dataset and attributes for each step; noise is compressed");
    else
        expect("none", "one dataset with a row for each step, and no compression of noise");
    finish("hdf5_habits");
}
