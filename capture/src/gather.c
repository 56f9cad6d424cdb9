/* Brings the segments of a node home.
 *
 * The launcher sees only its own node. On every other node the last process to
 * end packs all segments of the node into one file of a folder that all nodes
 * see (DIYA_GATHER): one file per node, whatever the number of ranks. A process
 * that was killed packs nothing; its segment stays where it is and goes with
 * the next pack, or with `diya collect --pack`.
 *
 * The file is a tar, so that it can be looked into without us:
 *
 *     [ header, 512 bytes ][ segment, padded to 512 ] ... [ 1024 zero bytes ]
 */
#include "gather.h"
#include "header.h"
#include "settings.h"
#include "state.h"
#include "system.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { TAR_BLOCK = 512, COPY_BYTES = 1 << 18, PATH_ROOM = 4096, MAX_ROUNDS = 8, STACK_BYTES = 256 << 10 };

struct directory_entry { /* as getdents64 gives it */
    uint64_t inode;
    int64_t next;
    uint16_t bytes;
    uint8_t type;
    char name[];
};

static long list(int fd, void *buffer, size_t bytes)
{
    return diya_syscall(SYS_getdents64, fd, (long)buffer, (long)bytes, 0, 0, 0);
}

static void remove_file(const char *path)
{
    diya_syscall(SYS_unlinkat, AT_FDCWD, (long)path, 0, 0, 0, 0);
}

static bool is_alive(uint32_t pid)
{
    return diya_syscall(SYS_kill, pid, 0, 0, 0, 0, 0) == 0;
}

static bool join(char *path, const char *folder, const char *name)
{
    size_t first = strlen(folder), second = strlen(name);
    if (first + second + 2 > PATH_ROOM)
        return false;
    memcpy(path, folder, first);
    path[first] = '/';
    memcpy(path + first + 1, name, second + 1);
    return true;
}

static bool ends_in(const char *name, const char *ending)
{
    size_t length = strlen(name), tail = strlen(ending);
    return length > tail && strcmp(name + length - tail, ending) == 0;
}

/* Process of HOST.PID.TICKS.seg: the header of a segment that is just being
 * made does not say it yet. */
static uint32_t pid_of(const char *name)
{
    const char *end = name + strlen(name) - strlen(".seg");
    int dots = 0;
    while (end > name && dots < 2)
        dots += *--end == '.';
    return (uint32_t)strtoul(end + 1, NULL, 10);
}

/* Is the process of this segment still at work? */
static bool is_in_use(const char *path, const char *name)
{
    struct diya_segment_header header = {0};
    int fd = sys_open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC, 0);
    if (fd < 0)
        return false;
    long got = sys_read(fd, &header, sizeof header);
    sys_close(fd);
    bool has_ended = got == (long)sizeof header && header.state > DIYA_RUNNING;
    return !has_ended && is_alive(pid_of(name));
}

/* Calls `each` for every file with this ending until it returns false. */
static bool for_each(const char *folder, const char *ending,
                     bool (*each)(const char *path, const char *name, void *state), void *state)
{
    union {
        struct directory_entry entry;
        char bytes[4096];
    } buffer;
    char path[PATH_ROOM];
    int fd = sys_open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
    if (fd < 0)
        return false;
    bool goes_on = true;
    for (long got; goes_on && (got = list(fd, &buffer, sizeof buffer)) > 0;) {
        for (long at = 0; goes_on && at < got;) {
            struct directory_entry *entry = (struct directory_entry *)(void *)(buffer.bytes + at);
            at += entry->bytes;
            if (ends_in(entry->name, ending) && join(path, folder, entry->name))
                goes_on = each(path, entry->name, state);
        }
    }
    sys_close(fd);
    return goes_on;
}

static bool is_at_rest(const char *path, const char *name, void *state)
{
    bool *is_any = state;
    *is_any = true;
    return !is_in_use(path, name);
}

/* There are segments, and no process is at work on one. */
static bool all_at_rest(const char *folder)
{
    bool is_any = false;
    return for_each(folder, ".seg", is_at_rest, &is_any) && is_any;
}

