/* Fills in the pointer of diya.h, in the program and in each library that includes it.
 *
 * Found by its note when the recorder is loaded; a library that comes later calls
 * diya_annotate_attach itself. A note that leads out of the writable memory of its own
 * object is damaged, or of somebody else: it is left alone.
 */
#define DIYA_OFF /* the recorder is no program with regions: only the structure */
#include "diya.h"
#include "core.h"
#include "region.h"
#include "settings.h"

#include <elf.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#define OWNER "diya"
#define NOTE_TYPE 1u

static const struct diya_annotations recorder = {
    .version = 1,
    .bytes = sizeof recorder,
    .region_begin = diya_annotate_region_begin,
    .region_end = diya_annotate_region_end,
    .step = diya_annotate_step,
    .epoch = diya_annotate_epoch,
    .note = diya_annotate_note,
};

static bool is_recorded(void)
{
    return getenv("DIYA_DIR") != NULL && diya_settings_read();
}

DIYA_EXPORT void diya_annotate_attach(const struct diya_annotations *volatile *here)
{
    if (is_recorded())
        *here = &recorder;
}

static bool is_writable(const struct dl_phdr_info *object, uintptr_t at)
{
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        uintptr_t start = object->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_LOAD && (part->p_flags & PF_W) != 0 && at >= start &&
            at + sizeof(void *) <= start + part->p_memsz)
            return at % sizeof(void *) == 0;
    }
    return false;
}

static size_t padded(uint32_t bytes, size_t alignment)
{
    return ((size_t)bytes + alignment - 1) & ~(alignment - 1);
}

static void read_notes(const struct dl_phdr_info *object, const ElfW(Phdr) *part)
{
    const char *at = (const char *)(object->dlpi_addr + part->p_vaddr);
    const char *end = at + part->p_memsz;
    size_t alignment = part->p_align == 8 ? 8 : 4;
    while ((size_t)(end - at) >= sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) note;
        memcpy(&note, at, sizeof note);
        const char *owner = at + sizeof note;
        size_t owner_bytes = padded(note.n_namesz, alignment), content_bytes = padded(note.n_descsz, alignment);
        if (owner_bytes > (size_t)(end - owner) || content_bytes > (size_t)(end - owner) - owner_bytes)
            return;
        const char *content = owner + owner_bytes;
        if (note.n_namesz == sizeof OWNER && memcmp(owner, OWNER, sizeof OWNER) == 0 && note.n_type == NOTE_TYPE &&
            note.n_descsz == sizeof(int64_t)) {
            int64_t distance;
            memcpy(&distance, content, sizeof distance);
            uintptr_t pointer = (uintptr_t)content + (uintptr_t)distance;
            if (is_writable(object, pointer))
                __atomic_store_n((const struct diya_annotations **)pointer, &recorder, __ATOMIC_RELEASE);
        }
        at = content + content_bytes;
    }
}

static int look_at(struct dl_phdr_info *object, size_t bytes, void *context)
{
    (void)bytes, (void)context;
    for (int i = 0; i < object->dlpi_phnum; i++)
        if (object->dlpi_phdr[i].p_type == PT_NOTE)
            read_notes(object, &object->dlpi_phdr[i]);
    return 0;
}

__attribute__((constructor)) static void attach(void)
{
    if (is_recorded())
        dl_iterate_phdr(look_at, NULL);
}
