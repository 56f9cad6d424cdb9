/* The same transfer by blockio, MPI-IO subarrays, HDF5 and PnetCDF. All calls are collective. */
#include "bench.h"

#include <hdf5.h>
#ifdef HAS_PNETCDF
#include <pnetcdf.h>
#endif

struct opened {
    blockio_file *file;
    blockio_plan *plan;
    MPI_File mpi;
    hid_t h5file, dataset, memory, selection, transfer;
    int nc, variable;
};

static void *blockio_begin(const char *path, const struct blocks *blocks)
{
    struct opened *it = calloc(1, sizeof *it);
    blockio_array array = {.dims = blocks->dims, .offset_bytes = HEADER_BYTES};
    blockio_block block = {0};
    memcpy(array.shape, blocks->shape, sizeof blocks->shape);
    memcpy(block.start, blocks->start, sizeof blocks->start);
    memcpy(block.count, blocks->count, sizeof blocks->count);
    need(!blockio_open_mpi(MPI_COMM_WORLD, path, BLOCKIO_WRITE, NULL, &it->file, NULL), "blockio_open");
    need(!blockio_plan_blocks(it->file, &array, &block, 1, &it->plan, NULL), "blockio_plan_blocks");
    if (getenv("BENCH_NOTES") != NULL && blocks->start[0] + blocks->start[1] + blocks->start[2] == 0)
        fprintf(stderr, "%s\n%s\n", blockio_note(it->plan, BLOCKIO_READING), blockio_note(it->plan, BLOCKIO_WRITING));
    return it;
}

static void blockio_move(void *opened, const struct blocks *blocks, double *values, int is_write)
{
    struct opened *it = opened;
    (void)blocks;
    need(!(is_write ? blockio_write(it->file, it->plan, values, NULL) : blockio_read(it->file, it->plan, values, NULL)),
         "a transfer of blockio");
}

static void blockio_end(void *opened)
{
    struct opened *it = opened;
    blockio_plan_free(&it->plan);
    blockio_close(&it->file, NULL);
    free(it);
}

const struct peer blockio_peer = {"blockio", blockio_begin, blockio_move, blockio_end, NULL};

static void *mpiio_begin(const char *path, const struct blocks *blocks)
{
    struct opened *it = calloc(1, sizeof *it);
    int shape[DIMS], start[DIMS], count[DIMS];
    MPI_Datatype view;
    for (int d = 0; d < blocks->dims; d++) {
        shape[d] = (int)blocks->shape[d];
        start[d] = (int)blocks->start[d];
        count[d] = (int)blocks->count[d];
    }
    MPI_Type_create_subarray(blocks->dims, shape, count, start, MPI_ORDER_C, MPI_DOUBLE, &view);
    MPI_Type_commit(&view);
    need(!MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &it->mpi),
         "MPI_File_open");
    need(!MPI_File_set_view(it->mpi, HEADER_BYTES, MPI_DOUBLE, view, "native", MPI_INFO_NULL), "MPI_File_set_view");
    MPI_Type_free(&view);
    return it;
}

static void mpiio_move(void *opened, const struct blocks *blocks, double *values, int is_write)
{
    struct opened *it = opened;
    int count = (int)(blocks->bytes / sizeof(double));
    need(!(is_write ? MPI_File_write_at_all(it->mpi, 0, values, count, MPI_DOUBLE, MPI_STATUS_IGNORE)
                    : MPI_File_read_at_all(it->mpi, 0, values, count, MPI_DOUBLE, MPI_STATUS_IGNORE)),
         "a transfer of MPI-IO");
}

static void mpiio_end(void *opened)
{
    MPI_File_close(&((struct opened *)opened)->mpi);
    free(opened);
}

const struct peer mpiio_peer = {"MPI-IO", mpiio_begin, mpiio_move, mpiio_end, NULL};

