/* Tables of HDF5 that all ranks write independently, row by row: what they find in them.
 *
 *   hdf5_rows FILE [remove]    remove: a table is removed, and another one has its room
 *
 * "late" was made by one process, which allocated nothing: its last row is never written.
 */
#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 24, COLUMNS = 6, NEVER = 7 };

static int rank, ranks;

static void make_late(const char *path, hsize_t size[2])
{
    int fill = NEVER;
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t space = H5Screate_simple(2, size, NULL), list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_alloc_time(list, H5D_ALLOC_TIME_LATE);
    H5Pset_fill_value(list, H5T_NATIVE_INT, &fill);
    H5Dclose(H5Dcreate2(file, "late", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT));
    H5Pclose(list);
    H5Sclose(space);
    H5Fclose(file);
}

static hid_t row_of(hid_t space, int row, int of_rank)
{
    hsize_t start[2] = {(hsize_t)row, (hsize_t)(of_rank * COLUMNS)}, count[2] = {1, COLUMNS};
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
    return H5Screate_simple(2, count, NULL);
}

static void write_rows(hid_t table, hid_t space, int rows, int first)
{
    for (int row = 0; row < rows; row++) {
        int values[COLUMNS];
        for (int i = 0; i < COLUMNS; i++)
            values[i] = first + row * 1000 + rank * COLUMNS + i;
        hid_t memory = row_of(space, row, rank);
        H5Dwrite(table, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, values);
        H5Sclose(memory);
    }
}

/* What the next rank wrote. */
static void show(const char *name, hid_t file, hid_t table, hid_t space)
{
    long mine = 0, all = 0;
    H5Fflush(file, H5F_SCOPE_GLOBAL);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int row = 0; row < ROWS; row++) {
        int values[COLUMNS] = {0};
        hid_t memory = row_of(space, row, (rank + 1) % ranks);
        H5Dread(table, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, values);
        H5Sclose(memory);
        for (int i = 0; i < COLUMNS; i++)
            mine = mine * 31 % 1000003 + values[i];
    }
    MPI_Reduce(&mine, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s %ld\n", name, all);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void table(hid_t file, hid_t space, const char *name, hid_t list, int rows, int first)
{
    hid_t made = list < 0 ? H5Dopen2(file, name, H5P_DEFAULT)
                          : H5Dcreate2(file, name, H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT);
    write_rows(made, space, rows, first);
    show(name, file, made, space);
    H5Dclose(made);
}

int main(int count, char **arguments)
{
    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    hsize_t size[2] = {ROWS, (hsize_t)(COLUMNS * ranks)}, chunk[2] = {5, 4};
    if (rank == 0)
        make_late(arguments[1], size);
    MPI_Barrier(MPI_COMM_WORLD);
    hid_t access = H5Pcreate(H5P_FILE_ACCESS), chunked = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
    H5Pset_chunk(chunked, 2, chunk);
    hid_t file = H5Fopen(arguments[1], H5F_ACC_RDWR, access), space = H5Screate_simple(2, size, NULL);
    table(file, space, "late", -1, ROWS - 1, 1);
    table(file, space, "plain", H5P_DEFAULT, ROWS, 2);
    table(file, space, "chunked", chunked, ROWS, 3);
    if (count > 2) {
        H5Ldelete(file, "plain", H5P_DEFAULT);
        table(file, space, "second", H5P_DEFAULT, ROWS, 4);
    }
    hid_t last = H5Dcreate2(file, "last", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    write_rows(last, space, ROWS, 5);
    H5Dclose(last);
    H5Pclose(chunked);
    H5Pclose(access);
    H5Sclose(space);
    H5Fclose(file);
    MPI_Finalize();
    return 0;
}
