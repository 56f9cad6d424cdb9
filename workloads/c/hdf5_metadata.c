/* Many small HDF5 datasets with attributes; then all ranks open them and read
 * the attributes, and one rank each the data.
 *
 *   before   every rank reads the metadata by itself, in requests of a few
 *            hundred bytes
 *   of_file  collective metadata asked for where the file is opened, as most
 *            programs do: some releases of HDF5 ignore it
 *   after    collective metadata reads and writes: one rank does it for all
 *
 * From HDF5 1.10.5 on the setting of a file had no effect on reads, until 1.10.9,
 * 1.12.2 and 1.13.1 (github.com/HDFGroup/hdf5 pull request 1206), so the lists by
 * which datasets and attributes are opened say it too.
 */
#include "hdf5_count.h"

enum { WORDS = 64 };

static void object_name(char name[32], uint64_t number)
{
    snprintf(name, 32, "object%llu", (unsigned long long)number);
}

static void create_object(hid_t file, uint64_t number, hid_t space, hid_t scalar)
{
    char name[32];
    object_name(name, number);
    uint64_t words[WORDS], first = number * WORDS;
    fill_words(words, first, WORDS);
    hid_t object = count_h5_open(HDF5_DATASET, H5Dcreate2(file, name, H5T_NATIVE_UINT64, space, H5P_DEFAULT,
                                                          H5P_DEFAULT, H5P_DEFAULT));
    hid_t attribute = count_h5_open(
        HDF5_ATTRIBUTE, H5Acreate2(object, "first", H5T_NATIVE_UINT64, scalar, H5P_DEFAULT, H5P_DEFAULT));
    good(H5Awrite(attribute, H5T_NATIVE_UINT64, &first), "H5Awrite");
    count(HDF5_ATTRIBUTE, writes, 1);
    count(HDF5_ATTRIBUTE, bytes_written, sizeof first);
    count_h5_close(HDF5_ATTRIBUTE, H5Aclose(attribute));
    if (run.rank == 0)
        count_h5_write(H5Dwrite(object, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, words),
                       sizeof words, false);
    count_h5_close(HDF5_DATASET, H5Dclose(object));
}

/* How objects are opened; the same for all of them. */
struct access {
    hid_t file, dataset, attribute;
};

static struct access object_access(void)
{
    struct access access = {
        .file = mpi_file_access(),
        .dataset = good(H5Pcreate(H5P_DATASET_ACCESS), "H5Pcreate"),
        .attribute = good(H5Pcreate(H5P_ATTRIBUTE_ACCESS), "H5Pcreate"),
    };
    if (is_variant("before"))
        return access;
    good(H5Pset_all_coll_metadata_ops(access.file, true), "H5Pset_all_coll_metadata_ops");
    good(H5Pset_coll_metadata_write(access.file, true), "H5Pset_coll_metadata_write");
    if (is_variant("of_file"))
        return access;
    good(H5Pset_all_coll_metadata_ops(access.dataset, true), "H5Pset_all_coll_metadata_ops");
    good(H5Pset_all_coll_metadata_ops(access.attribute, true), "H5Pset_all_coll_metadata_ops");
    return access;
}

/* Whether this library ignores what is set for the file. */
static bool ignores_setting_of_file(void)
{
    unsigned major, minor, release;
    good(H5get_libversion(&major, &minor, &release), "H5get_libversion");
    return major == 1 && ((minor == 10 && release >= 5 && release < 9) || (minor == 12 && release < 2) ||
                          (minor == 13 && release < 1));
}

static void read_object(hid_t file, uint64_t number, const struct access *access)
{
    char name[32];
    object_name(name, number);
    uint64_t words[WORDS], first = 0;
    hid_t object = count_h5_open(HDF5_DATASET, H5Dopen2(file, name, access->dataset));
    hid_t attribute = count_h5_open(HDF5_ATTRIBUTE, H5Aopen(object, "first", access->attribute));
    good(H5Aread(attribute, H5T_NATIVE_UINT64, &first), "H5Aread");
    count(HDF5_ATTRIBUTE, reads, 1);
    count(HDF5_ATTRIBUTE, bytes_read, sizeof first);
    count_h5_close(HDF5_ATTRIBUTE, H5Aclose(attribute));
    if (number % (uint64_t)run.nprocs == (uint64_t)run.rank) {
        count_h5_read(H5Dread(object, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, words), sizeof words,
                      false);
        add_result(words, first, WORDS);
    }
    count_h5_close(HDF5_DATASET, H5Dclose(object));
}

int main(int argc, char **argv)
{
    start(argc, argv, "before of_file after");
    uint64_t objects = scaled(64);
    hsize_t size = WORDS;
    counts_all_of_hdf5();
    begin_io();
    struct access access = object_access();
    hid_t space = good(H5Screate_simple(1, &size, NULL), "H5Screate"),
          scalar = good(H5Screate(H5S_SCALAR), "H5Screate");
    hid_t file = count_h5_open(HDF5_FILE,
                               H5Fcreate(in_dir("objects.h5").text, H5F_ACC_TRUNC, H5P_DEFAULT, access.file));
    for (uint64_t number = 0; number < objects; number++)
        create_object(file, number, space, scalar);
    count_h5_close(HDF5_FILE, H5Fclose(file));
    wait_for_all();
    /* A second open: the metadata cache begins empty. */
    file = count_h5_open(HDF5_FILE, H5Fopen(in_dir("objects.h5").text, H5F_ACC_RDONLY, access.file));
    for (uint64_t number = 0; number < objects; number++)
        read_object(file, number, &access);
    count_h5_close(HDF5_FILE, H5Fclose(file));
    H5Sclose(space);
    H5Sclose(scalar);
    H5Pclose(access.attribute);
    H5Pclose(access.dataset);
    H5Pclose(access.file);
    end_io();
    for (uint64_t number = 0; number < objects; number++) {
        char name[32];
        object_name(name, number);
        add_result_dataset("objects.h5", name);
    }
    if (is_variant("before"))
        expect("independent-metadata",
               "all ranks read the same HDF5 metadata in tiny requests; collective metadata operations");
    else if (is_variant("of_file") && ignores_setting_of_file())
        expect("collective-metadata-defect",
               "collective metadata were asked for, and this release of HDF5 ignores it; use another one");
    else
        expect("none", "metadata are read and written collectively");
    finish("hdf5_metadata");
}
