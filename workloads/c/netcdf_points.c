/* A serial NetCDF-C program writes a variable of a few hundred kibibytes.
 *
 *   before  one call for each point
 *   after   one call for the whole variable
 */
#include "answer.h"

#include <netcdf.h>

enum { POINT_BYTES = 8 };

static void nc_good(int error, const char *what)
{
    if (error != NC_NOERR)
        fprintf(stderr, "%s\n", nc_strerror(error));
    require(error == NC_NOERR, what);
}

int main(int argc, char **argv)
{
    start(argc, argv, "before after");
    size_t points = scaled(1 << 16);
    uint64_t *words = new_words(points);
    fill_words(words, 0, points);
    add_result(words, 0, points);
    int file, dimensions[2], variable, previous;
    counts_all_of(NETCDF);
    begin_io();
    nc_good(nc_create(in_dir("points.nc").text, NC_CLOBBER | NC_64BIT_OFFSET, &file), "nc_create");
    count(NETCDF, opens, 1);
    nc_good(nc_set_fill(file, NC_NOFILL, &previous), "nc_set_fill");
    nc_good(nc_def_dim(file, "point", points, &dimensions[0]), "nc_def_dim");
    nc_good(nc_def_dim(file, "byte", POINT_BYTES, &dimensions[1]), "nc_def_dim");
    nc_good(nc_def_var(file, "field", NC_BYTE, 2, dimensions, &variable), "nc_def_var");
    nc_good(nc_enddef(file), "nc_enddef");
    size_t at_once = is_variant("before") ? 1 : points;
    for (size_t k = 0; k < points; k += at_once) {
        size_t from[2] = {k, 0}, size[2] = {at_once, POINT_BYTES};
        nc_good(nc_put_vara_schar(file, variable, from, size, (signed char *)(words + k)), "nc_put_vara");
        count_write(NETCDF, (int64_t)(at_once * POINT_BYTES));
    }
    nc_good(nc_close(file), "nc_close");
    count(NETCDF, closes, 1);
    end_io();
    free(words);
    /* The only variable of a classic file ends where the file ends. */
    uint64_t bytes = points * POINT_BYTES;
    add_result_file("points.nc", (uint64_t)raw_size(in_dir("points.nc").text) - bytes, bytes);
    if (is_variant("before"))
        expect("small-requests", "one call of NetCDF for each point; write the variable with one");
    else
        expect("none", "one call for the whole variable");
    finish("netcdf_points");
}
