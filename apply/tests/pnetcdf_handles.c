/* Why PnetCDF's independent writes cannot become collective: which handles it has.
 *
 *   pnetcdf_handles FILE       compiled with -DSHOW: by how many ranks each handle is opened, as rank 0 sees it
 */
#include <pnetcdf.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef SHOW
/* In front of that of MPI, which PnetCDF calls. */
int MPI_File_open(MPI_Comm comm, const char *path, int amode, MPI_Info info, MPI_File *file)
{
    int ranks, rank;
    MPI_Comm_size(comm, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        printf("opened by %d\n", ranks);
    return PMPI_File_open(comm, path, amode, info, file);
}
#endif

static void need(int error)
{
    if (error == NC_NOERR)
        return;
    fprintf(stderr, "%s\n", ncmpi_strerror(error));
    MPI_Abort(MPI_COMM_WORLD, 1);
}

int main(int count, char **arguments)
{
    int file, dimension, variable, rank, ranks;
    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    need(ncmpi_create(MPI_COMM_WORLD, arguments[1], NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &file));
    need(ncmpi_def_dim(file, "x", 10 * ranks, &dimension));
    need(ncmpi_def_var(file, "v", NC_INT, 1, &dimension, &variable));
    need(ncmpi_enddef(file));
    need(ncmpi_begin_indep_data(file));
    for (int i = 0; i < 10; i++) {
        MPI_Offset place = i * ranks + rank, one = 1;
        int value = (int)place;
        need(ncmpi_put_vara_int(file, variable, &place, &one, &value));
    }
    need(ncmpi_end_indep_data(file));
    need(ncmpi_close(file));
    MPI_Finalize();
    return 0;
}
