/* The account of settings: a list of files with the values applied to them, or why not, and sums of
 * calls. It is kept in fixed room, since hooks and signal handlers write to it. */
#include "account.h"

#include "../../capture/include/diya_applied.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

enum { VALUE_ROOM = 96, PATH_ROOM = 512, REASONS = 12, HINT_ACCOUNTS = 64 };

/* One outcome of a setting: applied, or left out for one reason. */
struct account {
    _Atomic uint64_t files, asked, issued, bytes;
    const char *_Atomic why;
    char value[VALUE_ROOM], path[PATH_ROOM];
};

static struct account accounts[APPLY_SETTINGS][1 + REASONS];

/* Each hint has accounts of its own, by value and reason: several are asked for at once. */
static struct account hints[HINT_ACCOUNTS];

/* One bit for each setting that has something in its accounts: those of all together are 33 pages,
 * and a short process pays for each page that it only looks at. */
static _Atomic uint32_t used;
_Static_assert(APPLY_SETTINGS <= 32, "one bit for each setting");

static void use(enum apply_setting setting)
{
    atomic_fetch_or(&used, UINT32_C(1) << setting);
}

static bool is_used(enum apply_setting setting)
{
    return (atomic_load(&used) >> setting & 1) != 0;
}

/* The first file is the example: it is written once, before the count says that it is there. */
static void note_file(struct account *account, const char *value, const char *path)
{
    static atomic_flag is_busy = ATOMIC_FLAG_INIT;
    if (atomic_load(&account->files) == 0 && !atomic_flag_test_and_set(&is_busy)) {
        if (account->value[0] == '\0' && value != NULL)
            strncpy(account->value, value, VALUE_ROOM - 1);
        if (account->path[0] == '\0' && path != NULL)
            strncpy(account->path, path, PATH_ROOM - 1);
        atomic_flag_clear(&is_busy);
    }
    atomic_fetch_add(&account->files, 1);
}

static void note_hint(const char *value, const char *why, const char *path)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    use(APPLY_mpi_hint);
    pthread_mutex_lock(&lock);
    for (unsigned i = 0; i < HINT_ACCOUNTS; i++) {
        struct account *account = &hints[i];
        bool is_same = account->why == why && strncmp(account->value, value, VALUE_ROOM - 1) == 0;
        if (account->files != 0 && !is_same)
            continue;
        account->why = why;
        note_file(account, value, path);
        break;
    }
    pthread_mutex_unlock(&lock);
}

void apply_used(enum apply_setting setting, const char *value, const char *path)
{
    if (setting == APPLY_mpi_hint) {
        note_hint(value, NULL, path);
        return;
    }
    use(setting);
    note_file(&accounts[setting][0], value, path);
}

void apply_count(enum apply_setting setting, uint64_t asked, uint64_t issued, uint64_t bytes)
{
    struct account *account = &accounts[setting][0];
    use(setting);
    atomic_fetch_add(&account->asked, asked);
    atomic_fetch_add(&account->issued, issued);
    atomic_fetch_add(&account->bytes, bytes);
}

void apply_refused(enum apply_setting setting, const char *path, const char *why)
{
    use(setting);
    for (unsigned i = 1; i <= REASONS; i++) {
        struct account *account = &accounts[setting][i];
        const char *none = NULL;
        if (atomic_compare_exchange_strong(&account->why, &none, why) || none == why) {
            note_file(account, apply_value(setting, path), path);
            return;
        }
    }
}

void apply_refused_hint(const char *value, const char *path, const char *why)
{
    note_hint(value, why, path);
}

static void tell_of(void (*tell)(const struct diya_applied *), enum apply_setting setting, struct account *account)
{
    if (atomic_load(&account->files) != 0)
        tell(&(struct diya_applied){
            .setting = apply_name(setting),
            .value = account->value,
            .path = account->path[0] == '\0' ? NULL : account->path,
            .why = account->why,
            .files = account->files,
            .asked = account->asked,
            .issued = account->issued,
            .bytes = account->bytes,
        });
}

void apply_tell(void)
{
    if (atomic_load(&used) == 0)
        return;
    void (*tell)(const struct diya_applied *) =
        (void (*)(const struct diya_applied *))dlsym(RTLD_DEFAULT, "diya_record_applied");
    if (tell == NULL)
        return;
    for (unsigned setting = 0; setting < APPLY_SETTINGS; setting++)
        for (unsigned i = 0; is_used(setting) && i <= REASONS; i++)
            tell_of(tell, setting, &accounts[setting][i]);
    for (unsigned i = 0; is_used(APPLY_mpi_hint) && i < HINT_ACCOUNTS; i++)
        tell_of(tell, APPLY_mpi_hint, &hints[i]);
}

void apply_forget(void)
{
    for (unsigned setting = 0; setting < APPLY_SETTINGS; setting++)
        if (is_used(setting))
            memset(accounts[setting], 0, sizeof accounts[setting]);
    if (is_used(APPLY_mpi_hint))
        memset(hints, 0, sizeof hints);
    atomic_store(&used, 0);
}
