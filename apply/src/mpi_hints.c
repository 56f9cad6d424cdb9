/* Hints for files of MPI-IO: those that the program does not give itself. */
#include "mpi_file.h"

#include <string.h>

enum { ENTRIES = 64, KEY_ROOM = 256, VALUE_ROOM = 1025 };

/* Longer ones are errors, and errors of an info end the program: MPI_MAX_INFO_KEY and
 * MPI_MAX_INFO_VAL with their terminating zero. */
static const struct {
    size_t key, value;
} limits[] = {[MPI_FAMILY_MPICH] = {255, 1024}, [MPI_FAMILY_OPEN] = {36, 256}, [MPI_FAMILY_ABI] = {255, 1024}};

struct hint {
    char key[KEY_ROOM];
    const char *value, *text;
};

static bool read_hint(const char *path, unsigned index, struct hint *hint)
{
    hint->text = apply_value_at(APPLY_mpi_hint, path, index);
    const char *colon = hint->text == NULL ? NULL : strchr(hint->text, ':');
    if (colon == NULL || colon == hint->text || colon[1] == '\0' || colon - hint->text >= KEY_ROOM)
        return false;
    memcpy(hint->key, hint->text, (size_t)(colon - hint->text));
    hint->key[colon - hint->text] = '\0';
    hint->value = colon + 1;
    return true;
}

static bool get_value(const struct mpi_library *mpi, uintptr_t info, const char *key, char value[VALUE_ROOM])
{
    int is_there = 0, room = (int)limits[mpi->family].value;
    memset(value, 0, VALUE_ROOM);
    if (apply_mpi_is(mpi, info, mpi->info_null))
        return false;
    int error = mpi->Info_get != NULL ? mpi->Info_get(info, key, room - 1, value, &is_there)
                                      : mpi->Info_get_string(info, key, &room, value, &is_there);
    return error == 0 && is_there != 0;
}

static bool has_key(const struct mpi_library *mpi, uintptr_t info, const char *key)
{
    char value[VALUE_ROOM];
    return get_value(mpi, info, key, value);
}

uint64_t apply_mpi_hints_asked(const char *path)
{
    uint64_t asked = 0;
    for (unsigned i = 0; i < ENTRIES && apply_value_at(APPLY_mpi_hint, path, i) != NULL; i++)
        asked |= UINT64_C(1) << i;
    return asked;
}

static bool is_too_long(const struct mpi_library *mpi, const struct hint *hint)
{
    return strlen(hint->key) >= limits[mpi->family].key || strlen(hint->value) >= limits[mpi->family].value;
}

uint64_t apply_mpi_hints_in(const struct mpi_library *mpi, const char *path, uintptr_t info, uint64_t asked)
{
    uint64_t found = 0;
    struct hint hint;
    for (unsigned i = 0; i < ENTRIES; i++)
        if ((asked >> i & 1) != 0 && read_hint(path, i, &hint) && !is_too_long(mpi, &hint) &&
            has_key(mpi, info, hint.key))
            found |= UINT64_C(1) << i;
    return found;
}

void apply_mpi_hints_refused(const char *path, uint64_t entries, const char *why)
{
    for (unsigned i = 0; i < ENTRIES; i++)
        if ((entries >> i & 1) != 0)
            apply_refused_hint(apply_value_at(APPLY_mpi_hint, path, i), path, why);
}

struct mpi_hints apply_mpi_hints_begin(const struct mpi_library *mpi, const char *path, uintptr_t info, uint64_t wanted)
{
    struct mpi_hints hints = {.info = info};
    struct hint hint;
    bool is_null = apply_mpi_is(mpi, info, mpi->info_null);
    if (wanted == 0 || (is_null ? mpi->Info_create(&hints.info) : mpi->Info_dup(info, &hints.info)) != 0) {
        hints.info = info;
        return hints;
    }
    hints.is_made = true;
    for (unsigned i = 0; i < ENTRIES; i++) {
        uint64_t entry = UINT64_C(1) << i;
        if ((wanted & entry) == 0)
            continue;
        if (!read_hint(path, i, &hint))
            apply_mpi_hints_refused(path, entry, "it is not KEY:VALUE");
        else if (is_too_long(mpi, &hint))
            apply_mpi_hints_refused(path, entry, "it is longer than this MPI library allows");
        else if (!has_key(mpi, hints.info, hint.key) && mpi->Info_set(hints.info, hint.key, hint.value) == 0)
            hints.added |= entry; /* of two entries with one key the first counts */
    }
    return hints;
}

void apply_mpi_hints_end(const struct mpi_library *mpi, struct mpi_hints *hints)
{
    if (hints->is_made)
        mpi->Info_free(&hints->info);
}

uint64_t apply_mpi_hints_ignored(const struct mpi_library *mpi, const struct mpi_file *file, uint64_t added)
{
    uintptr_t info = 0;
    uint64_t ignored = 0;
    if (added == 0 || mpi->File_get_info(file->handle, &info) != 0)
        return added;
    for (unsigned i = 0; i < ENTRIES; i++) {
        struct hint hint;
        if ((added >> i & 1) == 0 || !read_hint(file->path, i, &hint))
            continue;
        char value[VALUE_ROOM];
        if (!get_value(mpi, info, hint.key, value))
            ignored |= UINT64_C(1) << i;
        else if (strcmp(value, hint.value) == 0)
            apply_used(APPLY_mpi_hint, hint.text, file->path);
        else
            apply_refused_hint(hint.text, file->path, "the MPI library uses another value");
    }
    if (!apply_mpi_is(mpi, info, mpi->info_null))
        mpi->Info_free(&info);
    return ignored;
}
