/* What the hooks ask the MPI library, and how its families differ.
 *
 * Constants: mpi.h of MPICH 4.0 and Open MPI 4.1, mpi_abi.h of MPICH 5.0. */
#include "hook_mpi.h"

#include <dlfcn.h>
#include <string.h>

#define MPICH_COMM_WORLD 0x44000000u
#define MPICH_COMM_NULL 0x04000000u
#define MPICH_BYTE 0x4c00010du
#define MPICH_INFO_NULL 0x1c000000u
#define ABI_COMM_WORLD 0x101u
#define ABI_COMM_NULL 0x100u
#define ABI_BYTE 0x247u
#define ABI_INFO_NULL 0x130u

/* MPICH 5 has MPI_Abi_get_version in its native library as well; the standard
 * calls the library of the ABI libmpi_abi. */
static bool is_abi_library(const void *function)
{
    Dl_info library;
    return function != NULL && dladdr(function, &library) != 0 && library.dli_fname != NULL &&
           strstr(library.dli_fname, "libmpi_abi") != NULL;
}

enum diya_mpi_family diya_mpi_family(const void *caller)
{
    static uint32_t known;
    uint32_t family = __atomic_load_n(&known, __ATOMIC_RELAXED);
    if (family != DIYA_MPI_NONE)
        return (enum diya_mpi_family)family;
    if (is_abi_library(DIYA_LAYER_ASK(void *, "PMPI_Abi_get_version", caller)))
        family = DIYA_MPI_ABI;
    else
        family = DIYA_LAYER_DATA("ompi_mpi_comm_world", caller) != NULL ? DIYA_MPI_OPEN : DIYA_MPI_MPICH;
    __atomic_store_n(&known, family, __ATOMIC_RELAXED);
    return (enum diya_mpi_family)family;
}

uintptr_t diya_mpi_comm_world(const void *caller)
{
    switch (diya_mpi_family(caller)) {
    case DIYA_MPI_OPEN:
        return (uintptr_t)DIYA_LAYER_DATA("ompi_mpi_comm_world", caller);
    case DIYA_MPI_ABI:
        return ABI_COMM_WORLD;
    default:
        return MPICH_COMM_WORLD;
    }
}

static uintptr_t mpi_byte(const void *caller)
{
    switch (diya_mpi_family(caller)) {
    case DIYA_MPI_OPEN:
        return (uintptr_t)DIYA_LAYER_DATA("ompi_mpi_byte", caller);
    case DIYA_MPI_ABI:
        return ABI_BYTE;
    default:
        return MPICH_BYTE;
    }
}

bool diya_mpi_is_null_comm(uintptr_t comm, const void *caller)
{
    switch (diya_mpi_family(caller)) {
    case DIYA_MPI_OPEN:
        return comm == 0 || comm == (uintptr_t)DIYA_LAYER_DATA("ompi_mpi_comm_null", caller);
    case DIYA_MPI_ABI:
        return comm == 0 || comm == ABI_COMM_NULL;
    default:
        return (uint32_t)comm == 0 || (uint32_t)comm == MPICH_COMM_NULL;
    }
}

bool diya_mpi_is_null_info(uintptr_t info, const void *caller)
{
    switch (diya_mpi_family(caller)) {
    case DIYA_MPI_OPEN:
        return info == 0 || info == (uintptr_t)DIYA_LAYER_DATA("ompi_mpi_info_null", caller);
    case DIYA_MPI_ABI:
        return info == 0 || info == ABI_INFO_NULL;
    default:
        return (uint32_t)info == 0 || (uint32_t)info == MPICH_INFO_NULL;
    }
}

uint64_t diya_mpi_handle(uintptr_t handle, const void *caller)
{
    return diya_mpi_family(caller) == DIYA_MPI_MPICH ? (uint32_t)handle : handle;
}

typedef int (*type_int_function)(uintptr_t, int *);
typedef int (*type_count_function)(uintptr_t, int64_t *);
typedef int (*type_extent_function)(uintptr_t, int64_t *, int64_t *);