/* What is going to be packed gets another name first: a process that begins
 * meanwhile makes a segment that is neither packed nor removed. */
static bool set_aside(const char *path, const char *name, void *state)
{
    char aside[PATH_ROOM];
    size_t length = strlen(path);
    (void)state;
    if (!is_in_use(path, name) && length + sizeof ".packed" <= sizeof aside) {
        memcpy(aside, path, length);
        memcpy(aside + length, ".packed", sizeof ".packed");
        diya_syscall(SYS_renameat2, AT_FDCWD, (long)path, AT_FDCWD, (long)aside, 0, 0);
    }
    return true;
}

struct pack {
    int fd;
    int64_t at;
    bool failed;
    uint8_t *buffer;
};

static void put(struct pack *pack, const void *bytes, size_t count)
{
    const uint8_t *from = bytes;
    while (count > 0 && !pack->failed) {
        long done = sys_pwrite(pack->fd, from, count, pack->at);
        if (done <= 0)
            pack->failed = true;
        else {
            from += done;
            pack->at += done;
            count -= (size_t)done;
        }
    }
}

static void octal(char *field, size_t digits, uint64_t value)
{
    for (size_t i = digits; i-- > 0; value >>= 3)
        field[i] = (char)('0' + (value & 7));
}

/* One entry: name, owner's mode, size, checksum over the block. */
static void put_tar_header(struct pack *pack, const char *name, uint64_t bytes)
{
    char block[TAR_BLOCK] = {0};
    size_t length = strlen(name);
    memcpy(block, name, length < 99 ? length : 99);
    octal(block + 100, 7, 0600);
    octal(block + 108, 7, 0);
    octal(block + 116, 7, 0);
    octal(block + 124, 11, bytes);
    octal(block + 136, 11, 0);
    memset(block + 148, ' ', 8);
    block[156] = '0';
    memcpy(block + 257, "ustar\00000", 8);
    unsigned sum = 0;
    for (size_t i = 0; i < sizeof block; i++)
        sum += (unsigned char)block[i];
    octal(block + 148, 6, sum);
    block[154] = '\0';
    put(pack, block, sizeof block);
}

static bool add(const char *path, const char *name, void *state)
{
    struct pack *pack = state;
    struct stat status;
    int fd = sys_open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC, 0);
    if (fd < 0)
        return true;
    if (sys_fstat(fd, &status) == 0 && S_ISREG(status.st_mode)) {
        uint64_t left = (uint64_t)status.st_size;
        char plain[256] = {0};
        size_t length = strlen(name) - strlen(".packed");
        memcpy(plain, name, length < sizeof plain ? length : sizeof plain - 1);
        put_tar_header(pack, plain, left);
        while (left > 0 && !pack->failed) {
            long got = sys_read(fd, pack->buffer, left < COPY_BYTES ? left : COPY_BYTES);
            if (got <= 0) {
                pack->failed = true;
                break;
            }
            put(pack, pack->buffer, (size_t)got);
            left -= (uint64_t)got;
        }
        static const uint8_t zeros[TAR_BLOCK];
        put(pack, zeros, (size_t)(-pack->at & (TAR_BLOCK - 1)));
    }
    sys_close(fd);
    return !pack->failed;
}

static bool drop(const char *path, const char *name, void *state)
{
    (void)name;
    (void)state;
    remove_file(path);
    return true;
}

/* Of several that end at once one packs. Of a packer that was killed the lock
 * is left, with its process id. */
static bool take_lock(const char *path)
{
    for (int tries = 0; tries < 2; tries++) {
        int fd = sys_open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (fd >= 0) {
            uint32_t pid = sys_pid();
            sys_pwrite(fd, &pid, sizeof pid, 0);
            sys_close(fd);
            return true;
        }
        uint32_t owner = 0;
        fd = sys_open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC, 0);
        if (fd < 0)
            continue;
        long got = sys_read(fd, &owner, sizeof owner);
        sys_close(fd);
        if (got != (long)sizeof owner || is_alive(owner))
            return false;
        remove_file(path);
    }
    return false;
}

