/* Every kind of MPI-IO call on files of which the contents are known.
 * Arguments: folder. Two ranks. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int values[256];

static MPI_File open_file(const char *folder, const char *name, int mode, MPI_Info info)
{
    MPI_File file;
    char path[600];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (MPI_File_open(MPI_COMM_WORLD, path, mode, info, &file) != MPI_SUCCESS)
        MPI_Abort(MPI_COMM_WORLD, 1);
    return file;
}

/* Explicit offsets, individual pointers, an end of file in the middle. */
static void blocking(const char *folder, int rank)
{
    MPI_Info info;
    MPI_Status status;
    MPI_Info_create(&info);
    MPI_Info_set(info, "cb_buffer_size", "1048576");
    MPI_File file = open_file(folder, "blocking", MPI_MODE_CREATE | MPI_MODE_RDWR, info);
    MPI_Info_free(&info);
    MPI_File_write_at_all(file, rank * 1024, values, 256, MPI_INT, &status);
    MPI_File_write_at(file, 2048 + rank * 512, values, 128, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_seek(file, rank * 1024, MPI_SEEK_SET);
    MPI_File_read(file, values, 100, MPI_INT, &status);
    MPI_File_read(file, values, 156, MPI_INT, &status);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_read_at(file, 3072 - 100, values, 256, MPI_INT, &status); /* 100 bytes are there */
    MPI_File_seek(file, 0, MPI_SEEK_SET);
    MPI_File_read_all(file, values, 256, MPI_INT, &status);
    MPI_Barrier(MPI_COMM_WORLD); /* or the end of the file would move under the other's read */
#if MPI_VERSION >= 4
    MPI_File_write_at_c(file, 4096 + rank * 16, values, 4, MPI_INT, &status);
#else
    MPI_File_write_at(file, 4096 + rank * 16, values, 4, MPI_INT, &status);
#endif
    MPI_File_sync(file);
    MPI_File_set_size(file, 4096);
    MPI_File_close(&file);
}

/* A view: offsets count in its element type. */
static void views(const char *folder, int rank)
{
    MPI_Datatype tile;
    MPI_File file = open_file(folder, "views", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL);
    MPI_Type_vector(4, 4, 8, MPI_INT, &tile);
    MPI_Type_commit(&tile);
    MPI_File_set_view(file, 100 + rank * 16, MPI_INT, tile, "native", MPI_INFO_NULL);
    MPI_File_write_at_all(file, 4, values, 4, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_write(file, values, 8, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_write(file, values, 4, MPI_INT, MPI_STATUS_IGNORE);
    MPI_Type_free(&tile);
    MPI_File_close(&file);
}

/* Many calls through the pointer of a view with holes, and seeks among them. */
static void holes(const char *folder, int rank)
{
    MPI_Datatype two, strided;
    MPI_Status status;
    MPI_File file = open_file(folder, "holes", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL);
    MPI_Type_contiguous(2, MPI_INT, &two);
    MPI_Type_create_resized(two, 0, 16, &strided);
    MPI_Type_commit(&strided);
    MPI_File_set_view(file, rank * 8, MPI_INT, strided, "native", MPI_INFO_NULL);
    for (int i = 0; i < 40; i++)
        MPI_File_write(file, values, 2, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_seek(file, 20, MPI_SEEK_SET);
    for (int i = 0; i < 3; i++)
        MPI_File_read(file, values, 2, MPI_INT, &status);
    MPI_File_seek(file, -2, MPI_SEEK_CUR);
    MPI_File_read(file, values, 2, MPI_INT, &status);
    MPI_Type_free(&strided);
    MPI_Type_free(&two);
    MPI_File_close(&file);
}

static void nonblocking(const char *folder, int rank)
{
    MPI_Request requests[3];
    MPI_Status statuses[3];
    int flag = 0;
    MPI_File file = open_file(folder, "nonblocking", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL);
    MPI_File_iwrite_at(file, rank * 1024, values, 256, MPI_INT, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_File_iwrite_at(file, rank * 1024, values, 128, MPI_INT, &requests[0]);
    MPI_File_iwrite_at(file, rank * 1024 + 512, values, 128, MPI_INT, &requests[1]);
    MPI_Irecv(values, 1, MPI_INT, rank, 7, MPI_COMM_WORLD, &requests[2]);
    MPI_Send(values, 1, MPI_INT, rank, 7, MPI_COMM_WORLD);
    MPI_Waitall(3, requests, statuses);
    MPI_File_iread_at(file, rank * 1024, values, 256, MPI_INT, &requests[0]);
    while (!flag)
        MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
    /* No file request: not a call on a file. */
    MPI_Irecv(values, 1, MPI_INT, rank, 7, MPI_COMM_WORLD, &requests[0]);
    MPI_Send(values, 1, MPI_INT, rank, 7, MPI_COMM_WORLD);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_File_close(&file);
}

static void split_and_shared(const char *folder, int rank)
{
    MPI_Status status;
    MPI_File file = open_file(folder, "split", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL);
    MPI_File_write_at_all_begin(file, rank * 64, values, 16, MPI_INT);
    MPI_File_write_at_all_end(file, values, &status);
    MPI_File_read_at_all_begin(file, rank * 64, values, 16, MPI_INT);
    MPI_File_read_at_all_end(file, values, &status);
    MPI_File_close(&file);
    file = open_file(folder, "shared", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL);
    MPI_File_write_shared(file, values, 16, MPI_INT, &status);
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    MPI_File_write_ordered(file, values, 16, MPI_INT, &status);
    MPI_File_close(&file);
}

static void failures(const char *folder, int rank)
{
    MPI_File file;
    char path[600];
    snprintf(path, sizeof path, "%s/no/such/folder", folder);
    if (MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &file) == MPI_SUCCESS)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Barrier(MPI_COMM_WORLD);
    snprintf(path, sizeof path, "%s/shared", folder);
    if (rank == 0 && MPI_File_delete(path, MPI_INFO_NULL) != MPI_SUCCESS)
        MPI_Abort(MPI_COMM_WORLD, 1);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    blocking(argv[1], rank);
    views(argv[1], rank);
    holes(argv[1], rank);
    nonblocking(argv[1], rank);
    split_and_shared(argv[1], rank);
    failures(argv[1], rank);
    MPI_Finalize();
    return 0;
}
