/* Many datasets of 1 MiB in one HDF5 file, each written by all ranks.
 *
 *   before  datasets follow each other behind the headers: no part begins on
 *           the edge of a block
 *   after   H5Pset_alignment puts each on a multiple of 1 MiB
 */
#include "hdf5_count.h"

enum { DATASET_BYTES = 1 << 20, ALIGNMENT_BYTES = 1 << 20, THRESHOLD_BYTES = 1 << 16 };

static void write_dataset(hid_t file, uint64_t number, uint64_t *part, uint64_t words)
{
    char name[32];
    snprintf(name, sizeof name, "field%llu", (unsigned long long)number);
    hsize_t whole = words * (hsize_t)run.nprocs, here = words, from = words * (hsize_t)run.rank;
    hid_t space = good(H5Screate_simple(1, &whole, NULL), "H5Screate");
    hid_t memory = good(H5Screate_simple(1, &here, NULL), "H5Screate");
    hid_t list = transfer(false);
    hid_t field = count_h5_open(HDF5_DATASET, H5Dcreate2(file, name, H5T_NATIVE_UINT64, space, H5P_DEFAULT,
                                                         H5P_DEFAULT, H5P_DEFAULT));
    good(H5Sselect_hyperslab(space, H5S_SELECT_SET, &from, NULL, &here, NULL), "H5Sselect_hyperslab");
    uint64_t first = number * whole + from;
    fill_words(part, first, words);
    add_result(part, first, words);
    count_h5_write(H5Dwrite(field, H5T_NATIVE_UINT64, memory, space, list, part), words * 8, false);
    if (number == 0)
        add_fact("first_dataset_offset", (double)H5Dget_offset(field));
    count_h5_close(HDF5_DATASET, H5Dclose(field));
    H5Pclose(list);
    H5Sclose(memory);
    H5Sclose(space);
}

int main(int argc, char **argv)
{
    start(argc, argv, "before after");
    uint64_t datasets = scaled(8), words = DATASET_BYTES / 8 / (uint64_t)run.nprocs;
    uint64_t *part = new_words(words);
    counts_all_of_hdf5();
    begin_io();
    hid_t access = mpi_file_access();
    if (is_variant("after"))
        good(H5Pset_alignment(access, THRESHOLD_BYTES, ALIGNMENT_BYTES), "H5Pset_alignment");
    hid_t file =
        count_h5_open(HDF5_FILE, H5Fcreate(in_dir("fields.h5").text, H5F_ACC_TRUNC, H5P_DEFAULT, access));
    for (uint64_t number = 0; number < datasets; number++)
        write_dataset(file, number, part, words);
    count_h5_close(HDF5_FILE, H5Fclose(file));
    H5Pclose(access);
    end_io();
    free(part);
    for (uint64_t number = 0; number < datasets; number++) {
        char name[32];
        snprintf(name, sizeof name, "field%llu", (unsigned long long)number);
        add_result_dataset("fields.h5", name);
    }
    if (is_variant("before"))
        expect("misaligned-datasets", "datasets begin off block edges; H5Pset_alignment");
    else
        expect("none", "datasets begin on multiples of 1 MiB");
    finish("hdf5_alignment");
}