static void write_pack(const char *folder, const char *home, const char *host)
{
    char name[512], part[PATH_ROOM], whole[PATH_ROOM];
    size_t length = strlen(host) < 255 ? strlen(host) : 255;
    memcpy(name, host, length);
    name[length] = '-';
    octal(name + length + 1, 22, diya_ticks());
    memcpy(name + length + 23, ".part", 6);
    sys_mkdir(home, 0700);
    if (!join(part, home, name))
        return;
    memcpy(whole, part, sizeof whole);
    memcpy(whole + strlen(whole) - 5, ".tar", 5);
    struct pack pack = {.fd = sys_open(part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600)};
    if (pack.fd < 0)
        return;
    pack.buffer = sys_memory(COPY_BYTES);
    pack.failed = pack.buffer == NULL;
    for_each(folder, ".seg", set_aside, NULL);
    if (!pack.failed)
        for_each(folder, ".packed", add, &pack);
    static const uint8_t end[2 * TAR_BLOCK];
    put(&pack, end, sizeof end);
    sys_close(pack.fd);
    if (pack.buffer != NULL)
        sys_unmap(pack.buffer, COPY_BYTES);
    if (!pack.failed && diya_syscall(SYS_renameat2, AT_FDCWD, (long)part, AT_FDCWD, (long)whole, 0, 0) == 0)
        for_each(folder, ".packed", drop, NULL);
    else
        remove_file(part);
}

static void gather(void)
{
    const char *folder = diya_settings.directory;
    char host[256], lock[PATH_ROOM];
    diya_host_name(host, sizeof host);
    if (!join(lock, folder, "gather.lock"))
        return;
    /* Whoever ended while we packed found the lock taken and left it to us. */
    for (int rounds = 0; rounds < MAX_ROUNDS && all_at_rest(folder) && take_lock(lock); rounds++) {
        write_pack(folder, diya_settings.gather, host);
        remove_file(lock);
    }
}

/* Calls a function on another stack: _exit may be called on one of 8 KiB, in a
 * signal handler, and packing needs some 40. */
DIYA_HIDDEN void diya_call_on(void *stack_end, void (*function)(void));
#if defined(__x86_64__)
__asm__(".text\n.globl diya_call_on\n.hidden diya_call_on\n.type diya_call_on,@function\ndiya_call_on:\n"
        "    endbr64\n"
        "    pushq %rbp\n    movq %rsp, %rbp\n    movq %rdi, %rsp\n    call *%rsi\n"
        "    movq %rbp, %rsp\n    popq %rbp\n    ret\n"
        ".size diya_call_on,.-diya_call_on\n");
#elif defined(__aarch64__)
__asm__(".text\n.globl diya_call_on\n.hidden diya_call_on\n.type diya_call_on,%function\ndiya_call_on:\n"
        "    hint #34\n"
        "    stp x29, x30, [sp, #-16]!\n    mov x29, sp\n    mov sp, x0\n    blr x1\n"
        "    mov sp, x29\n    ldp x29, x30, [sp], #16\n    ret\n"
        ".size diya_call_on,.-diya_call_on\n");
#endif

/* The launcher's node: it waits there for the program, and packs itself. */
static bool is_home(void)
{
    char host[256];
    diya_host_name(host, sizeof host);
    return strcmp(host, diya_settings.home) == 0;
}

void diya_gather(void)
{
    if (diya_settings.gather[0] == '\0' || diya_process->is_restricted || is_home())
        return;
    uint8_t *stack = sys_memory(STACK_BYTES);
    if (stack == NULL)
        return;                         /* the next process to end here packs, or `diya collect --pack` */
    uint64_t generation = diya_enter(); /* handlers see the thread's own stack, not this one */
    diya_call_on(stack + STACK_BYTES, gather);
    diya_leave(generation);
    sys_unmap(stack, STACK_BYTES);
}
