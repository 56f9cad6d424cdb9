/* Ranges of NVTX 3: its headers load the library that NVTX_INJECTION64_PATH names, and let it
 * fill tables of callbacks (nvtx3/nvtxDetail/nvtxTypes.h, whose numbers and structures are
 * written down here). Pushed and popped ranges become regions, marks become notes; ranges
 * that start in one thread and end in another do not.
 */
#include "region.h"
#include "system.h"

#include <string.h>
#include <sys/mman.h>

enum { TABLE_OF_CALLBACKS = 1, CORE = 1, DOMAINS = 5 };
enum { MARK_EX = 1, MARK = 2, PUSH_EX = 8, PUSH = 9, POP = 11 };
enum { DOMAIN_MARK = 1, DOMAIN_PUSH = 4, DOMAIN_POP = 5, DOMAIN_REGISTER = 10 };
enum { MESSAGE_TEXT = 1, MESSAGE_REGISTERED = 3 };

typedef void (*callback)(void);

struct callbacks {
    size_t bytes;
    int (*table)(int module, callback ***table, unsigned *size);
};

struct attributes {
    uint16_t version, bytes;
    uint32_t category;
    int32_t color_type;
    uint32_t color;
    int32_t payload_type, reserved;
    uint64_t payload;
    int32_t message_type;
    const char *message;
};
_Static_assert(offsetof(struct attributes, message) == 40, "as in nvToolsExt.h");

#define LONGEST_TEXT 1023u

/* A range without a text that can be kept still has its place. */
static const char *text_of(const struct attributes *attributes)
{
    bool has_text = attributes != NULL && attributes->bytes >= sizeof *attributes && attributes->message != NULL &&
                    (attributes->message_type == MESSAGE_TEXT || attributes->message_type == MESSAGE_REGISTERED);
    return has_text ? attributes->message : "";
}

static void mark(const char *text)
{
    diya_annotate_note(text);
}

static void mark_ex(const struct attributes *attributes)
{
    diya_annotate_note(text_of(attributes));
}

/* The depth that NVTX gives back; negative: not known. */
static int push(const char *text)
{
    diya_annotate_region_begin(text != NULL ? text : "");
    return -1;
}

static int push_ex(const struct attributes *attributes)
{
    return push(text_of(attributes));
}

static int pop(void)
{
    diya_annotate_region_end();
    return -1;
}

static void domain_mark(void *domain, const struct attributes *attributes)
{
    (void)domain;
    mark_ex(attributes);
}

static int domain_push(void *domain, const struct attributes *attributes)
{
    (void)domain;
    return push_ex(attributes);
}

static int domain_pop(void *domain)
{
    (void)domain;
    return pop();
}

/* A registered string is known by its text, in memory that is never given back: programs
 * register a few, once. */
static const char *domain_register(void *domain, const char *text)
{
    (void)domain;
    static char *room;
    static size_t used, bytes;
    static uint32_t lock;
    if (text == NULL || __atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE) != 0)
        return NULL; /* its ranges then have no name */
    size_t length = strnlen(text, LONGEST_TEXT);
    if (room == NULL || bytes - used <= length) {
        bytes = (size_t)1 << 16;
        used = 0;
        room = sys_memory(bytes);
    }
    char *kept = NULL;
    if (room != NULL) {
        kept = room + used;
        memcpy(kept, text, length);
        kept[length] = '\0';
        used += length + 1;
    }
    __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
    return kept;
}

struct entry {
    unsigned at;
    callback function;
};

static void put_all(const struct callbacks *callbacks, int module, const struct entry *all, size_t count)
{
    callback **table = NULL;
    unsigned size = 0;
    if (callbacks->table(module, &table, &size) == 0 || table == NULL)
        return;
    for (size_t i = 0; i < count; i++)
        if (all[i].at < size && table[all[i].at] != NULL)
            *table[all[i].at] = all[i].function;
}

DIYA_EXPORT int InitializeInjectionNvtx2(const void *(*table)(uint32_t number))
{
    static const struct entry core[] = {
        {MARK_EX, (callback)mark_ex}, {MARK, (callback)mark}, {PUSH_EX, (callback)push_ex},
        {PUSH, (callback)push},       {POP, (callback)pop},
    };
    static const struct entry domains[] = {
        {DOMAIN_MARK, (callback)domain_mark},
        {DOMAIN_PUSH, (callback)domain_push},
        {DOMAIN_POP, (callback)domain_pop},
        {DOMAIN_REGISTER, (callback)domain_register},
    };
    const struct callbacks *callbacks = table != NULL ? table(TABLE_OF_CALLBACKS) : NULL;
    if (callbacks == NULL || callbacks->bytes < sizeof *callbacks || callbacks->table == NULL)
        return 0;
    put_all(callbacks, CORE, core, sizeof core / sizeof core[0]);
    put_all(callbacks, DOMAINS, domains, sizeof domains / sizeof domains[0]);
    return 1;
}
