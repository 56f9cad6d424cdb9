/* Programs that this process starts: which, and whether they can be recorded.
 *
 * A program that cannot be recorded leaves nothing, so its parent has to say that
 * it was started. What speaks against a recording is seen in the file that is
 * about to be executed, on the node and with the environment that count.
 */
#include "started.h"
#include "child_environment.h"
#include "directory.h"
#include "probe.h"
#include "record.h"
#include "settings.h"
#include "state.h"
#include "witness.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_ROOM = 2048, HEAD_BYTES = 1024, MAX_INTERPRETERS = 4, LONGEST_VARIABLE = 1 << 17 };

#if defined(__x86_64__)
#define OWN_MACHINE EM_X86_64
#else
#define OWN_MACHINE EM_AARCH64
#endif

static bool begins(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

/* --- the file ---------------------------------------------------------------- */

/* Without an interpreter no library is loaded, except by the linker itself. */
static enum diya_start_reason look_at_elf(int fd, const char *path, const uint8_t *head, long bytes)
{
    Elf64_Ehdr elf;
    if (head[EI_CLASS] != ELFCLASS64 || bytes < (long)sizeof elf)
        return DIYA_START_ARCHITECTURE;
    memcpy(&elf, head, sizeof elf);
    if (elf.e_machine != OWN_MACHINE)
        return DIYA_START_ARCHITECTURE;
    for (unsigned i = 0; i < elf.e_phnum && elf.e_phentsize == sizeof(Elf64_Phdr); i++) {
        Elf64_Phdr part;
        if (diya_syscall(SYS_pread64, fd, (long)&part, sizeof part, (long)(elf.e_phoff + i * sizeof part), 0, 0) !=
            (long)sizeof part)
            return DIYA_START_UNKNOWN;
        if (part.p_type == PT_INTERP)
            return DIYA_START_RECORDABLE;
    }
    const char *slash = strrchr(path, '/');
    return begins(slash == NULL ? path : slash + 1, "ld") ? DIYA_START_RECORDABLE : DIYA_START_STATIC;
}

/* The linker ignores LD_PRELOAD where a program gets rights that its user has not. */
static bool has_more_rights(int fd, const struct stat *status)
{
    if ((status->st_mode & S_ISUID && status->st_uid != geteuid()) ||
        (status->st_mode & S_ISGID && status->st_gid != getegid()))
        return true;
    char capabilities[64];
    return geteuid() != 0 && diya_syscall(SYS_fgetxattr, fd, (long)"security.capability", (long)capabilities,
                                          sizeof capabilities, 0, 0) > 0;
}

/* After "#!": the path up to the next space. */
static bool interpreter_of(char *head, long bytes, char path[PATH_ROOM])
{
    long at = 2, length = 0;
    while (at < bytes && (head[at] == ' ' || head[at] == '\t'))
        at++;
    while (at < bytes && head[at] != '\n' && head[at] != ' ' && head[at] != '\t' && length < PATH_ROOM - 1)
        path[length++] = head[at++];
    path[length] = '\0';
    return length > 0 && at < bytes;
}

/* False: there is no such file. Scripts lead to their interpreter. */
static bool look_at_file(const char *name, enum diya_start_reason *reason)
{
    char path[PATH_ROOM];
    if (strlen(name) >= sizeof path)
        return false;
    strcpy(path, name);
    for (int turn = 0; turn < MAX_INTERPRETERS; turn++) {
        char head[HEAD_BYTES];
        struct stat status;
        int fd = sys_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0);
        *reason = DIYA_START_UNKNOWN;
        if (fd < 0)
            return fd == -EACCES || turn > 0; /* may be executed without being read */
        long bytes = sys_fstat(fd, &status) == 0 && S_ISREG(status.st_mode) ? sys_read(fd, head, sizeof head) : -1;
        diya_own_read(bytes);
        bool is_script = bytes > 2 && head[0] == '#' && head[1] == '!';
        if (bytes < 0)
            ;
        else if (!is_script && has_more_rights(fd, &status))
            *reason = DIYA_START_PRIVILEGED;
        else if (bytes > EI_CLASS && memcmp(head, ELFMAG, SELFMAG) == 0)
            *reason = look_at_elf(fd, path, (const uint8_t *)head, bytes);
        sys_close(fd);
        if (!is_script)
            return bytes >= 0;
        if (!interpreter_of(head, bytes, path))
            return true;
    }
    return true;
}

/* The first file of this name in a folder of PATH, as execvp finds it. */
static bool find(const char *name, enum diya_search search, char path[PATH_ROOM], enum diya_start_reason *reason)
{
    size_t length = strlen(name);
    if (search == DIYA_AS_PATH || strchr(name, '/') != NULL) {
        if (length >= PATH_ROOM)
            return false;
        strcpy(path, name);
        return look_at_file(path, reason);
    }
    const char *folders = getenv("PATH");
    if (folders == NULL)
        folders = "/bin:/usr/bin";
    for (const char *at = folders;; at++) {
        size_t folder = strcspn(at, ":");
        if (folder + length + 2 < PATH_ROOM && length > 0) {
            memcpy(path, at, folder);
            if (folder > 0)
                path[folder++] = '/';
            strcpy(path + folder, name);
            if (diya_syscall(SYS_faccessat, AT_FDCWD, (long)path, X_OK, 0, 0, 0) == 0 && look_at_file(path, reason))
                return true;
        }
        at += strcspn(at, ":");
        if (*at == '\0')
            return false;
    }
}

