/* POSIX: functions of the C library that walk directories by themselves. What
 * they do inside is not visible: one record each. */
#include "core.h"
#include "posix.h"

#include <dirent.h>
#include <fcntl.h>
#include <fts.h>
#include <ftw.h>
#include <glob.h>

typedef int (*select_entry)(const struct dirent *);
typedef int (*select_entry64)(const struct dirent64 *);
typedef int (*compare_entries)(const struct dirent **, const struct dirent **);
typedef int (*compare_entries64)(const struct dirent64 **, const struct dirent64 **);

DIYA_EXPORT int scandir(const char *restrict path, struct dirent ***restrict list, select_entry select,
                        compare_entries compare)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(scandir)(path, list, select, compare);
    int returned = DIYA_REAL(scandir)(path, list, select, compare);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_SCANDIR, AT_FDCWD, path, DIYA_NAME_DIRECTORY, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT int scandirat(int dirfd, const char *restrict path, struct dirent ***restrict list, select_entry select,
                          compare_entries compare)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(scandirat)(dirfd, path, list, select, compare);
    int returned = DIYA_REAL(scandirat)(dirfd, path, list, select, compare);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_SCANDIR, dirfd, path, DIYA_NAME_DIRECTORY, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT int scandir64(const char *restrict path, struct dirent64 ***restrict list, select_entry64 select,
                          compare_entries64 compare)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(scandir64)(path, list, select, compare);
    int returned = DIYA_REAL(scandir64)(path, list, select, compare);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_SCANDIR, AT_FDCWD, path, DIYA_NAME_DIRECTORY, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT int scandirat64(int dirfd, const char *restrict path, struct dirent64 ***restrict list,
                            select_entry64 select, compare_entries64 compare)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(scandirat64)(dirfd, path, list, select, compare);
    int returned = DIYA_REAL(scandirat64)(dirfd, path, list, select, compare);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_SCANDIR, dirfd, path, DIYA_NAME_DIRECTORY, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT int ftw(const char *path, __ftw_func_t visit, int descriptors)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(ftw)(path, visit, descriptors);
    int returned = DIYA_REAL(ftw)(path, visit, descriptors);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_FTW, AT_FDCWD, path, DIYA_NAME_DIRECTORY, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT int ftw64(const char *path, __ftw64_func_t visit, int descriptors)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(ftw64)(path, visit, descriptors);
    int returned = DIYA_REAL(ftw64)(path, visit, descriptors);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_FTW, AT_FDCWD, path, DIYA_NAME_DIRECTORY, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT int nftw(const char *path, __nftw_func_t visit, int descriptors, int flags)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(nftw)(path, visit, descriptors, flags);
    int returned = DIYA_REAL(nftw)(path, visit, descriptors, flags);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_NFTW, AT_FDCWD, path, DIYA_NAME_DIRECTORY, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT int nftw64(const char *path, __nftw64_func_t visit, int descriptors, int flags)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(nftw64)(path, visit, descriptors, flags);
    int returned = DIYA_REAL(nftw64)(path, visit, descriptors, flags);
    diya_returned(&call);
    posix_on_path(&call, DIYA_F_NFTW, AT_FDCWD, path, DIYA_NAME_DIRECTORY, posix_outcome(&call, returned));
    return returned;
}

DIYA_EXPORT int glob(const char *restrict pattern, int flags, int (*failed)(const char *, int), glob_t *restrict found)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(glob)(pattern, flags, failed, found);
    int returned = DIYA_REAL(glob)(pattern, flags, failed, found);
    diya_returned(&call);
    struct diya_event event = DIYA_EVENT(DIYA_F_GLOB);
    event.done = returned == GLOB_ABORTED ? -EIO : 0;
    diya_end(&call, &event);
    return returned;
}

DIYA_EXPORT int glob64(const char *restrict pattern, int flags, int (*failed)(const char *, int),
                       glob64_t *restrict found)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(glob64)(pattern, flags, failed, found);
    int returned = DIYA_REAL(glob64)(pattern, flags, failed, found);
    diya_returned(&call);
    struct diya_event event = DIYA_EVENT(DIYA_F_GLOB);
    event.done = returned == GLOB_ABORTED ? -EIO : 0;
    diya_end(&call, &event);
    return returned;
}

/* --- fts: the handle stands for the first of the paths it walks --------------- */

static void walked(struct diya_call *call, enum diya_function function, const void *walk, bool failed)
{
    struct diya_event event = DIYA_EVENT(function);
    event.file = diya_handle_find(DIYA_HANDLE_DIRECTORY, (uintptr_t)walk);
    event.done = failed && call->saved_errno != 0 ? -(int64_t)call->saved_errno : 0;
    diya_end(call, &event);
}

static void walk_opened(const void *walk, char *const *paths)
{
    if (walk != NULL && paths[0] != NULL)
        diya_handle_bind(DIYA_HANDLE_DIRECTORY, (uintptr_t)walk, diya_file_of_path_kind(paths[0], DIYA_NAME_DIRECTORY));
}

DIYA_EXPORT FTS *fts_open(char *const *paths, int options, int (*compare)(const FTSENT **, const FTSENT **))
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(fts_open)(paths, options, compare);
    FTS *returned = DIYA_REAL(fts_open)(paths, options, compare);
    diya_returned(&call);
    walk_opened(returned, paths);
    walked(&call, DIYA_F_FTS_OPEN, returned, returned == NULL);
    return returned;
}

DIYA_EXPORT FTSENT *fts_read(FTS *walk)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(fts_read)(walk);
    FTSENT *returned = DIYA_REAL(fts_read)(walk);
    diya_returned(&call);
    walked(&call, DIYA_F_FTS_READ, walk, returned == NULL);
    return returned;
}

DIYA_EXPORT FTSENT *fts_children(FTS *walk, int options)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(fts_children)(walk, options);
    FTSENT *returned = DIYA_REAL(fts_children)(walk, options);
    diya_returned(&call);
    walked(&call, DIYA_F_FTS_CHILDREN, walk, returned == NULL);
    return returned;
}

DIYA_EXPORT int fts_close(FTS *walk)
{
    struct diya_call call;
    if (!diya_begin(&call))
        return DIYA_REAL(fts_close)(walk);
    int returned = DIYA_REAL(fts_close)(walk);
    diya_returned(&call);
    walked(&call, DIYA_F_FTS_CLOSE, walk, returned != 0);
    diya_handle_unbind(DIYA_HANDLE_DIRECTORY, (uintptr_t)walk);
    return returned;
}

/* On 64-bit systems these are the same functions, in the C library too. They
 * have names of their own here since headers before glibc 2.23 lack their types. */
#define SAME_AS(name, other)                                                                                           \
    extern __typeof__(other) diya_##name __asm__(#name) __attribute__((alias(#other), visibility("default")))
SAME_AS(fts64_open, fts_open);
SAME_AS(fts64_read, fts_read);
SAME_AS(fts64_children, fts_children);
SAME_AS(fts64_close, fts_close);
