/* Our own symbols, and the linker's functions behind our hooks of them.
 *
 * Not by dlsym: a name that is not there would leave an error for dlerror. */
#include "own_symbol.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <string.h>

extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char _end[] __attribute__((visibility("hidden")));
extern ElfW(Dyn) _DYNAMIC[] __attribute__((visibility("hidden")));

#if defined(__x86_64__)
#define FIRST_VERSION "GLIBC_2.2.5"
#else
#define FIRST_VERSION "GLIBC_2.17"
#endif

static void *real_function(void **cache, const char *name)
{
    void *found = __atomic_load_n(cache, __ATOMIC_RELAXED);
    if (found == NULL) {
        found = dlvsym(RTLD_NEXT, name, FIRST_VERSION);
        __atomic_store_n(cache, found, __ATOMIC_RELAXED);
    }
    return found;
}

diya_dlsym_function *diya_real_dlsym(void)
{
    static void *cache;
    return (diya_dlsym_function *)real_function(&cache, "dlsym");
}

diya_dlopen_function *diya_real_dlopen(void)
{
    static void *cache;
    return (diya_dlopen_function *)real_function(&cache, "dlopen");
}

bool diya_names_symbol(const struct link_map *map, const char *symbol)
{
    const char *texts = NULL;
    size_t bytes = 0;
    for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag == DT_STRTAB)
            texts = (const char *)entry->d_un.d_ptr;
        else if (entry->d_tag == DT_STRSZ)
            bytes = entry->d_un.d_val;
    }
    return texts != NULL && memmem(texts, bytes, symbol, strlen(symbol)) != NULL;
}

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
void *diya_own_symbol(const char *name)
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

bool diya_is_own_code(const void *address)
{
    return (const char *)address >= __ehdr_start && (const char *)address < _end;
}
