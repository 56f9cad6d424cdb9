/* A PnetCDF file with many small variables.
 *
 *   before  one blocking collective put per variable
 *   after   non-blocking puts of all variables, and one wait for them together
 */
#include "pnetcdf_count.h"

enum { PART_WORDS = 512, PART_BYTES = PART_WORDS * 8, MAX_VARIABLES = 4096 };

int main(int argc, char **argv)
{
    start(argc, argv, "before after");
    int variables = (int)(scaled(64) < MAX_VARIABLES ? scaled(64) : MAX_VARIABLES);
    static int ids[MAX_VARIABLES], requests[MAX_VARIABLES], statuses[MAX_VARIABLES];
    uint64_t *parts = new_words((uint64_t)variables * PART_WORDS);
    for (int v = 0; v < variables; v++) {
        uint64_t first = ((uint64_t)v * (uint64_t)run.nprocs + (uint64_t)run.rank) * PART_WORDS;
        fill_words(parts + v * PART_WORDS, first, PART_WORDS);
        add_result(parts + v * PART_WORDS, first, PART_WORDS);
    }
    int file, dimension;
    MPI_Offset from = (MPI_Offset)run.rank * PART_BYTES, here = PART_BYTES;
    begin_io();
    count_nc_create(ncmpi_create(MPI_COMM_WORLD, in_dir("variables.nc").text, NC_CLOBBER | NC_64BIT_DATA,
                                 MPI_INFO_NULL, &file));
    nc_good(ncmpi_def_dim(file, "byte", here * run.nprocs, &dimension), "ncmpi_def_dim");
    for (int v = 0; v < variables; v++) {
        char name[32];
        snprintf(name, sizeof name, "variable%d", v);
        nc_good(ncmpi_def_var(file, name, NC_UBYTE, 1, &dimension, &ids[v]), "ncmpi_def_var");
    }
    nc_good(ncmpi_enddef(file), "ncmpi_enddef");
    for (int v = 0; v < variables; v++) {
        unsigned char *part = (unsigned char *)(parts + v * PART_WORDS);
        if (is_variant("before"))
            count_nc_put(ncmpi_put_vara_uchar_all(file, ids[v], &from, &here, part), PART_BYTES, true);
        else
            count_nc_iput(ncmpi_iput_vara_uchar(file, ids[v], &from, &here, part, &requests[v]), PART_BYTES);
    }
    if (is_variant("after")) {
        nc_good(ncmpi_wait_all(file, variables, requests, statuses), "ncmpi_wait_all");
        count(PNETCDF, waits, 1);
    }
    static uint64_t offsets[MAX_VARIABLES];
    for (int v = 0; v < variables; v++)
        offsets[v] = variable_offset(file, ids[v]);
    count_nc_close(ncmpi_close(file));
    end_io();
    free(parts);
    for (int v = 0; v < variables; v++)
        add_result_file("variables.nc", offsets[v], (uint64_t)PART_BYTES * (uint64_t)run.nprocs);
    add_fact("variables", variables);
    if (is_variant("before"))
        expect("many-small-collectives",
               "a small collective write per variable; non-blocking puts and one wait");
    else
        expect("none", "all variables in one write");
    finish("pnetcdf_many_variables");
}
