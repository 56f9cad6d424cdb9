/* Copies HDF5 datasets out as plain words, for run.py.
 *
 *   dataset_copy FILE OUT <names
 *
 * Reads names of datasets from standard input, one a line, and writes their
 * values to OUT one after another. One process for all of them: h5dump lists the
 * whole file for each, minutes where there are hundreds.
 */
#include <hdf5.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* False when there is no such dataset, or it cannot be read or written out. */
static int copy(hid_t file, const char *name, FILE *out)
{
    hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
    if (dataset < 0)
        return 0;
    hid_t space = H5Dget_space(dataset);
    hssize_t count = H5Sget_simple_extent_npoints(space);
    uint64_t *words = count > 0 ? malloc((size_t)count * sizeof *words) : NULL;
    int is_whole = words != NULL &&
                   H5Dread(dataset, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, words) >= 0 &&
                   fwrite(words, sizeof *words, (size_t)count, out) == (size_t)count;
    free(words);
    H5Sclose(space);
    H5Dclose(dataset);
    return is_whole;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    hid_t file = H5Fopen(argv[1], H5F_ACC_RDONLY, H5P_DEFAULT);
    FILE *out = fopen(argv[2], "wb");
    if (file < 0 || out == NULL)
        return 1;
    char name[256];
    while (fgets(name, sizeof name, stdin) != NULL) {
        name[strcspn(name, "\n")] = '\0';
        if (!copy(file, name, out)) {
            fprintf(stderr, "%s: no whole dataset %s\n", argv[1], name);
            return 1;
        }
    }
    H5Fclose(file);
    return fclose(out) == 0 ? 0 : 1;
}
