/* HDF5 1.8 as far as the settings see it: identifiers have 32 bits, default lists other names,
 * and functions of 1.10 are missing. With -DLIBRARY the library, without it a program. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { LISTS = 8, FILE_ACCESS = 1, DATASET_CREATE = 2, NEXT_LIST = 3 };

#ifdef LIBRARY

static struct {
    uint64_t threshold, alignment, metadata_block;
    int is_open;
} lists[LISTS] = {[FILE_ACCESS] = {1, 1, 2048, 1}, [DATASET_CREATE] = {0, 0, 0, 1}};

/* What lies behind the 32 bits is not part of the variable. */
struct {
    int32_t list, other;
} H5P_LST_FILE_ACCESS_g = {FILE_ACCESS, 77}, H5P_LST_DATASET_CREATE_g = {DATASET_CREATE, 77};

/* The upper half of the register of an int is whatever it was. */
static int64_t identifier(int number)
{
    return (int64_t)((uint64_t)0x77 << 32 | (uint32_t)number);
}

int H5open(void)
{
    return 0;
}

int H5get_libversion(unsigned *major, unsigned *minor, unsigned *release)
{
    *major = 1;
    *minor = 8;
    *release = 22;
    return 0;
}

int64_t H5Pcopy(int list)
{
    for (int copy = NEXT_LIST; copy < LISTS; copy++)
        if (!lists[copy].is_open) {
            lists[copy] = lists[list];
            return identifier(copy);
        }
    return identifier(-1);
}

int H5Pclose(int list)
{
    lists[list].is_open = 0;
    return 0;
}

int64_t H5Eget_current_stack(void)
{
    return identifier(100);
}

int H5Eset_current_stack(int stack)
{
    return stack == 100 ? 0 : -1;
}

int H5Pget_alignment(int list, uint64_t *threshold, uint64_t *alignment)
{
    *threshold = lists[list].threshold;
    *alignment = lists[list].alignment;
    return 0;
}

int H5Pset_alignment(int list, uint64_t threshold, uint64_t alignment)
{
    lists[list].threshold = threshold;
    lists[list].alignment = alignment;
    return 0;
}

int64_t H5Fcreate(const char *path, unsigned flags, int create_list, int access_list)
{
    int is_good = flags == 2 && create_list == 0 && strcmp(path, "/file.h5") == 0;
    int list = access_list == 0 ? FILE_ACCESS : access_list;
    printf("list %d alignment %d,%d\n", list, (int)lists[list].threshold, (int)lists[list].alignment);
    return identifier(is_good ? 50 : -1);
}

int open_lists(void)
{
    int open = 0;
    for (int list = NEXT_LIST; list < LISTS; list++)
        open += lists[list].is_open;
    return open;
}

#else

int H5Fcreate(const char *path, unsigned flags, int create_list, int access_list);
int H5Pcopy(int list);
int H5Pset_alignment(int list, uint64_t threshold, uint64_t alignment);
int H5Pclose(int list);
int open_lists(void);

int main(void)
{
    printf("file %d\n", H5Fcreate("/file.h5", 2, 0, 0));
    int own = H5Pcopy(FILE_ACCESS);
    printf("file %d\n", H5Fcreate("/file.h5", 2, 0, own));
    H5Pset_alignment(own, 10, 20);
    printf("file %d\n", H5Fcreate("/file.h5", 2, 0, own));
    printf("failed %d\n", H5Fcreate("/file.h5", 9, 0, own));
    H5Pclose(own);
    printf("lists left %d\n", open_lists());
    return 0;
}

#endif
