/* Numbers of files, and the name records that say what a number means.
 *
 * A file is what its absolute path says, without following links. The table
 * keeps a 64-bit hash only: among a million names two are mistaken for one
 * with a probability of 3e-8.
 */
#include "files.h"
#include "record.h"
#include "settings.h"
#include "state.h"
#include "system.h"

#include <string.h>

DIYA_OFTEN uint64_t diya_hash(const void *bytes, size_t length, uint64_t seed)
{
    const uint8_t *at = bytes;
    bool is_long = length >= 8;
    uint64_t hash = seed ^ (length * 0x9e3779b97f4a7c15u);
    uint64_t word;
    for (; length >= 8; at += 8, length -= 8) {
        memcpy(&word, at, 8);
        hash = (hash ^ word) * 0xff51afd7ed558ccdu;
        hash ^= hash >> 32;
    }
    word = 0;
    if (length > 0 && is_long) /* the last eight, some of them once more */
        memcpy(&word, at + length - 8, 8);
    else
        for (size_t i = 0; i < length; i++)
            word |= (uint64_t)at[i] << (8 * i);
    hash = (hash ^ word) * 0xc4ceb9fe1a85ec53u;
    return hash ^ (hash >> 29);
}

static DIYA_RARELY void write_name(uint32_t file, const char *name, size_t length, uint32_t parent,
                                   enum diya_name_kind kind)
{
    uint8_t head[24];
    size_t used = diya_put_varint(head, file);
    used += diya_put_varint(head + used, parent);
    head[used++] = (uint8_t)kind;
    diya_record_other(diya_tls.thread, DIYA_NAME, head, used, name, length);
}

/* In the profile mode memory is bounded: further files are counted together. */
static uint32_t most_files(const struct diya_process *process)
{
    uint32_t room = process->file_mask / 4 * 3;
    return diya_settings.mode == DIYA_MODE_PROFILE && room > 65536 ? 65536 : room;
}

static DIYA_RARELY uint32_t new_file(struct diya_file_entry *entry, const char *name, size_t length, uint32_t parent,
                                     enum diya_name_kind kind)
{
    struct diya_process *process = diya_process;
    uint32_t file = __atomic_add_fetch(&process->files, 1, __ATOMIC_RELAXED);
    if (file > most_files(process)) {
        __atomic_sub_fetch(&process->files, 1, __ATOMIC_RELAXED);
        __atomic_store_n(&entry->key, 0, __ATOMIC_RELEASE);
        if (diya_settings.mode == DIYA_MODE_TRACE)
            diya_count_dropped(DIYA_DROPPED_FILES, 1);
        return 0;
    }
    process->file_facts[file].kind = (uint8_t)kind;
    write_name(file, name, length, parent, kind);
    __atomic_store_n(&entry->file, file, __ATOMIC_RELEASE);
    return file;
}

/* The kind distinguishes datasets and variables from paths; what kind of file is at
 * a path may become known later and does not change its number. */
static bool is_path_kind(enum diya_name_kind kind)
{
    return kind == DIYA_NAME_FILE || kind == DIYA_NAME_DIRECTORY || kind == DIYA_NAME_PIPE;
}

static inline uint32_t number_of(const struct diya_file_entry *entry)
{
    uint32_t file = 0; /* for a moment, while another thread writes the name */
    for (int wait = 0; wait < 10000 && file == 0; wait++)
        file = __atomic_load_n(&entry->file, __ATOMIC_ACQUIRE);
    return file;
}

/* The table is a row of tables, each four times as large as the one before: what finds no
 * place goes into the next. A program of some hundred files touches a few pages, where each
 * file of one large table would touch a page of its own. */
DIYA_OFTEN uint32_t diya_file_number(const char *name, size_t length, uint32_t parent, enum diya_name_kind kind)
{
    struct diya_process *process = diya_process;
    uint64_t seed = is_path_kind(kind) ? parent : (uint64_t)parent << 8 | (uint64_t)kind | 1ull << 48;
    uint64_t key = diya_hash(name, length, seed) | 1;
    struct diya_file_entry *table = process->file_table;
    for (uint32_t places = DIYA_FIRST_FILES;; table += places, places *= 4) {
        bool is_last = places > process->file_mask;
        uint64_t first = key >> 8 & (is_last ? ~(uint64_t)0 : ~(uint64_t)3); /* four on one line of the cache */
        for (uint32_t i = 0; i < (is_last ? 257u : 4u); i++) {
            struct diya_file_entry *entry = &table[(first + i) & (places - 1)];
            uint64_t present = __atomic_load_n(&entry->key, __ATOMIC_ACQUIRE);
            if (present == 0 &&
                __atomic_compare_exchange_n(&entry->key, &present, key, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
                return new_file(entry, name, length, parent, kind);
            if (present == key)
                return number_of(entry);
        }
        if (is_last)
            break;
    }
    diya_count_dropped(DIYA_DROPPED_FILES, 1);
    return 0;
}

/* A later name record with another kind replaces the first. */
DIYA_RARELY void diya_file_status(uint32_t file, const struct stat *status, const char *name, size_t length)
{
    if (file == 0)
        return;
    struct diya_file_facts *facts = &diya_process->file_facts[file];
    enum diya_name_kind kind = S_ISREG(status->st_mode) || S_ISBLK(status->st_mode) ? DIYA_NAME_FILE
                               : S_ISDIR(status->st_mode)                           ? DIYA_NAME_DIRECTORY
                                                                                    : DIYA_NAME_PIPE;
    facts->alignment_bytes = status->st_blksize > 0 ? (uint32_t)status->st_blksize : 0;
    facts->is_known = 1;
    if (facts->kind == kind)
        return;
    facts->kind = (uint8_t)kind;
    if (name != NULL)
        write_name(file, name, length, 0, kind);
}

uint32_t diya_file_named(const char *name, size_t length, uint32_t parent, enum diya_name_kind kind)
{
    uint64_t generation = diya_enter();
    uint32_t file = diya_file_number(name, length, parent, kind);
    diya_leave(generation);
    return file;
}

void diya_attribute(uint32_t file, const char *key, const char *value)
{
    uint64_t generation = diya_enter();
    struct diya_thread *thread = diya_tls.thread;
    uint8_t head[8];
    size_t used = diya_put_varint(head, file);
    size_t key_bytes = strlen(key) + 1, value_bytes = strnlen(value, 4095);
    if (key_bytes + value_bytes + 1 < sizeof thread->scratch) {
        memcpy(thread->scratch, key, key_bytes);
        memcpy(thread->scratch + key_bytes, value, value_bytes);
        thread->scratch[key_bytes + value_bytes] = '\0';
        diya_record_other(thread, DIYA_ATTRIBUTE, head, used, thread->scratch, key_bytes + value_bytes + 1);
    }
    diya_leave(generation);
}