int64_t diya_mpi_type_size(uintptr_t type, const void *caller)
{
    /* MPICH keeps the size of a predefined type in its handle: kind 01 in the
     * upper two bits, size in bits 8 to 15 (mpi.h of MPICH 4.0). */
    if (diya_mpi_family(caller) == DIYA_MPI_MPICH && ((uint32_t)type >> 30) == 1)
        return ((uint32_t)type >> 8) & 0xff;
    int64_t size = -1;
    type_count_function ask_count = DIYA_LAYER_ASK(type_count_function, "PMPI_Type_size_x", caller);
    if (ask_count != NULL)
        return ask_count(type, &size) == 0 ? size : -1;
    int size_int = -1;
    type_int_function ask_int = DIYA_LAYER_ASK(type_int_function, "PMPI_Type_size", caller);
    return ask_int != NULL && ask_int(type, &size_int) == 0 ? size_int : -1;
}

int64_t diya_mpi_type_extent(uintptr_t type, const void *caller)
{
    int64_t lower = 0, extent = -1;
    type_extent_function ask = DIYA_LAYER_ASK(type_extent_function, "PMPI_Type_get_extent_x", caller);
    if (ask == NULL)
        ask = DIYA_LAYER_ASK(type_extent_function, "PMPI_Type_get_extent", caller);
    return ask != NULL && ask(type, &lower, &extent) == 0 ? extent : -1;
}

int64_t diya_mpi_bytes_done(void *status, const void *caller)
{
    /* MPI_STATUS_IGNORE is 0 or 1. */
    if ((uintptr_t)status < 4096)
        return -1;
    int64_t bytes = -1;
    typedef int (*elements_function)(void *, uintptr_t, int64_t *);
    elements_function ask = DIYA_LAYER_ASK(elements_function, "PMPI_Get_elements_x", caller);
    return ask != NULL && ask(status, mpi_byte(caller), &bytes) == 0 ? bytes : -1;
}

/* MPI_STATUS_IGNORE: 1 in MPICH, else 0. */
bool diya_mpi_is_no_status(const void *status, const void *caller)
{
    return status == NULL || (diya_mpi_family(caller) == DIYA_MPI_MPICH && (uintptr_t)status == 1);
}

int32_t diya_mpi_source(const void *status, const void *caller)
{
    if (diya_mpi_is_no_status(status, caller))
        return -1;
    /* MPICH has two numbers before MPI_SOURCE, Open MPI and the ABI none. */
    int32_t source = ((const int32_t *)status)[diya_mpi_family(caller) == DIYA_MPI_MPICH ? 2 : 0];
    return source >= 0 ? source : -1;
}

int64_t diya_mpi_position(uintptr_t file, const void *caller)
{
    int64_t position = -1;
    type_count_function ask = DIYA_LAYER_ASK(type_count_function, "PMPI_File_get_position", caller);
    return ask != NULL && ask(file, &position) == 0 ? position : -1;
}

int64_t diya_mpi_byte_offset(uintptr_t file, int64_t offset, const void *caller)
{
    int64_t bytes = -1;
    typedef int (*byte_offset_function)(uintptr_t, int64_t, int64_t *);
    byte_offset_function ask = DIYA_LAYER_ASK(byte_offset_function, "PMPI_File_get_byte_offset", caller);
    return ask != NULL && ask(file, offset, &bytes) == 0 ? bytes : -1;
}

int diya_mpi_amode(int amode, const void *caller)
{
    /* In the ABI, from bit 0: append, create, delete on close, exclusive, read
     * only, read and write, sequential, unique open, write only. */
    static const int of_bit[] = {128, 1, 16, 64, 2, 8, DIYA_MPI_MODE_SEQUENTIAL, 32, 4};
    if (diya_mpi_family(caller) != DIYA_MPI_ABI)
        return amode;
    int common = 0;
    for (size_t bit = 0; bit < sizeof of_bit / sizeof of_bit[0]; bit++)
        common |= (amode >> bit & 1) != 0 ? of_bit[bit] : 0;
    return common;
}

