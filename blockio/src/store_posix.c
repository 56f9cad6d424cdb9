/* Files by POSIX calls: no seek, so that threads may share a file. */
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/vfs.h>
#endif

/* A file system without a network behind it. What is unknown counts as a network: too few
 * requests cost less than too many. Numbers: linux/magic.h, and zfs from its own sources. */
bool is_local_path(const char *path)
{
#ifdef __linux__
    static const unsigned long local[] = {0xEF53,     0x58465342, 0x9123683E, 0x01021994,
                                          0x794C7630, 0xF2F52010, 0x858458F6, 0x2FC12FC1};
    struct statfs found;
    if (statfs(path, &found) != 0)
        return false;
    for (size_t i = 0; i < sizeof local / sizeof *local; i++)
        if ((unsigned long)found.f_type == local[i])
            return true;
#else
    (void)path;
#endif
    return false;
}

static blockio_status system_error(blockio_error *error, const char *call, const char *name)
{
    char reason[96] = "unknown error";
    int number = errno;
#if defined(__GLIBC__) && defined(_GNU_SOURCE)
    const char *text = strerror_r(number, reason, sizeof reason);
    return fail(error, BLOCKIO_SYSTEM, "%s: %s: %s", call, name, text);
#else
    strerror_r(number, reason, sizeof reason);
    return fail(error, BLOCKIO_SYSTEM, "%s: %s: %s", call, name, reason);
#endif
}

bool open_posix(blockio_file *file, const char *path)
{
    static const int flags[] = {O_RDONLY, O_RDWR | O_CREAT, O_RDWR | O_CREAT | O_TRUNC};
    file->descriptor = open(path, flags[file->mode] | O_CLOEXEC, 0666);
    return file->descriptor >= 0;
}

blockio_status read_posix(blockio_file *file, int64_t offset_bytes, void *to, int64_t bytes, int64_t *got_bytes,
                          blockio_error *error)
{
    for (*got_bytes = 0; *got_bytes < bytes;) {
        int64_t left = bytes - *got_bytes;
        ssize_t got = pread(file->descriptor, (unsigned char *)to + *got_bytes,
                            (size_t)(left < REQUEST_BYTES ? left : REQUEST_BYTES), offset_bytes + *got_bytes);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return system_error(error, "pread", file->name);
        if (got == 0)
            break;
        *got_bytes += got;
    }
    return BLOCKIO_OK;
}

blockio_status write_posix(blockio_file *file, int64_t offset_bytes, const void *from, int64_t bytes,
                           blockio_error *error)
{
    for (int64_t done = 0; done < bytes;) {
        int64_t left = bytes - done;
        ssize_t written = pwrite(file->descriptor, (const unsigned char *)from + done,
                                 (size_t)(left < REQUEST_BYTES ? left : REQUEST_BYTES), offset_bytes + done);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return system_error(error, "pwrite", file->name);
        done += written;
    }
    return BLOCKIO_OK;
}

blockio_status size_posix(blockio_file *file, int64_t *bytes, blockio_error *error)
{
    struct stat found;
    if (fstat(file->descriptor, &found) != 0)
        return system_error(error, "fstat", file->name);
    *bytes = found.st_size;
    return BLOCKIO_OK;
}

static blockio_status sync_posix(blockio_file *file, blockio_error *error)
{
    return fsync(file->descriptor) == 0 ? BLOCKIO_OK : system_error(error, "fsync", file->name);
}

static blockio_status close_posix(blockio_file *file, blockio_error *error)
{
    return close(file->descriptor) == 0 ? BLOCKIO_OK : system_error(error, "close", file->name);
}

const struct store posix_store = {read_posix, write_posix, size_posix, sync_posix, close_posix};

blockio_status blockio_open(const char *path, blockio_mode mode, const blockio_options *options, blockio_file **result,
                            blockio_error *error)
{
    clear_error(error);
    if (result == NULL)
        return fail(error, BLOCKIO_BAD_ARGUMENT, "the result is NULL");
    *result = NULL;
    blockio_status status = check_open(path, mode, options, error);
    if (status != BLOCKIO_OK)
        return status;
    blockio_file *file = calloc(1, sizeof *file);
    struct group *group = calloc(1, sizeof *group);
    if (file == NULL || group == NULL) {
        free(file);
        free(group);
        return fail(error, BLOCKIO_NO_MEMORY, "no memory for a file");
    }
    *group = (struct group){.ranks = 1, .nodes = 1, .calls = &alone_calls};
    file->group = group;
    file->store = &posix_store;
    file->mode = mode;
    name_file(file, path);
    if (!open_posix(file, path)) {
        status = system_error(error, "open", file->name);
        free(group);
        free(file);
        return status;
    }
    file->is_local = is_local_path(path);
    if (options != NULL)
        file->options = *options;
    file->options.method = BLOCKIO_INDEPENDENT;
    complete_options(file);
    *result = file;
    return BLOCKIO_OK;
}
