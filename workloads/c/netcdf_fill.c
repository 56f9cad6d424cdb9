/* A serial NetCDF-C program writes a variable completely, slab by slab.
 *
 *   before  fill mode on (the library's default): fill values are written first
 *   after   NC_NOFILL
 */
#include "answer.h"

#include <netcdf.h>

enum { SLAB_BYTES = 1 << 16, SLAB_WORDS = SLAB_BYTES / 8 };

static void nc_good(int error, const char *what)
{
    if (error != NC_NOERR)
        fprintf(stderr, "%s\n", nc_strerror(error));
    require(error == NC_NOERR, what);
}

int main(int argc, char **argv)
{
    start(argc, argv, "before after");
    size_t slabs = scaled(64);
    uint64_t *slab = new_words(SLAB_WORDS);
    int file, dimensions[2], variable, previous;
    counts_all_of(NETCDF);
    begin_io();
    nc_good(nc_create(in_dir("field.nc").text, NC_CLOBBER | NC_64BIT_OFFSET, &file), "nc_create");
    count(NETCDF, opens, 1);
    nc_good(nc_set_fill(file, is_variant("before") ? NC_FILL : NC_NOFILL, &previous), "nc_set_fill");
    nc_good(nc_def_dim(file, "slab", slabs, &dimensions[0]), "nc_def_dim");
    nc_good(nc_def_dim(file, "byte", SLAB_BYTES, &dimensions[1]), "nc_def_dim");
    nc_good(nc_def_var(file, "field", NC_BYTE, 2, dimensions, &variable), "nc_def_var");
    nc_good(nc_enddef(file), "nc_enddef");
    for (size_t k = 0; k < slabs; k++) {
        size_t from[2] = {k, 0}, size[2] = {1, SLAB_BYTES};
        fill_words(slab, k * SLAB_WORDS, SLAB_WORDS);
        add_result(slab, k * SLAB_WORDS, SLAB_WORDS);
        nc_good(nc_put_vara_schar(file, variable, from, size, (signed char *)slab), "nc_put_vara");
        count_write(NETCDF, SLAB_BYTES);
    }
    nc_good(nc_close(file), "nc_close");
    count(NETCDF, closes, 1);
    end_io();
    free(slab);
    /* The only variable of a classic file ends where the file ends. */
    uint64_t bytes = slabs * SLAB_BYTES;
    add_result_file("field.nc", (uint64_t)raw_size(in_dir("field.nc").text) - bytes, bytes);
    if (is_variant("before"))
        expect("fill-values", "each byte is written twice, first as a fill value; NC_NOFILL");
    else
        expect("none", "no fill values");
    finish("netcdf_fill");
}