int diya_mpi_whence(int whence)
{
    switch (whence) {
    case 600:
    case 403:
        return 0; /* SEEK_SET */
    case 602:
    case 401:
        return 1; /* SEEK_CUR */
    case 604:
    case 402:
        return 2; /* SEEK_END */
    default:
        return whence;
    }
}

/* Error classes. Those of MPICH are its own; Open MPI and the ABI have the
 * second column. */
static const struct {
    uint8_t mpich, open;
    uint8_t number;
} error_classes[] = {
    {20, 20, EACCES}, {21, 21, EINVAL}, {22, 23, ENOENT}, {25, 28, EEXIST}, {26, 29, EBUSY},  {27, 30, EBADF},
    {36, 41, ENOSPC}, {37, 42, ENOENT}, {39, 44, EDQUOT}, {40, 45, EROFS},  {34, 39, ENOMEM},
};

int diya_mpi_errno(int error, const void *caller)
{
    if (error == 0)
        return 0;
    int class = 0;
    typedef int (*error_function)(int, int *);
    error_function ask = DIYA_LAYER_ASK(error_function, "PMPI_Error_class", caller);
    if (ask == NULL || ask(error, &class) != 0)
        return EIO;
    bool is_mpich = diya_mpi_family(caller) == DIYA_MPI_MPICH;
    for (size_t at = 0; at < sizeof error_classes / sizeof error_classes[0]; at++)
        if (class == (is_mpich ? error_classes[at].mpich : error_classes[at].open))
            return error_classes[at].number;
    return EIO;
}

/* --- hints ----------------------------------------------------------------- */

#define KEY_BYTES 256    /* MPI_MAX_INFO_KEY: 255 or 36 */
#define VALUE_BYTES 1025 /* MPI_MAX_INFO_VAL: 1024 or 256 */

static bool read_hint(uintptr_t info, int at, char key[KEY_BYTES], char value[VALUE_BYTES], const void *caller)
{
    typedef int (*key_function)(uintptr_t, int, char *);
    typedef int (*get_function)(uintptr_t, const char *, int, char *, int *);
    typedef int (*string_function)(uintptr_t, const char *, int *, char *, int *);
    key_function ask_key = DIYA_LAYER_ASK(key_function, "PMPI_Info_get_nthkey", caller);
    get_function ask_value = DIYA_LAYER_ASK(get_function, "PMPI_Info_get", caller);
    string_function ask_string = DIYA_LAYER_ASK(string_function, "PMPI_Info_get_string", caller);
    memset(key, 0, KEY_BYTES);
    memset(value, 0, VALUE_BYTES);
    if (ask_key == NULL || ask_key(info, at, key) != 0)
        return false;
    int found = 0, room = VALUE_BYTES;
    if (ask_value != NULL)
        return ask_value(info, key, VALUE_BYTES - 1, value, &found) == 0 && found != 0;
    return ask_string != NULL && ask_string(info, key, &room, value, &found) == 0 && found != 0;
}

static uint32_t hash_text(uint32_t hash, const char *text)
{
    for (; *text != 0; text++)
        hash = (hash ^ (uint8_t)*text) * 16777619u; /* FNV-1a */
    return (hash ^ 0xff) * 16777619u;
}

static void write_hints_of(uint32_t file, uintptr_t info, const void *caller)
{
    char name[KEY_BYTES + 8], value[VALUE_BYTES];
    int hints = 0;
    typedef int (*nkeys_function)(uintptr_t, int *);
    nkeys_function ask = DIYA_LAYER_ASK(nkeys_function, "PMPI_Info_get_nkeys", caller);
    if (ask == NULL || ask(info, &hints) != 0)
        return;
    memcpy(name, "hint:", 5);
    uint32_t hash = 2166136261u;
    for (int at = 0; at < hints; at++)
        if (read_hint(info, at, name + 5, value, caller))
            hash = hash_text(hash_text(hash, name), value);
    hash |= 1; /* 0 cannot be bound */
    if (diya_handle_find(DIYA_HANDLE_HINT_HASH, file) == hash)
        return;
    diya_handle_bind(DIYA_HANDLE_HINT_HASH, file, hash);
    for (int at = 0; at < hints; at++)
        if (read_hint(info, at, name + 5, value, caller))
            diya_attribute(file, name, value);
}

