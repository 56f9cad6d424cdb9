/* Module records: address range, file offset, build id and path of each
 * executable part of the program and its libraries.
 *
 * They are those of /proc/self/maps. The linker's own list (dl_iterate_phdr) is
 * behind its lock: a child that was forked while another thread held it would
 * wait for ever, and a handler that interrupted dlclose would walk over a list
 * that is being changed. What a library says of itself is read through the
 * kernel, which reports memory that is gone as an error.
 */
#include "modules.h"
#include "files.h"
#include "record.h"
#include "state.h"
#include "system.h"
#include "witness.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <string.h>
#include <sys/uio.h>

static uint32_t unloads; /* libraries that were closed so far */
static _Thread_local uint32_t unloading __attribute__((tls_model("initial-exec")));

/* A range may then belong to another library. */
DIYA_EXPORT int dlclose(void *library)
{
    unloading++;
    int returned = DIYA_REAL(dlclose)(library);
    unloading--;
    if (diya_tls.generation != DIYA_GENERATION_PAUSED) /* else our own look for a symbol */
        __atomic_fetch_add(&unloads, 1, __ATOMIC_RELAXED);
    return returned;
}

bool diya_is_unloading(void)
{
    return unloading != 0;
}

/* --- the build id, in memory --------------------------------------------------- */

struct build_id {
    uint8_t bytes;
    uint8_t value[63];
};

static bool copy(void *to, uint64_t from, size_t bytes)
{
    struct iovec here = {to, bytes}, there = {(void *)(uintptr_t)from, bytes};
    return diya_syscall(SYS_process_vm_readv, diya_process->pid, (long)&here, 1, (long)&there, 1, 0) == (long)bytes;
}

/* ELF gABI, "Note Section": name size, description size, type, then name and
 * description, each padded to the alignment of the segment. */
static struct build_id build_id_in(const uint8_t *at, const uint8_t *end, size_t alignment)
{
    struct build_id found = {0};
    if (alignment < 4)
        alignment = 4;
    while (at + sizeof(ElfW(Nhdr)) <= end) {
        const ElfW(Nhdr) *note = (const ElfW(Nhdr) *)at;
        const uint8_t *name = at + sizeof *note;
        const uint8_t *value = name + (note->n_namesz + alignment - 1) / alignment * alignment;
        if (value > end || note->n_descsz > (size_t)(end - value))
            break;
        if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && memcmp(name, "GNU", 4) == 0 &&
            note->n_descsz <= sizeof found.value) {
            found.bytes = (uint8_t)note->n_descsz;
            memcpy(found.value, value, note->n_descsz);
            break;
        }
        at = value + (note->n_descsz + alignment - 1) / alignment * alignment;
    }
    return found;
}

/* Of the object whose first page is mapped at `start`. */
static struct build_id build_id_at(struct diya_thread *thread, uint64_t start)
{
    enum { MAX_PARTS = 24, MAX_NOTE_BYTES = 4096 };
    ElfW(Ehdr) head;
    ElfW(Phdr) *parts = (ElfW(Phdr) *)(void *)thread->path;
    uint8_t *notes = (uint8_t *)thread->path + MAX_PARTS * sizeof *parts;
    struct build_id found = {0};
    _Static_assert(MAX_PARTS * sizeof *parts + MAX_NOTE_BYTES <= DIYA_PATH_ROOM, "both fit");
    if (start == 0 || !copy(&head, start, sizeof head) || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0)
        return found;
    size_t count = head.e_phnum < MAX_PARTS ? head.e_phnum : MAX_PARTS;
    if (head.e_phentsize != sizeof *parts || !copy(parts, start + head.e_phoff, count * sizeof *parts))
        return found;
    uint64_t base = start; /* less the address that the first part asks for */
    for (size_t i = 0; i < count; i++)
        if (parts[i].p_type == PT_LOAD && parts[i].p_offset == 0)
            base = start - parts[i].p_vaddr;
    for (size_t i = 0; i < count && found.bytes == 0; i++) {
        size_t bytes = parts[i].p_memsz < MAX_NOTE_BYTES ? parts[i].p_memsz : MAX_NOTE_BYTES;
        if (parts[i].p_type == PT_NOTE && copy(notes, base + parts[i].p_vaddr, bytes))
            found = build_id_in(notes, notes + bytes, parts[i].p_align);
    }
    return found;
}

/* --- lines of /proc/self/maps ------------------------------------------------------ */

struct mapping {
    uint64_t start, end, offset;
    bool is_executable;
    const char *path; /* empty, or in brackets: no file */
};

/* "5581c8a00000-5581c8a21000 r-xp 00002000 fe:00 1234      /usr/bin/cat" */
static struct mapping parse(char *line)
{
    struct mapping found = {.path = ""};
    uint64_t *const numbers[] = {&found.start, &found.end, &found.offset};
    char *at = line;
    for (int field = 0; field < 3; field++) {
        if (field == 2) {
            found.is_executable = at[0] != '\0' && at[1] != '\0' && at[2] == 'x';
            while (*at != '\0' && *at++ != ' ')
                ;
        }
        for (; (*at >= '0' && *at <= '9') || (*at >= 'a' && *at <= 'f'); at++)
            *numbers[field] = *numbers[field] << 4 | (uint64_t)(*at <= '9' ? *at - '0' : *at - 'a' + 10);
        if (*at != '\0')
            at++;
    }
    char *path = strchr(at, '/'); /* the device is a number, so is the inode */
    char *other = strchr(at, '[');
    if (path != NULL && (other == NULL || path < other)) {
        char *gone = strstr(path, " (deleted)");
        if (gone != NULL)
            *gone = '\0';
        found.path = path;
    }
    return found;
}

