/* Reads what the environment asks for. */
#include "directory.h"
#include "settings.h"
#include "system.h"

#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/utsname.h>
#include <unistd.h>

#define DEFAULT_MAX_TRACE_BYTES ((uint64_t)1 << 30)

struct diya_settings diya_settings;

/* Launchers and their helpers: they do no I/O of the job, and some live as
 * long as the job does. */
static const char *const not_recorded[] = {
    "diya",
    "mpirun",
    "mpiexec",
    "mpiexec.hydra",
    "hydra_pmi_proxy",
    "hydra_bstrap_proxy",
    "orterun",
    "orted",
    "prterun",
    "prted",
    "prun",
    "srun",
    "slurmstepd",
    "ssh",
    "sshd",
    "mpirun.openmpi",
    "mpiexec.openmpi",
    "mpirun.mpich",
    "mpiexec.mpich",
    "palsd",
    "aprun",
    "jsrun",
};

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

/* Not strtoull: newer headers bind it to a symbol that older C libraries lack. */
static uint64_t number_of(const char *text)
{
    uint64_t number = 0;
    for (; *text >= '0' && *text <= '9'; text++)
        number = number * 10 + (uint64_t)(*text - '0');
    return number;
}

static bool is_in_list(const char *name, const char *list)
{
    size_t length = strlen(name);
    for (const char *at = list; at != NULL && *at != '\0';) {
        const char *colon = strchr(at, ':');
        size_t item = colon == NULL ? strlen(at) : (size_t)(colon - at);
        if (item == length && memcmp(at, name, length) == 0)
            return true;
        at = colon == NULL ? NULL : colon + 1;
    }
    return false;
}

bool diya_is_skipped(const char *path)
{
    const char *name = base_name(path);
    for (size_t i = 0; i < sizeof not_recorded / sizeof not_recorded[0]; i++)
        if (strcmp(name, not_recorded[i]) == 0)
            return true;
    return is_in_list(name, getenv("DIYA_SKIP"));
}

static bool is_skipped_program(void)
{
    static char exe[2048]; /* one thread is here, maybe on a small stack */
    long length = sys_readlink("/proc/self/exe", exe, sizeof exe - 1);
    if (length > 0) {
        exe[length] = '\0';
        if (diya_is_skipped(exe))
            return true;
    }
    const char *started_as = (const char *)getauxval(AT_EXECFN);
    return started_as != NULL && diya_is_skipped(started_as);
}

static void read_gather(void)
{
    const char *folder = getenv("DIYA_GATHER"), *home = getenv("DIYA_HOME");
    if (folder == NULL || folder[0] != '/' || strlen(folder) >= sizeof diya_settings.gather)
        return;
    strcpy(diya_settings.gather, folder);
    if (home != NULL && strlen(home) < sizeof diya_settings.home)
        strcpy(diya_settings.home, home);
}

static bool read_settings(void)
{
    const char *directory = getenv("DIYA_DIR");
    if (directory == NULL || directory[0] != '/' || strlen(directory) >= sizeof diya_settings.directory)
        return false;
    int clock = PR_TSC_ENABLE; /* children inherit that it is forbidden */
    if (diya_syscall(SYS_prctl, PR_GET_TSC, (long)&clock, 0, 0, 0, 0) == 0 && clock == PR_TSC_SIGSEGV)
        return false;
    if (getauxval(AT_SECURE) != 0 || is_skipped_program() || !diya_directory_usable(directory))
        return false;
    strcpy(diya_settings.directory, directory);
    const char *mode = getenv("DIYA_MODE");
    diya_settings.mode = mode != NULL && strcmp(mode, "profile") == 0 ? DIYA_MODE_PROFILE : DIYA_MODE_TRACE;
    const char *stacks = getenv("DIYA_STACKS");
    diya_settings.has_stacks = stacks != NULL && strcmp(stacks, "1") == 0;
    const char *messages = getenv("DIYA_MESSAGES");
    if (messages != NULL && strcmp(messages, "off") == 0)
        diya_settings.messages = DIYA_MESSAGES_OFF;
    else
        diya_settings.messages =
            messages != NULL && strcmp(messages, "all") == 0 ? DIYA_MESSAGES_ALL : DIYA_MESSAGES_WAITS;
    read_gather();
    const char *most = getenv("DIYA_MAX_TRACE");
    diya_settings.max_trace_bytes = most == NULL ? DEFAULT_MAX_TRACE_BYTES : number_of(most);
    return true;
}

/* At the start of the program if there was no call before: it may clear its
 * environment (env -i) and is recorded all the same. */
bool diya_settings_read(void)
{
    static uint32_t known; /* 1: nothing is to be recorded, 2: recorded */
    if (known == 0)
        known = read_settings() ? 2 : 1;
    return known == 2;
}
