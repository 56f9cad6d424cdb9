/* Memory that a file keeps from one call to the next: the kernel clears every new page, which
 * takes longer than to fill it. */
#include "internal.h"

#include <stdlib.h>

/* What a file keeps at most; more is given back to the system at once. */
enum { MOST_KEPT_BYTES = 64 << 20 };

/* Before the bytes that the caller gets, which stay aligned for any type. */
union header {
    int64_t bytes;
    max_align_t aligned;
};

/* Threads may share a file: who takes a buffer out of its place has it alone. */
static union header *take(blockio_file *file, int place)
{
    union header *kept = __atomic_exchange_n(&file->kept[place], NULL, __ATOMIC_ACQUIRE);
    if (kept != NULL)
        __atomic_sub_fetch(&file->kept_bytes, kept->bytes, __ATOMIC_RELAXED);
    return kept;
}

static void put(blockio_file *file, union header *header)
{
    if (header == NULL)
        return;
    bool has_room = __atomic_add_fetch(&file->kept_bytes, header->bytes, __ATOMIC_RELAXED) <= MOST_KEPT_BYTES;
    for (int i = 0; has_room && i < KEPT_BUFFERS; i++) {
        void *none = NULL;
        if (__atomic_compare_exchange_n(&file->kept[i], &none, header, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
            return;
    }
    __atomic_sub_fetch(&file->kept_bytes, header->bytes, __ATOMIC_RELAXED);
    free(header);
}

/* If none is large enough, a smaller one makes room for the new one. */
void *borrow(blockio_file *file, int64_t bytes)
{
    union header *found = NULL, *small = NULL;
    for (int i = 0; i < KEPT_BUFFERS && found == NULL; i++) {
        union header *kept = take(file, i);
        if (kept != NULL && kept->bytes >= bytes) {
            found = kept;
        } else if (kept != NULL) {
            put(file, small);
            small = kept;
        }
    }
    if (found != NULL) {
        put(file, small);
        return found + 1;
    }
    free(small);
    if ((uint64_t)bytes > SIZE_MAX - sizeof *found || (found = malloc((size_t)bytes + sizeof *found)) == NULL)
        return NULL;
    found->bytes = bytes;
    return found + 1;
}

void give_back(blockio_file *file, void *memory)
{
    put(file, memory == NULL ? NULL : (union header *)memory - 1);
}

void free_kept(blockio_file *file)
{
    for (int i = 0; i < KEPT_BUFFERS; i++)
        free(take(file, i));
}
