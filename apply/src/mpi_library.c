/* What is asked of the MPI library, and how its families differ.
 * Constants: mpi.h of MPICH 4.0 and Open MPI 4.1, mpi_abi.h of MPICH 5.0. */
#include "mpi.h"

#include "descriptors.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

static struct mpi_library library;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool is_looked_up, is_complete;

/* MPICH 5 has the function that asks for the ABI in its native library as well; the standard
 * calls the library of the ABI libmpi_abi. */
static bool is_abi_library(const void *function)
{
    Dl_info object;
    return dladdr(function, &object) != 0 && object.dli_fname != NULL && strstr(object.dli_fname, "libmpi_abi") != NULL;
}

/* A program may hold a variable of the library it is linked to itself (copy relocation). Then
 * the library uses that one, which only the global scope has: a caller such as HDF5 has the other
 * one in its own scope. */
static uintptr_t address_of(const char *name, const void *caller)
{
    bool is_global = dlsym(RTLD_DEFAULT, "PMPI_Comm_size") == (void *)library.Comm_size;
    void *found = is_global ? dlsym(RTLD_DEFAULT, name) : NULL;
    return (uintptr_t)(found != NULL ? found : apply_layer_own(name, caller));
}

static void read_constants(const void *caller)
{
    library.family = MPI_FAMILY_MPICH;
    library.byte = 0x4c00010d;
    library.info_null = 0x1c000000;
    library.comm_null = 0x04000000;
    library.bit_or = 0x58000008;
    library.mode_read = 2;
    library.mode_sequential = 256;
    library.seek_set = 600;
    library.thread_multiple = 3;
    library.named = 1;
    if (apply_layer_own("ompi_mpi_comm_world", caller) != NULL) {
        library.family = MPI_FAMILY_OPEN;
        library.named = 0;
        library.byte = address_of("ompi_mpi_byte", caller);
        library.info_null = address_of("ompi_mpi_info_null", caller);
        library.comm_null = address_of("ompi_mpi_comm_null", caller);
        library.bit_or = address_of("ompi_mpi_op_bor", caller);
    } else if (is_abi_library((const void *)library.Comm_size)) {
        library.family = MPI_FAMILY_ABI;
        library.byte = 0x247;
        library.info_null = 0x130;
        library.comm_null = 0x100;
        library.bit_or = 0x29;
        library.mode_read = 16;
        library.mode_sequential = 64;
        library.seek_set = 403;
        library.thread_multiple = 4096;
        library.named = 101;
    }
}

