/* dlsym on the handle of a library.
 *
 * A program that asks the C library's handle for `read` (ctypes.CDLL("libc.so.6"),
 * Julia, JNA) would get past the hooks. It gets the hook instead, where that would
 * call the very function that was found. RTLD_NEXT and RTLD_DEFAULT mean the
 * library of the caller, so these are handed on with the caller's return address.
 */
#include "internal.h"
#include "settings.h"
#include "system.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <string.h>

typedef void *dlsym_function(void *handle, const char *name);

extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char _end[] __attribute__((visibility("hidden")));
extern ElfW(Dyn) _DYNAMIC[] __attribute__((visibility("hidden")));

#if defined(__x86_64__)
#define FIRST_VERSION "GLIBC_2.2.5"
#else
#define FIRST_VERSION "GLIBC_2.17"
#endif

static dlsym_function *real_dlsym(void)
{
    static void *cache;
    void *found = __atomic_load_n(&cache, __ATOMIC_RELAXED);
    if (found == NULL) {
        found = dlvsym(RTLD_NEXT, "dlsym", FIRST_VERSION);
        __atomic_store_n(&cache, found, __ATOMIC_RELAXED);
    }
    return (dlsym_function *)found;
}

/* --- our own symbols ---------------------------------------------------------------
 *
 * Not by dlsym: a name that is not there would leave an error for dlerror. */

static const void *part_of(ElfW(Sxword) tag)
{
    for (const ElfW(Dyn) *at = _DYNAMIC; at->d_tag != DT_NULL; at++)
        if (at->d_tag == tag) /* an address, or an offset where the linker left it alone */
            return (const void *)(at->d_un.d_ptr < (uintptr_t)__ehdr_start ? (uintptr_t)__ehdr_start + at->d_un.d_ptr
                                                                           : at->d_un.d_ptr);
    return NULL;
}

struct gnu_hash {
    uint32_t buckets, first, bloom_words, bloom_shift;
};

/* System V ABI, and the GNU hash table as ld and lld write it. */
static void *own_symbol(const char *name)
{
    const struct gnu_hash *table = part_of(DT_GNU_HASH);
    const ElfW(Sym) *symbols = part_of(DT_SYMTAB);
    const char *strings = part_of(DT_STRTAB);
    if (table == NULL || symbols == NULL || strings == NULL || table->buckets == 0)
        return NULL;
    uint32_t hash = 5381;
    for (const uint8_t *at = (const uint8_t *)name; *at != 0; at++)
        hash = hash * 33 + *at;
    const uint32_t *buckets = (const uint32_t *)(const void *)((const uint64_t *)(table + 1) + table->bloom_words);
    const uint32_t *chain = buckets + table->buckets;
    for (uint32_t at = buckets[hash % table->buckets]; at >= table->first && at != 0; at++) {
        uint32_t of = chain[at - table->first];
        if ((of | 1) == (hash | 1) && strcmp(strings + symbols[at].st_name, name) == 0 && symbols[at].st_shndx != 0)
            return (void *)((uintptr_t)__ehdr_start + symbols[at].st_value);
        if (of & 1)
            break;
    }
    return NULL;
}

static bool is_own_code(const void *address)
{
    return (const char *)address >= __ehdr_start && (const char *)address < _end;
}

/* --- the hook ------------------------------------------------------------------------ */

static void *by_handle(void *handle, const char *name)
{
    void *found = real_dlsym()(handle, name);
    if (found == NULL || is_own_code(__builtin_return_address(0)) || !diya_settings_read())
        return found;
    int saved_errno = errno;
    void *own = own_symbol(name);
    if (own != NULL) {
        if (diya_symbol(name) == found)
            found = own;
        dlerror(); /* what our question left; a call that succeeds leaves none */
    }
    errno = saved_errno;
    return found;
}

DIYA_HIDDEN void *diya_before_dlsym(void *handle);
void *diya_before_dlsym(void *handle)
{
    return handle == RTLD_NEXT || handle == RTLD_DEFAULT ? (void *)real_dlsym() : (void *)by_handle;
}

#if defined(__x86_64__)
__asm__(".text\n.globl dlsym\n.type dlsym,@function\ndlsym:\n"
        "    endbr64\n"
        "    pushq %rdi\n    pushq %rsi\n    subq $8, %rsp\n    call diya_before_dlsym\n    addq $8, %rsp\n"
        "    popq %rsi\n    popq %rdi\n    jmp *%rax\n"
        ".size dlsym,.-dlsym\n");
#elif defined(__aarch64__)
__asm__(".text\n.globl dlsym\n.type dlsym,%function\ndlsym:\n"
        "    hint #34\n"
        "    stp x29, x30, [sp, #-32]!\n    stp x0, x1, [sp, #16]\n    bl diya_before_dlsym\n    mov x16, x0\n"
        "    ldp x0, x1, [sp, #16]\n    ldp x29, x30, [sp], #32\n    br x16\n"
        ".size dlsym,.-dlsym\n");
#endif