/* --- the environment --------------------------------------------------------- */

static bool has_name(const char *text)
{
    return strstr(text, "libdiya_capture") != NULL;
}

/* Whether the recorder gets into the program and knows where to write. Pointers
 * that cannot be read fail in the kernel: nothing is started. */
static bool hands_on(char *const environment[])
{
    struct diya_probe probe = {0}, texts = {0};
    bool has_library = false, has_folder = false;
    for (size_t i = 0; environment != NULL; i++) {
        if (!diya_readable(&probe, &environment[i], sizeof environment[i]) || environment[i] == NULL)
            break;
        const char *variable = environment[i];
        if (!diya_readable(&texts, variable, 1))
            break;
        if ((variable[0] != 'L' && variable[0] != 'D') || !diya_readable_text(&texts, variable, LONGEST_VARIABLE))
            continue;
        has_library |= begins(variable, "LD_PRELOAD=") && has_name(variable);
        has_folder |= begins(variable, "DIYA_DIR=/");
    }
    return has_library && has_folder;
}

/* --- the record -------------------------------------------------------------- */

/* What a program without a recording did is bounded by how long it ran. */
static void put_time(uint32_t pid, enum diya_program_moment moment, uint64_t ticks, int status)
{
    uint8_t bytes[32];
    size_t used = diya_put_varint(bytes, pid);
    bytes[used++] = (uint8_t)moment;
    used += diya_put_varint(bytes + used, ticks);
    if (status >= 0)
        used += diya_put_varint(bytes + used, (unsigned)status);
    uint64_t generation = diya_enter();
    diya_record_other(diya_tls.thread, DIYA_PROGRAM_TIME, bytes, used, NULL, 0);
    diya_leave(generation);
}

void diya_child_ended(uint32_t pid, uint64_t ticks, int status)
{
    if (diya_tls.thread != NULL)
        put_time(pid, DIYA_PROGRAM_WAITED_FOR, ticks, status);
}

static void put(uint32_t pid, enum diya_start_reason reason, const char *program, uint64_t ticks)
{
    if (reason != DIYA_START_FAILED)
        put_time(pid, DIYA_PROGRAM_BEGINS, ticks, DIYA_NO_STATUS);
    uint8_t head[16];
    size_t used = diya_put_varint(head, pid);
    head[used++] = (uint8_t)reason;
    uint64_t generation = diya_enter();
    diya_record_other(diya_tls.thread, DIYA_STARTED, head, used, program, strlen(program));
    diya_leave(generation);
}

/* Under a seccomp filter opening a file could be what the kernel kills for. */
void diya_started(uint32_t pid, const char *name, enum diya_search search, char *const environment[])
{
    struct diya_probe probe = {0};
    char path[PATH_ROOM];
    enum diya_start_reason reason = DIYA_START_UNKNOWN;
    if (diya_tls.thread == NULL || !diya_readable_text(&probe, name, PATH_ROOM))
        return;
    if (diya_process->is_restricted)
        strcpy(path, name);
    else if (!find(name, search, path, &reason))
        return;
    if (diya_is_skipped(path))
        reason = DIYA_START_SKIPPED;
    else if ((reason == DIYA_START_RECORDABLE || reason == DIYA_START_UNKNOWN) && !hands_on(environment))
        reason = DIYA_START_ENVIRONMENT;
    else if (reason == DIYA_START_RECORDABLE && !diya_within_reach(environment))
        reason = DIYA_START_UNREACHABLE;
    put(pid, reason, path, diya_ticks());
}

/* It leaves a segment as long as it reaches the folder. */
void diya_started_child(uint32_t pid)
{
    if (diya_tls.thread != NULL && !diya_process->is_restricted && !diya_directory_there(diya_settings.directory))
        put(pid, DIYA_START_UNREACHABLE, diya_process->header->exe, diya_ticks());
}

void diya_not_started(uint32_t pid)
{
    if (diya_tls.thread != NULL)
        put(pid, DIYA_START_FAILED, "", 0);
}

/* A shell that can be recorded is known by its own segment: of it only the times are
 * noted. They say how long a program ran that it became (`sh -c program`). */
uint32_t diya_started_shell(uint64_t ticks)
{
    uint32_t number = DIYA_FIRST_SHELL | __atomic_fetch_add(&diya_process->shells, 1, __ATOMIC_RELAXED);
    if (!hands_on(environ))
        put(number, DIYA_START_ENVIRONMENT, "/bin/sh", ticks);
    else if (!diya_process->is_restricted && !diya_within_reach(environ))
        put(number, DIYA_START_UNREACHABLE, "/bin/sh", ticks);
    else
        put_time(number, DIYA_PROGRAM_BEGINS, ticks, DIYA_NO_STATUS);
    return number;
}