static void look_up(const void *caller)
{
    is_complete = true;
#define F(name, arguments)                                                                                             \
    library.name = (__typeof__(library.name))apply_layer_own("PMPI_" #name, caller);                                   \
    is_complete = is_complete && library.name != NULL;
    MPI_QUESTIONS(F)
#undef F
#define F(name, arguments) library.name = (__typeof__(library.name))apply_layer_own("PMPI_" #name, caller);
    MPI_EITHER(F)
#undef F
    is_complete = is_complete && (library.Info_get_string != NULL || library.Info_get != NULL);
#define F(name, arguments)                                                                                             \
    library.name = (__typeof__(library.name))apply_layer_next("MPI_" #name, caller);                                   \
    is_complete = is_complete && library.name != NULL;
    MPI_CALLS(F)
#undef F
    if (is_complete)
        read_constants(caller);
}

const struct mpi_library *apply_mpi(const void *caller)
{
    if (!__atomic_load_n(&is_looked_up, __ATOMIC_ACQUIRE)) {
        pthread_mutex_lock(&lock);
        if (!is_looked_up)
            look_up(caller);
        __atomic_store_n(&is_looked_up, true, __ATOMIC_RELEASE);
        pthread_mutex_unlock(&lock);
    }
    return is_complete ? &library : NULL;
}

void *apply_mpi_next(void **slot, const char *name, const void *caller)
{
    void *found = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
    if (found == NULL) {
        found = apply_layer_next(name, caller);
        __atomic_store_n(slot, found, __ATOMIC_RELEASE);
    }
    return found;
}

bool apply_mpi_is(const struct mpi_library *mpi, uintptr_t a, uintptr_t b)
{
    return mpi->family == MPI_FAMILY_MPICH ? (uint32_t)a == (uint32_t)b : a == b;
}

struct envelope {
    int integers, addresses, types, combiner;
};

/* Numbers of the combiners, counted from that of named types: the same in all families. */
enum { NAMED, DUPLICATE, CONTIGUOUS };

static struct envelope envelope_of(const struct mpi_library *mpi, uintptr_t type)
{
    struct envelope envelope = {.combiner = -1};
    if (mpi->Type_get_envelope(type, &envelope.integers, &envelope.addresses, &envelope.types, &envelope.combiner) != 0)
        envelope.combiner = -1;
    else
        envelope.combiner -= mpi->named;
    return envelope;
}

bool apply_mpi_is_named(const struct mpi_library *mpi, uintptr_t type)
{
    return envelope_of(mpi, type).combiner == NAMED;
}

static bool is_without_holes(const struct mpi_library *mpi, uintptr_t type, int64_t size)
{
    int64_t lower = -1, extent = -1, true_lower = -1, true_extent = -1;
    return mpi->Type_get_extent(type, &lower, &extent) == 0 &&
           mpi->Type_get_true_extent(type, &true_lower, &true_extent) == 0 && lower == 0 && true_lower == 0 &&
           extent == size && true_extent == size;
}

/* A type without holes may still have its parts in another order than memory has them. So of
 * the derived types only repetitions of plain ones count. */
static bool is_plain(const struct mpi_library *mpi, uintptr_t type)
{
    struct envelope envelope = envelope_of(mpi, type);
    int integers[1], size = 0;
    int64_t addresses[1];
    uintptr_t inner = 0;
    if (envelope.combiner == NAMED)
        return mpi->Type_size(type, &size) == 0 && is_without_holes(mpi, type, size);
    if ((envelope.combiner != DUPLICATE && envelope.combiner != CONTIGUOUS) || envelope.integers > 1 ||
        envelope.addresses > 1 || envelope.types != 1 ||
        mpi->Type_get_contents(type, envelope.integers, envelope.addresses, 1, integers, addresses, &inner) != 0)
        return false;
    bool is_good = is_plain(mpi, inner);
    if (!apply_mpi_is_named(mpi, inner))
        mpi->Type_free(&inner);
    return is_good;
}

int64_t apply_mpi_plain_bytes(const struct mpi_library *mpi, uintptr_t type)
{
    int size = 0;
    return is_plain(mpi, type) && mpi->Type_size(type, &size) == 0 ? size : 0;
}

bool apply_mpi_large_type(const struct mpi_library *mpi, int64_t count, uintptr_t type, uintptr_t *made)
{
    enum { PART = 1 << 30, PARTS = 64 };
    int lengths[PARTS], parts = 0;
    int64_t places[PARTS], lower, extent, done = 0;
    if (mpi == NULL || count < 0 || count > (int64_t)PART * PARTS || mpi->Type_get_extent(type, &lower, &extent) != 0)
        return false;
    for (; done < count; parts++) {
        lengths[parts] = count - done < PART ? (int)(count - done) : PART;
        places[parts] = done * extent;
        done += lengths[parts];
    }
    return mpi->Type_create_hindexed(parts, lengths, places, type, made) == 0 && mpi->Type_commit(made) == 0;
}

static _Thread_local uintptr_t outer_frame __attribute__((tls_model("initial-exec")));

/* An error handler may leave a hook by longjmp or an exception: then the stack of the next
 * call lies above what was noted, and that is forgotten. */
bool apply_mpi_enter(struct mpi_scope *scope, const void *caller)
{
    uintptr_t here = (uintptr_t)scope;
    bool is_inside = outer_frame != 0 && here < outer_frame;
    apply_flush_all(); /* other ranks may learn by the call of what was written before */
    scope->recorded_for = apply_layer_for(caller);
    scope->outer = is_inside ? outer_frame : 0;
    if (!is_inside)
        outer_frame = here;
    return !is_inside;
}

void apply_mpi_leave(const struct mpi_scope *scope)
{
    outer_frame = scope->outer;
    apply_layer_for(scope->recorded_for);
}
