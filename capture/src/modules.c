/* Module records: address range, file offset, build id and path of each
 * executable part of the program and its libraries. */
#include "modules.h"

#include <elf.h>
#include <link.h>
#include <string.h>

struct build_id {
    uint8_t bytes;
    const uint8_t *value;
};

/* ELF gABI, "Note Section": name size, description size, type, then name and
 * description, each padded to the alignment of the segment. */
static struct build_id build_id_in(const uint8_t *at, const uint8_t *end, size_t alignment)
{
    if (alignment < 4)
        alignment = 4;
    while (at + sizeof(ElfW(Nhdr)) <= end) {
        const ElfW(Nhdr) *note = (const ElfW(Nhdr) *)at;
        const uint8_t *name = at + sizeof *note;
        const uint8_t *value = name + (note->n_namesz + alignment - 1) / alignment * alignment;
        if (value + note->n_descsz > end)
            break;
        if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && memcmp(name, "GNU", 4) == 0 &&
            note->n_descsz < 64)
            return (struct build_id){(uint8_t)note->n_descsz, value};
        at = value + (note->n_descsz + alignment - 1) / alignment * alignment;
    }
    return (struct build_id){0};
}

static struct build_id build_id_of(const struct dl_phdr_info *object)
{
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        if (part->p_type != PT_NOTE)
            continue;
        const uint8_t *start = (const uint8_t *)(object->dlpi_addr + part->p_vaddr);
        struct build_id found = build_id_in(start, start + part->p_memsz, part->p_align);
        if (found.bytes > 0)
            return found;
    }
    return (struct build_id){0};
}

static void write_part(struct diya_thread *thread, const struct dl_phdr_info *object, const ElfW(Phdr) *part,
                       struct build_id build_id, const char *path)
{
    uint8_t head[3 * sizeof(uint64_t) + 1 + 64];
    uint64_t base = object->dlpi_addr + part->p_vaddr;
    uint64_t numbers[3] = {base, base + part->p_memsz, part->p_offset};
    memcpy(head, numbers, sizeof numbers);
    head[sizeof numbers] = build_id.bytes;
    if (build_id.bytes > 0)
        memcpy(head + sizeof numbers + 1, build_id.value, build_id.bytes);
    diya_record_other(thread, DIYA_MODULE, head, sizeof numbers + 1 + build_id.bytes, path, strlen(path));
}

/* True if it was written before. */
static bool is_known(uint64_t key)
{
    struct diya_process *process = diya_process;
    for (uint32_t i = 0; i < process->modules; i++)
        if (process->module_keys[i] == key)
            return true;
    if (process->modules < DIYA_MODULES)
        process->module_keys[process->modules++] = key;
    return false;
}

static int note_module(struct dl_phdr_info *object, size_t bytes, void *context)
{
    struct diya_thread *thread = context;
    struct diya_process *process = diya_process;
    /* The counts of loaded and unloaded objects are the same in all calls of a
     * round: if they have not changed there is nothing to do. */
    uint64_t changes = bytes >= offsetof(struct dl_phdr_info, dlpi_tls_modid)
                           ? (uint64_t)object->dlpi_adds << 32 | (uint32_t)object->dlpi_subs
                           : 0;
    if (changes != 0 && changes == process->module_changes)
        return 1;
    bool is_program = object->dlpi_name == NULL || object->dlpi_name[0] == '\0';
    const char *path = is_program ? process->header->exe : object->dlpi_name;
    if (is_known(diya_hash(path, strlen(path), object->dlpi_addr)))
        return 0;
    struct build_id build_id = build_id_of(object);
    for (int i = 0; i < object->dlpi_phnum; i++)
        if (object->dlpi_phdr[i].p_type == PT_LOAD && (object->dlpi_phdr[i].p_flags & PF_X) != 0)
            write_part(thread, object, &object->dlpi_phdr[i], build_id, path);
    return 0;
}

static int note_changes(struct dl_phdr_info *object, size_t bytes, void *context)
{
    (void)context;
    if (bytes >= offsetof(struct dl_phdr_info, dlpi_tls_modid))
        diya_process->module_changes = (uint64_t)object->dlpi_adds << 32 | (uint32_t)object->dlpi_subs;
    return 1;
}

void diya_modules_refresh(struct diya_thread *thread)
{
    if (__atomic_exchange_n(&diya_process->module_lock, 1, __ATOMIC_ACQUIRE) != 0)
        return; /* another thread is at it */
    if (dl_iterate_phdr(note_module, thread) == 0)
        dl_iterate_phdr(note_changes, NULL);
    __atomic_store_n(&diya_process->module_lock, 0, __ATOMIC_RELEASE);
}
