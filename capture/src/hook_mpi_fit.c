/* Counts beyond 2^31 for libraries of which the functions take an int. */
#include "hook_mpi.h"

#define PART (INT64_C(1) << 30)

typedef int (*contiguous_function)(int, uintptr_t, uintptr_t *);
typedef int (*struct_function)(int, const int *, const int64_t *, const void *, uintptr_t *);
typedef int (*type_function)(uintptr_t *);

static void free_type(uintptr_t *type, const void *caller)
{
    type_function release = DIYA_LAYER_ASK(type_function, "PMPI_Type_free", caller);
    if (release != NULL)
        release(type);
}

/* Parts of 2^30, and after them the rest. */
static bool make_type(uintptr_t *made, int64_t count, uintptr_t type, int64_t extent, const void *caller)
{
    contiguous_function contiguous = DIYA_LAYER_ASK(contiguous_function, "PMPI_Type_contiguous", caller);
    struct_function structure = DIYA_LAYER_ASK(struct_function, "PMPI_Type_create_struct", caller);
    type_function commit = DIYA_LAYER_ASK(type_function, "PMPI_Type_commit", caller);
    int64_t parts = count / PART, rest = count % PART;
    uintptr_t part = 0, pieces[2] = {0, 0};
    if (contiguous == NULL || structure == NULL || commit == NULL || parts >= PART ||
        contiguous((int)PART, type, &part) != 0)
        return false;
    bool is_good = contiguous((int)parts, part, &pieces[0]) == 0;
    free_type(&part, caller);
    if (!is_good)
        return false;
    if (contiguous((int)rest, type, &pieces[1]) != 0) {
        free_type(&pieces[0], caller);
        return false;
    }
    const uint32_t narrow[2] = {(uint32_t)pieces[0], (uint32_t)pieces[1]};
    const void *handles = diya_mpi_family(caller) == DIYA_MPI_MPICH ? (const void *)narrow : (const void *)pieces;
    is_good = structure(2, (const int[]){1, 1}, (const int64_t[]){0, parts * PART * extent}, handles, made) == 0;
    free_type(&pieces[0], caller);
    free_type(&pieces[1], caller);
    return is_good && commit(made) == 0;
}

bool diya_mpi_fit(struct diya_mpi_fitted *fitted, int64_t count, uintptr_t type, const void *caller)
{
    *fitted = (struct diya_mpi_fitted){.count = (int)count, .is_made = false, .type = type};
    if (count == (int)count)
        return true;
    if (count < 0)
        return false;
    fitted->count = 1;
    fitted->is_made = make_type(&fitted->type, count, type, diya_mpi_type_extent(type, caller), caller);
    return fitted->is_made;
}

/* A call under way keeps the type as long as it needs it. */
void diya_mpi_release(struct diya_mpi_fitted *fitted, const void *caller)
{
    if (fitted->is_made)
        free_type(&fitted->type, caller);
}
