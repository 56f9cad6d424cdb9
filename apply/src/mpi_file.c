/* A list of open MPI files by their handles, behind one lock. */
#include "mpi_file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct mpi_file *files;
static pid_t owner;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

struct mpi_file *apply_mpi_file_add(uintptr_t handle, const char *path)
{
    struct mpi_file *file = calloc(1, sizeof *file);
    if (file == NULL)
        return NULL;
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&file->lock, &kind);
    pthread_mutexattr_destroy(&kind);
    file->handle = handle;
    strncpy(file->path, path, sizeof file->path - 1);
    pthread_mutex_lock(&lock);
    file->next = files;
    files = file;
    owner = getpid();
    pthread_mutex_unlock(&lock);
    return file;
}

struct mpi_file *apply_mpi_file_find(uintptr_t handle)
{
    if (__atomic_load_n(&files, __ATOMIC_ACQUIRE) == NULL)
        return NULL;
    pthread_mutex_lock(&lock);
    struct mpi_file *file = files;
    while (file != NULL && file->handle != handle)
        file = file->next;
    pthread_mutex_unlock(&lock);
    return file;
}

struct mpi_file *apply_mpi_file_take(uintptr_t handle)
{
    pthread_mutex_lock(&lock);
    struct mpi_file **at = &files;
    while (*at != NULL && (*at)->handle != handle)
        at = &(*at)->next;
    struct mpi_file *file = *at;
    if (file != NULL)
        *at = file->next;
    pthread_mutex_unlock(&lock);
    return file;
}

bool apply_mpi_file_is_any(void)
{
    return __atomic_load_n(&files, __ATOMIC_ACQUIRE) != NULL && getpid() == owner;
}

struct mpi_file *apply_mpi_file_take_any(void)
{
    pthread_mutex_lock(&lock);
    struct mpi_file *file = files;
    if (file != NULL)
        files = file->next;
    pthread_mutex_unlock(&lock);
    return file;
}

struct mpi_file *apply_mpi_file_after(const struct mpi_file *file)
{
    pthread_mutex_lock(&lock);
    struct mpi_file *next = file == NULL ? files : file->next;
    pthread_mutex_unlock(&lock);
    return next;
}
