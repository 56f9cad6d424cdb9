/* What a program of HDF5 sees of the settings: prints the properties of its files.
 *
 *   hdf5_program DIR [own|fails]    own: the program sets everything itself
 */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef H5_HAVE_PARALLEL
#include <mpi.h>
#endif

static int rank, ranks = 1;

static void show_file(const char *when, hid_t file)
{
    hsize_t threshold, alignment, block;
    size_t slots, bytes;
    double preemption;
    int elements;
    hid_t list = H5Fget_access_plist(file);
    H5Pget_alignment(list, &threshold, &alignment);
    H5Pget_meta_block_size(list, &block);
    H5Pget_cache(list, &elements, &slots, &bytes, &preemption);
    if (rank == 0)
        printf("%s alignment %llu,%llu metadata %llu cache %zu,%zu", when, (unsigned long long)threshold,
               (unsigned long long)alignment, (unsigned long long)block, slots, bytes);
#ifdef H5_HAVE_PARALLEL
    hbool_t writes = 0, all = 0;
    H5Pget_coll_metadata_write(list, &writes);
    H5Pget_all_coll_metadata_ops(list, &all);
    if (rank == 0)
        printf(" collective %d,%d", writes, all);
#endif
    if (rank == 0)
        printf("\n");
    H5Pclose(list);
}

static void show_dataset(const char *name, hid_t dataset)
{
    H5D_fill_time_t time;
    H5D_fill_value_t value;
    hid_t list = H5Dget_create_plist(dataset);
    H5Pget_fill_time(list, &time);
    H5Pfill_value_defined(list, &value);
    hid_t access = H5Dget_access_plist(dataset);
    size_t slots, bytes;
    double preemption;
    H5Pget_chunk_cache(access, &slots, &bytes, &preemption);
    haddr_t offset = H5Dget_offset(dataset);
    if (rank == 0)
        printf("%s fill %s value %d cache %zu on a block %d\n", name, time == H5D_FILL_TIME_NEVER ? "never" : "usual",
               (int)value, bytes, offset != HADDR_UNDEF && offset % (1 << 20) == 0);
    H5Pclose(access);
    H5Pclose(list);
}

static hid_t access_list(int is_own)
{
    hid_t list = H5P_DEFAULT;
#ifdef H5_HAVE_PARALLEL
    list = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_mpio(list, MPI_COMM_WORLD, MPI_INFO_NULL);
#endif
    if (!is_own)
        return list;
    if (list == H5P_DEFAULT)
        list = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_alignment(list, 100, 4096);
    H5Pset_meta_block_size(list, 4000);
    H5Pset_cache(list, 0, 101, 200000, 0.5);
#ifdef H5_HAVE_PARALLEL
    H5Pset_coll_metadata_write(list, 1);
#endif
    return list;
}

static void write_whole(hid_t dataset, hid_t space, int count)
{
    int *values = malloc((size_t)count * sizeof *values);
    for (int i = 0; i < count; i++)
        values[i] = i * 7 + rank;
    hsize_t here = (hsize_t)(count / ranks), from = here * (hsize_t)rank;
    hid_t memory = H5Screate_simple(1, &here, NULL);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &from, NULL, &here, NULL);
    H5Dwrite(dataset, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, values);
    H5Sclose(memory);
    free(values);
}

static void datasets(hid_t file, int is_own)
{
    enum { COUNT = 1 << 19, CHUNK = 1 << 17 };
    hsize_t size = COUNT, chunk = CHUNK;
    hid_t space = H5Screate_simple(1, &size, NULL), plain = H5P_DEFAULT, chunked = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(chunked, 1, &chunk);
    if (is_own) {
        int value = 42;
        H5Pset_fill_value(chunked, H5T_NATIVE_INT, &value);
    }
    hid_t one = H5Dcreate2(file, "plain", H5T_NATIVE_INT, space, H5P_DEFAULT, plain, H5P_DEFAULT);
    hid_t two = H5Dcreate2(file, "chunked", H5T_NATIVE_INT, space, H5P_DEFAULT, chunked, H5P_DEFAULT);
    hid_t three = H5Dcreate1(file, "old", H5T_NATIVE_INT, space, plain);
    write_whole(one, space, COUNT);
    write_whole(two, space, COUNT);
    write_whole(three, space, COUNT);
    show_dataset("plain", one);
    show_dataset("chunked", two);
    show_dataset("old", three);
    H5Dclose(one);
    H5Dclose(two);
    H5Dclose(three);
    H5Pclose(chunked);
    H5Sclose(space);
}

/* The program's own question about a failure has the same answer. */
static herr_t show_error(unsigned depth, const H5E_error2_t *error, void *unused)
{
    (void)unused;
    if (rank == 0)
        printf("error %u %s\n", depth, error->func_name);
    return 0;
}

static void fail(const char *path)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    hid_t list = access_list(0);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, list);
    if (rank == 0)
        printf("opened %d\n", file >= 0);
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, show_error, NULL);
}

int main(int count, char **arguments)
{
#ifdef H5_HAVE_PARALLEL
    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
#endif
    const char *what = count > 2 ? arguments[2] : "";
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", arguments[1], strcmp(what, "fails") == 0 ? "none.h5" : "file.h5");
    if (strcmp(what, "fails") == 0) {
        fail(path);
    } else {
        hid_t list = access_list(strcmp(what, "own") == 0);
        hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, list);
        show_file("created", file);
        datasets(file, strcmp(what, "own") == 0);
        H5Fclose(file);
        file = H5Fopen(path, H5F_ACC_RDWR, list);
        show_file("opened", file);
        hid_t again = H5Dopen2(file, "chunked", H5P_DEFAULT);
        show_dataset("again", again);
        H5Dclose(again);
        H5Fclose(file);
        if (list != H5P_DEFAULT)
            H5Pclose(list);
    }
#ifdef H5_HAVE_PARALLEL
    MPI_Finalize();
#endif
    return 0;
}