void diya_mpi_write_hints(uint32_t file, uintptr_t handle, const void *caller)
{
    uintptr_t info = 0;
    typedef int (*get_info_function)(uintptr_t, uintptr_t *);
    typedef int (*free_function)(uintptr_t *);
    get_info_function ask = DIYA_LAYER_ASK(get_info_function, "PMPI_File_get_info", caller);
    free_function release = DIYA_LAYER_ASK(free_function, "PMPI_Info_free", caller);
    if (file == 0 || ask == NULL || release == NULL || ask(handle, &info) != 0 || diya_mpi_is_null_info(info, caller))
        return;
    write_hints_of(file, info, caller);
    release(&info);
}

/* --- process ----------------------------------------------------------------- */

static uint32_t process_is_written;

static void write_rank_in(uintptr_t comm, const void *caller)
{
    int rank = -1, size = -1;
    type_int_function ask_rank = DIYA_LAYER_ASK(type_int_function, "PMPI_Comm_rank", caller);
    type_int_function ask_size = DIYA_LAYER_ASK(type_int_function, "PMPI_Comm_size", caller);
    if (ask_rank == NULL || ask_size == NULL || ask_rank(comm, &rank) != 0 || ask_size(comm, &size) != 0)
        return;
    diya_process_mpi(rank, size, diya_mpi_family(caller));
    __atomic_store_n(&process_is_written, 1, __ATOMIC_RELAXED);
}

bool diya_mpi_has_world(const void *caller)
{
    int initialized = 0, finalized = 1;
    typedef int (*flag_function)(int *);
    flag_function ask_initialized = DIYA_LAYER_ASK(flag_function, "PMPI_Initialized", caller);
    flag_function ask_finalized = DIYA_LAYER_ASK(flag_function, "PMPI_Finalized", caller);
    return ask_initialized != NULL && ask_finalized != NULL && ask_initialized(&initialized) == 0 &&
           ask_finalized(&finalized) == 0 && initialized && !finalized;
}

void diya_mpi_write_process(const void *caller)
{
    if (diya_mpi_has_world(caller))
        write_rank_in(diya_mpi_comm_world(caller), caller);
}

void diya_mpi_write_late_process(uintptr_t comm, const void *caller)
{
    if (__atomic_load_n(&process_is_written, __ATOMIC_RELAXED) != 0)
        return;
    write_rank_in(diya_mpi_has_world(caller) ? diya_mpi_comm_world(caller) : comm, caller);
}

/* --- Fortran ----------------------------------------------------------------- */

uintptr_t diya_mpi_from_fortran(enum diya_mpi_handle_type type, int32_t handle, const void *caller)
{
    typedef uintptr_t (*convert_function)(int32_t);
    convert_function convert = NULL;
    switch (type) {
    case DIYA_MPI_COMM:
        convert = DIYA_LAYER_ASK(convert_function, "PMPI_Comm_f2c", caller);
        break;
    case DIYA_MPI_FILE:
        convert = DIYA_LAYER_ASK(convert_function, "PMPI_File_f2c", caller);
        break;
    case DIYA_MPI_TYPE:
        convert = DIYA_LAYER_ASK(convert_function, "PMPI_Type_f2c", caller);
        break;
    case DIYA_MPI_INFO:
        convert = DIYA_LAYER_ASK(convert_function, "PMPI_Info_f2c", caller);
        break;
    case DIYA_MPI_REQUEST:
        convert = DIYA_LAYER_ASK(convert_function, "PMPI_Request_f2c", caller);
        break;
    }
    /* MPICH has the same integers in both languages, and no such functions. */
    return convert != NULL ? convert(handle) : (uint32_t)handle;
}
