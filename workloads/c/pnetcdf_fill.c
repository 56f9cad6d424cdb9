/* A PnetCDF file with a variable that the program then writes completely.
 *
 *   before  fill mode on: the whole variable is written with fill values first
 *   after   NC_NOFILL (the library's default)
 * The variable holds bytes: no conversion comes between memory and file.
 */
#include "pnetcdf_count.h"

int main(int argc, char **argv)
{
    start(argc, argv, "before after");
    MPI_Offset here = (MPI_Offset)scaled(1 << 20), from = here * run.rank;
    uint64_t words = (uint64_t)here / 8, first = words * (uint64_t)run.rank;
    here = (MPI_Offset)words * 8;
    from = here * run.rank;
    uint64_t *part = new_words(words);
    fill_words(part, first, words);
    add_result(part, first, words);
    int file, dimension, variable, previous;
    begin_io();
    count_nc_create(ncmpi_create(MPI_COMM_WORLD, in_dir("field.nc").text, NC_CLOBBER | NC_64BIT_DATA,
                                 MPI_INFO_NULL, &file));
    nc_good(ncmpi_set_fill(file, is_variant("before") ? NC_FILL : NC_NOFILL, &previous), "ncmpi_set_fill");
    nc_good(ncmpi_def_dim(file, "byte", here * run.nprocs, &dimension), "ncmpi_def_dim");
    nc_good(ncmpi_def_var(file, "field", NC_UBYTE, 1, &dimension, &variable), "ncmpi_def_var");
    nc_good(ncmpi_enddef(file), "ncmpi_enddef");
    uint64_t offset = variable_offset(file, variable);
    count_nc_put(ncmpi_put_vara_uchar_all(file, variable, &from, &here, (unsigned char *)part),
                 (uint64_t)here, true);
    count_nc_close(ncmpi_close(file));
    end_io();
    free(part);
    add_result_file("field.nc", offset, (uint64_t)here * (uint64_t)run.nprocs);
    if (is_variant("before"))
        expect("fill-values", "each byte is written twice, first as a fill value; NC_NOFILL");
    else
        expect("none", "no fill values, one collective write");
    finish("pnetcdf_fill");
}
