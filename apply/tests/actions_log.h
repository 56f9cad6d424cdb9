/* What the random operations of actions.c stand on: random numbers, the log, sums of files, and a
 * process that looks at the files from outside. For that program only. */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { FILES = 10, OPEN = 5, LOG_BYTES = 1 << 22 };

static char names[FILES + 1][64];
static int fds[OPEN];
static FILE *stream;
static char text[LOG_BYTES];
static size_t used;
static uint64_t state;
static int ask[2], answer[2];
static pid_t watcher;

static uint32_t next(uint32_t below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % below;
}

static long note(const char *what, long result)
{
    if (used + 80 < LOG_BYTES)
        used += (size_t)snprintf(text + used, 80, "%s %ld %d\n", what, result, result == -1 ? errno : 0);
    return result;
}

static long raw_write(int fd, const void *from, size_t bytes)
{
    long returned;
#if defined(__x86_64__)
    __asm__ volatile("syscall"
                     : "=a"(returned)
                     : "a"(SYS_write), "D"(fd), "S"(from), "d"(bytes)
                     : "rcx", "r11", "memory");
#else
    returned = syscall(SYS_write, fd, from, bytes);
#endif
    return returned;
}

static uint32_t sum_of(const uint8_t *at, size_t bytes, uint32_t sum)
{
    while (bytes-- > 0)
        sum = (sum ^ *at++) * 16777619u;
    return sum;
}

static uint32_t sum_of_file(const char *name)
{
    static uint8_t room[65536];
    uint32_t sum = 2166136261u;
    int fd = open(name, O_RDONLY);
    ssize_t bytes;
    while (fd >= 0 && (bytes = read(fd, room, sizeof room)) > 0)
        sum = sum_of(room, (size_t)bytes, sum);
    if (fd >= 0)
        close(fd);
    return sum;
}

/* Another process, which looks when it is asked through a pipe. */
static void start_watcher(void)
{
    if (pipe(ask) != 0 || pipe(answer) != 0)
        exit(9);
    watcher = fork();
    if (watcher != 0)
        return;
    close(ask[1]);
    char which;
    while (read(ask[0], &which, 1) == 1) {
        uint32_t sum = sum_of_file(names[(int)which]);
        if (write(answer[1], &sum, sizeof sum) != sizeof sum)
            break;
    }
    _exit(0);
}

static long ask_watcher(void)
{
    char which = (char)next(FILES);
    uint32_t sum = 0;
    if (write(ask[1], &which, 1) != 1 || read(answer[0], &sum, sizeof sum) != sizeof sum)
        return -2;
    return sum;
}

static const uint8_t *bytes_to_write(size_t bytes)
{
    static uint8_t room[1 << 18];
    uint8_t first = (uint8_t)next(256);
    for (size_t i = 0; i < bytes; i++)
        room[i] = (uint8_t)(first + i * 7);
    return room;
}

static size_t some_size(void)
{
    switch (next(8)) {
    case 0:
        return next(100000);
    case 1:
        return next(9000);
    default:
        return next(300);
    }
}