/* --- what was written ------------------------------------------------------------------ */

static void write_module(struct diya_thread *thread, const struct mapping *part, uint64_t object)
{
    uint8_t head[3 * sizeof(uint64_t) + 1 + 64];
    uint64_t numbers[3] = {part->start, part->end, part->offset};
    struct build_id build_id = build_id_at(thread, object);
    memcpy(head, numbers, sizeof numbers);
    head[sizeof numbers] = build_id.bytes;
    memcpy(head + sizeof numbers + 1, build_id.value, build_id.bytes);
    diya_record_other(thread, DIYA_MODULE, head, sizeof numbers + 1 + build_id.bytes, part->path, strlen(part->path));
}

static struct diya_module *module_of(uint64_t address)
{
    struct diya_process *process = diya_process;
    for (uint32_t i = 0; i < process->modules; i++)
        if (address - process->module_table[i].start < process->module_table[i].bytes)
            return &process->module_table[i];
    return NULL;
}

static void add_module(uint64_t start, uint64_t bytes, uint64_t key)
{
    struct diya_process *process = diya_process;
    struct diya_module *place = NULL;
    for (uint32_t i = 0; i < process->modules && place == NULL; i++)
        if (process->module_table[i].bytes == 0)
            place = &process->module_table[i];
    if (place == NULL && process->modules < DIYA_MODULES)
        place = &process->module_table[process->modules++];
    if (place != NULL)
        *place = (struct diya_module){.start = start, .bytes = bytes, .key = key, .round = process->module_rounds};
}

/* `object` is where the file that the mapping belongs to begins. */
static void note_mapping(struct diya_thread *thread, const struct mapping *mapping, uint64_t object)
{
    uint64_t key = diya_hash(mapping->path, strlen(mapping->path), mapping->start ^ mapping->offset);
    struct diya_module *known = module_of(mapping->start);
    if (known != NULL && known->key == key) {
        known->round = diya_process->module_rounds;
        known->bytes = mapping->end - mapping->start;
        return;
    }
    if (known != NULL)
        known->bytes = 0; /* another object was here */
    add_module(mapping->start, mapping->end - mapping->start, key);
    if (mapping->path[0] == '/')
        write_module(thread, mapping, object);
}

static void read_maps(struct diya_thread *thread)
{
    int fd = sys_open("/proc/self/maps", O_RDONLY | O_CLOEXEC, 0);
    if (fd < 0)
        return;
    char *buffer = thread->scratch;
    size_t have = 0;
    uint64_t object = 0, name = 0;
    long got;
    while ((got = sys_read(fd, buffer + have, DIYA_PATH_ROOM - 1 - have)) > 0) {
        diya_own_read(got);
        have += (size_t)got;
        buffer[have] = '\0';
        char *line = buffer;
        for (char *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
            *end = '\0';
            struct mapping mapping = parse(line);
            uint64_t of = diya_hash(mapping.path, strlen(mapping.path), 0);
            if (of != name)
                object = mapping.offset == 0 ? mapping.start : 0;
            name = of;
            if (mapping.is_executable)
                note_mapping(thread, &mapping, object);
        }
        have -= (size_t)(line - buffer);
        if (have == DIYA_PATH_ROOM - 1)
            have = 0; /* no path is that long */
        memmove(buffer, line, have);
    }
    diya_own_read(0);
    sys_close(fd);
}

static void forget_the_unseen(void)
{
    struct diya_process *process = diya_process;
    for (uint32_t i = 0; i < process->modules; i++)
        if (process->module_table[i].round != process->module_rounds)
            process->module_table[i].bytes = 0;
}

void diya_modules_refresh(struct diya_thread *thread, const uint64_t *addresses, uint32_t count)
{
    struct diya_process *process = diya_process;
    if (__atomic_load_n(&process->is_restricted, __ATOMIC_RELAXED) ||
        __atomic_exchange_n(&process->module_lock, thread->tid, __ATOMIC_ACQUIRE) != 0)
        return; /* another thread is at it */
    uint32_t unloaded = __atomic_load_n(&unloads, __ATOMIC_RELAXED);
    uint32_t known = 0;
    while (known < count && module_of(addresses[known]) != NULL)
        known++;
    if (known < count || unloaded != process->module_unloads || process->module_rounds == 0) {
        process->module_rounds++;
        read_maps(thread);
        forget_the_unseen();
        process->module_unloads = unloaded;
        /* Code that was made at run time, or a wrong frame: not to be looked for
         * again at each call. */
        for (uint32_t i = known; i < count; i++)
            if (module_of(addresses[i]) == NULL)
                add_module(addresses[i] / DIYA_PAGE * DIYA_PAGE, DIYA_PAGE, 0);
    }
    __atomic_store_n(&process->module_lock, 0, __ATOMIC_RELEASE);
}
