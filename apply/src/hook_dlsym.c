/* dlsym on the handle of a library.
 *
 * A program that asks the C library's handle for `write` (ctypes, Julia) would get past the
 * hooks, and its writes past what is gathered. It gets the hook, where that would call the very
 * function that was found. RTLD_NEXT and RTLD_DEFAULT mean the library of the caller, so these
 * are handed on with the caller's return address. */
#include "own_code.h"
#include "real.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

extern const char __ehdr_start[] APPLY_HIDDEN;
extern const char _end[] APPLY_HIDDEN;

#if defined(__x86_64__)
#define FIRST_VERSION "GLIBC_2.2.5"
#else
#define FIRST_VERSION "GLIBC_2.17"
#endif

typedef void *dlsym_function(void *, const char *);

/* The C library's. Not found by dlsym, which is ours. */
static dlsym_function *real_dlsym(void)
{
    static void *known;
    void *found = __atomic_load_n(&known, __ATOMIC_RELAXED);
    if (found == NULL) {
        found = dlvsym(RTLD_NEXT, "dlsym", FIRST_VERSION);
        if (found == NULL)
            found = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34");
        __atomic_store_n(&known, found, __ATOMIC_RELAXED);
    }
    return (dlsym_function *)found;
}

/* The one behind ours, which may be the recorder's: it gives the recorder's hooks. */
static dlsym_function *next_dlsym(void)
{
    static void *known;
    return (dlsym_function *)apply_real(&known, "dlsym");
}

bool apply_is_own_code(const void *address)
{
    return (const char *)address >= __ehdr_start && (const char *)address < _end;
}

/* Name of the library's file, without its folder. */
static const char *library_of(const void *address)
{
    Dl_info library;
    if (dladdr(address, &library) == 0 || library.dli_fname == NULL)
        return "";
    const char *name = strrchr(library.dli_fname, '/');
    return name == NULL ? library.dli_fname : name + 1;
}

bool apply_is_mpi_code(const void *address)
{
    static const char *const beginnings[] = {"libmpi", "mca_", "libopen-", "libpmpi", "libromio"};
    const char *name = library_of(address);
    for (unsigned i = 0; i < sizeof beginnings / sizeof beginnings[0]; i++)
        if (strncmp(name, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    return false;
}

bool apply_is_cxx_code(const void *address)
{
    return strncmp(library_of(address), "libstdc++", 9) == 0;
}

static void *own_symbol(const char *name)
{
    static void *own;
    void *handle = __atomic_load_n(&own, __ATOMIC_RELAXED);
    Dl_info library;
    if (handle == NULL && dladdr(__ehdr_start, &library) != 0) {
        handle = dlopen(library.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
        __atomic_store_n(&own, handle, __ATOMIC_RELAXED);
    }
    void *found = handle == NULL ? NULL : real_dlsym()(handle, name);
    return apply_is_own_code(found) ? found : NULL;
}

/* The recorder asks for what is behind its own hooks: ours call these. */
static bool is_recorder_code(const void *address)
{
    Dl_info recorder, asking;
    void *function = real_dlsym()(RTLD_DEFAULT, "diya_record_applied");
    return function != NULL && dladdr(function, &recorder) != 0 && dladdr(address, &asking) != 0 &&
           recorder.dli_fbase == asking.dli_fbase;
}

static void *by_handle(void *handle, const char *name)
{
    const void *caller = __builtin_return_address(0);
    if (apply_is_own_code(caller) || is_recorder_code(caller))
        return real_dlsym()(handle, name);
    void *found = next_dlsym()(handle, name);
    if (found == NULL || apply_is_own_code(found))
        return found;
    int saved_errno = errno;
    void *own = own_symbol(name);
    if (own != NULL && real_dlsym()(RTLD_NEXT, name) == found)
        found = own;
    dlerror(); /* what our questions left; a call that succeeds leaves none */
    errno = saved_errno;
    return found;
}

APPLY_HIDDEN void *apply_before_dlsym(void *handle);
void *apply_before_dlsym(void *handle)
{
    return handle == RTLD_NEXT || handle == RTLD_DEFAULT ? (void *)real_dlsym() : (void *)by_handle;
}

#if defined(__x86_64__)
__asm__(".text\n.globl dlsym\n.type dlsym,@function\ndlsym:\n"
        "    endbr64\n"
        "    pushq %rdi\n    pushq %rsi\n    subq $8, %rsp\n    call apply_before_dlsym\n    addq $8, %rsp\n"
        "    popq %rsi\n    popq %rdi\n    jmp *%rax\n"
        ".size dlsym,.-dlsym\n");
#elif defined(__aarch64__)
__asm__(".text\n.globl dlsym\n.type dlsym,%function\ndlsym:\n"
        "    hint #34\n"
        "    stp x29, x30, [sp, #-32]!\n    stp x0, x1, [sp, #16]\n    bl apply_before_dlsym\n    mov x16, x0\n"
        "    ldp x0, x1, [sp, #16]\n    ldp x29, x30, [sp], #32\n    br x16\n"
        ".size dlsym,.-dlsym\n");
#endif
