/* dlopen with RTLD_DEEPBIND: the library looks for functions in itself and in what it
 * depends on first, and so gets past the preloaded hooks. Its table of addresses is
 * then led to the hooks, where these would call the very function that was found.
 *
 * Everything else is handed on untouched: without a slash in the name the search
 * depends on the caller, whose return address the linker looks at.
 */
#include "own_symbol.h"
#include "settings.h"
#include "system.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <string.h>

struct object {
    ElfW(Addr) base;
    uintptr_t locked_from, locked_to; /* read-only once it is loaded */
};

static int find_locked(struct dl_phdr_info *info, size_t bytes, void *context)
{
    (void)bytes;
    struct object *object = context;
    if (info->dlpi_addr != object->base)
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type == PT_GNU_RELRO) {
            object->locked_from = (object->base + part->p_vaddr) & ~(uintptr_t)(DIYA_PAGE - 1);
            object->locked_to = (object->base + part->p_vaddr + part->p_memsz) & ~(uintptr_t)(DIYA_PAGE - 1);
        }
    }
    return 1;
}

static long protect(uintptr_t at, int protection)
{
    return diya_syscall(SYS_mprotect, (long)(at & ~(uintptr_t)(DIYA_PAGE - 1)), DIYA_PAGE, protection, 0, 0, 0);
}

static void set_slot(const struct object *object, uintptr_t at, void *function)
{
    bool is_locked = at >= object->locked_from && at < object->locked_to;
    if (is_locked && protect(at, PROT_READ | PROT_WRITE) != 0)
        return;
    __atomic_store_n((void **)at, function, __ATOMIC_RELEASE);
    if (is_locked)
        protect(at, PROT_READ);
}

static bool is_function_slot(uint64_t type)
{
#if defined(__x86_64__)
    return type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT;
#else
    return type == R_AARCH64_JUMP_SLOT || type == R_AARCH64_GLOB_DAT;
#endif
}

struct tables {
    const ElfW(Sym) *symbols;
    const char *strings;
    const ElfW(Rela) *lists[2];
    size_t bytes[2];
};

static struct tables tables_of(const struct link_map *map)
{
    struct tables tables = {0};
    for (const ElfW(Dyn) *at = map->l_ld; at->d_tag != DT_NULL; at++) {
        uintptr_t address = at->d_un.d_ptr < map->l_addr ? map->l_addr + at->d_un.d_ptr : at->d_un.d_ptr;
        switch (at->d_tag) {
        case DT_SYMTAB:
            tables.symbols = (const void *)address;
            break;
        case DT_STRTAB:
            tables.strings = (const void *)address;
            break;
        case DT_JMPREL:
            tables.lists[0] = (const void *)address;
            break;
        case DT_PLTRELSZ:
            tables.bytes[0] = at->d_un.d_val;
            break;
        case DT_RELA:
            tables.lists[1] = (const void *)address;
            break;
        case DT_RELASZ:
            tables.bytes[1] = at->d_un.d_val;
            break;
        default:
            break;
        }
    }
    return tables;
}

static void lead_to_hooks(void *handle)
{
    struct link_map *map = NULL;
    if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0 || map == NULL)
        return;
    struct object object = {.base = map->l_addr};
    struct tables tables = tables_of(map);
    dl_iterate_phdr(find_locked, &object);
    for (int list = 0; list < 2 && tables.symbols != NULL && tables.strings != NULL; list++) {
        for (size_t i = 0; tables.lists[list] != NULL && i < tables.bytes[list] / sizeof(ElfW(Rela)); i++) {
            const ElfW(Rela) *slot = &tables.lists[list][i];
            const ElfW(Sym) *symbol = &tables.symbols[ELF64_R_SYM(slot->r_info)];
            if (!is_function_slot(ELF64_R_TYPE(slot->r_info)) || symbol->st_shndx != SHN_UNDEF)
                continue;
            const char *name = tables.strings + symbol->st_name;
            void *own = diya_own_symbol(name);
            if (own != NULL && diya_real_dlsym()(handle, name) == diya_symbol(name))
                set_slot(&object, object.base + slot->r_offset, own);
        }
    }
}

static void *deeply_bound(const char *file, int flags)
{
    void *handle = diya_real_dlopen()(file, flags);
    int saved_errno = errno;
    if (handle != NULL && diya_settings_read()) {
        uint64_t paused = diya_pause();
        lead_to_hooks(handle);
        diya_resume(paused);
        dlerror(); /* what our questions left; a call that succeeds leaves none */
    }
    errno = saved_errno;
    return handle;
}

DIYA_HIDDEN void *diya_before_dlopen(const char *file, int flags);
void *diya_before_dlopen(const char *file, int flags)
{
    bool is_path = file != NULL && strchr(file, '/') != NULL && strchr(file, '$') == NULL;
    return is_path && (flags & RTLD_DEEPBIND) != 0 ? (void *)deeply_bound : (void *)diya_real_dlopen();
}

#if defined(__x86_64__)
__asm__(".text\n.globl dlopen\n.type dlopen,@function\ndlopen:\n"
        "    endbr64\n"
        "    pushq %rdi\n    pushq %rsi\n    subq $8, %rsp\n    call diya_before_dlopen\n    addq $8, %rsp\n"
        "    popq %rsi\n    popq %rdi\n    jmp *%rax\n"
        ".size dlopen,.-dlopen\n");
#elif defined(__aarch64__)
__asm__(".text\n.globl dlopen\n.type dlopen,%function\ndlopen:\n"
        "    hint #34\n"
        "    stp x29, x30, [sp, #-32]!\n    stp x0, x1, [sp, #16]\n    bl diya_before_dlopen\n    mov x16, x0\n"
        "    ldp x0, x1, [sp, #16]\n    ldp x29, x30, [sp], #32\n    br x16\n"
        ".size dlopen,.-dlopen\n");
#endif