static void *hdf5_begin(const char *path, const struct blocks *blocks)
{
    struct opened *it = calloc(1, sizeof *it);
    hsize_t shape[DIMS], start[DIMS], count[DIMS];
    for (int d = 0; d < blocks->dims; d++) {
        shape[d] = (hsize_t)blocks->shape[d];
        start[d] = (hsize_t)blocks->start[d];
        count[d] = (hsize_t)blocks->count[d];
    }
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
    it->h5file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
    it->selection = H5Screate_simple(blocks->dims, shape, NULL);
    it->dataset =
        H5Dcreate2(it->h5file, "field", H5T_NATIVE_DOUBLE, it->selection, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    need(it->dataset >= 0, "H5Dcreate2");
    H5Sselect_hyperslab(it->selection, H5S_SELECT_SET, start, NULL, count, NULL);
    it->memory = H5Screate_simple(blocks->dims, count, NULL);
    it->transfer = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_dxpl_mpio(it->transfer, H5FD_MPIO_COLLECTIVE);
    return it;
}

static void hdf5_move(void *opened, const struct blocks *blocks, double *values, int is_write)
{
    struct opened *it = opened;
    (void)blocks;
    need((is_write ? H5Dwrite(it->dataset, H5T_NATIVE_DOUBLE, it->memory, it->selection, it->transfer, values)
                   : H5Dread(it->dataset, H5T_NATIVE_DOUBLE, it->memory, it->selection, it->transfer, values)) >= 0,
         "a transfer of HDF5");
}

static void hdf5_end(void *opened)
{
    struct opened *it = opened;
    need(H5Dget_offset(it->dataset) == HEADER_BYTES, "the header of HDF5");
    H5Pclose(it->transfer);
    H5Sclose(it->memory);
    H5Sclose(it->selection);
    H5Dclose(it->dataset);
    H5Fclose(it->h5file);
    free(it);
}

const struct peer hdf5_peer = {"HDF5", hdf5_begin, hdf5_move, hdf5_end, NULL};

#ifdef HAS_PNETCDF
/* Its files are big-endian: bytes as elements, so that no time goes into swapping doubles. */
static void *pnetcdf_begin(const char *path, const struct blocks *blocks)
{
    struct opened *it = calloc(1, sizeof *it);
    int dims[DIMS];
    char header[16];
    MPI_Info info;
    MPI_Info_create(&info);
    snprintf(header, sizeof header, "%d", HEADER_BYTES);
    MPI_Info_set(info, "nc_var_align_size", header);
    need(!ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER | NC_64BIT_DATA, info, &it->nc), "ncmpi_create");
    MPI_Info_free(&info);
    for (int d = 0; d < blocks->dims; d++) {
        char name[8];
        snprintf(name, sizeof name, "d%d", d);
        int width = d == blocks->dims - 1 ? (int)sizeof(double) : 1;
        need(!ncmpi_def_dim(it->nc, name, blocks->shape[d] * width, &dims[d]), "ncmpi_def_dim");
    }
    need(!ncmpi_def_var(it->nc, "field", NC_BYTE, blocks->dims, dims, &it->variable), "ncmpi_def_var");
    need(!ncmpi_enddef(it->nc), "ncmpi_enddef");
    MPI_Offset begin = 0;
    need(!ncmpi_inq_varoffset(it->nc, it->variable, &begin) && begin == HEADER_BYTES, "the header of PnetCDF");
    return it;
}

static void pnetcdf_move(void *opened, const struct blocks *blocks, double *values, int is_write)
{
    struct opened *it = opened;
    MPI_Offset start[DIMS], count[DIMS];
    for (int d = 0; d < blocks->dims; d++) {
        int width = d == blocks->dims - 1 ? (int)sizeof(double) : 1;
        start[d] = blocks->start[d] * width;
        count[d] = blocks->count[d] * width;
    }
    need(!(is_write ? ncmpi_put_vara_schar_all(it->nc, it->variable, start, count, (signed char *)values)
                    : ncmpi_get_vara_schar_all(it->nc, it->variable, start, count, (signed char *)values)),
         "a transfer of PnetCDF");
}

static void pnetcdf_end(void *opened)
{
    ncmpi_close(((struct opened *)opened)->nc);
    free(opened);
}

const struct peer pnetcdf_peer = {"PnetCDF", pnetcdf_begin, pnetcdf_move, pnetcdf_end, NULL};
#endif
