/* Random operations on a few files:  actions FOLDER LOG SEED STEPS
 *
 * What each returns, what the program and another process see in the files, goes to LOG. All of
 * it, and the files at the end, must be the same with and without the library. The log is kept
 * in memory and written by the kernel's own call, since a write would make the library issue
 * what it gathers. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "actions_log.h"

static void burst(int fd)
{
    uint32_t count = 1 + next(120);
    for (uint32_t i = 0; i < count; i++) {
        size_t bytes = next(200);
        note("write", write(fd, bytes_to_write(bytes), bytes));
        if (next(40) == 0)
            note("tell", lseek(fd, 0, SEEK_CUR));
    }
}

static void positioned_burst(int fd)
{
    off_t at = next(20000);
    uint32_t count = 1 + next(120);
    for (uint32_t i = 0; i < count; i++) {
        size_t bytes = 1 + next(200);
        note("pwrite", pwrite(fd, bytes_to_write(bytes), bytes, at));
        at += next(30) == 0 ? (off_t)next(500) : (off_t)bytes;
    }
}

static void seek_and_write(int fd)
{
    off_t at = lseek(fd, next(10000), SEEK_SET);
    for (uint32_t i = 0; i < 60 && at >= 0; i++) {
        size_t bytes = 1 + next(100);
        note("seek", lseek(fd, at, SEEK_SET));
        long done = note("write", write(fd, bytes_to_write(bytes), bytes));
        at += done > 0 ? done : 0;
    }
}

static void vector(int fd)
{
    for (uint32_t i = 0; i < 40; i++) {
        size_t a = next(100), b = next(i % 8 == 0 ? 9000 : 100);
        const uint8_t *from = bytes_to_write(a + b);
        struct iovec parts[2] = {{(void *)from, a}, {(void *)(from + a), b}};
        note("writev", writev(fd, parts, 2));
    }
}

static void reads(int fd)
{
    static uint8_t room[5000];
    size_t bytes = next(5000);
    long done = next(2) ? read(fd, room, bytes) : pread(fd, room, bytes, next(20000));
    note("read", done);
    if (done > 0)
        note("sum", sum_of(room, (size_t)done, 1));
}

static void opens(uint32_t place)
{
    static const int modes[] = {O_WRONLY | O_CREAT | O_TRUNC,
                                O_RDWR | O_CREAT | O_TRUNC,
                                O_RDWR | O_CREAT,
                                O_RDONLY,
                                O_WRONLY | O_CREAT | O_TRUNC | O_APPEND,
                                O_RDWR | O_CREAT | O_APPEND,
                                O_RDWR | O_CREAT | O_EXCL};
    const char *name = names[next(FILES)];
    if (fds[place] >= 0)
        note("close", close(fds[place]));
    if (next(4) == 0)
        note("unlink", unlink(name));
    fds[place] = open(name, modes[next(7)], 0600);
    note("open", fds[place] >= 0 ? 0 : -1);
}

static void *thread_writes(void *name)
{
    int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    char line[32];
    for (int i = 0; i < 3000 && fd >= 0; i++)
        if (write(fd, line, (size_t)snprintf(line, sizeof line, "line %d\n", i)) < 0)
            break;
    close(fd);
    return NULL;
}

static void threads(void)
{
    pthread_t thread[3];
    static char own[3][80];
    for (int i = 0; i < 3; i++) {
        snprintf(own[i], sizeof own[i], "thread%d", i);
        pthread_create(&thread[i], NULL, thread_writes, own[i]);
    }
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    note("threads", sum_of_file("thread0") ^ sum_of_file("thread1") ^ sum_of_file("thread2"));
}

static void forks(int fd)
{
    pid_t child = fork();
    if (child == 0) {
        burst(fd);
        if (next(2))
            _exit((int)next(100));
        close(ask[1]);
        stream = NULL;
        _exit(sum_of_file(names[0]) % 100);
    }
    int status = 0;
    waitpid(child, &status, 0);
    note("forked", status);
    burst(fd);
}

static void maps(int fd)
{
    struct stat status;
    if (fstat(fd, &status) != 0 || status.st_size == 0)
        return;
    uint8_t *at = mmap(NULL, (size_t)status.st_size, PROT_READ, next(2) ? MAP_PRIVATE : MAP_SHARED, fd, 0);
    if (note("mmap", at == MAP_FAILED ? -1 : 0) != 0)
        return;
    note("mapped", sum_of(at, (size_t)status.st_size, 1));
    munmap(at, (size_t)status.st_size);
}

static long size_of(const char *name)
{
    struct stat status;
    return stat(name, &status) == 0 ? (long)status.st_size : -1;
}

static void stream_writes(void)
{
    if (stream == NULL && (stream = fopen(names[FILES], next(2) ? "w" : "a")) == NULL)
        return;
    uint32_t count = next(2000);
    for (uint32_t i = 0; i < count; i++)
        note("fprintf", fprintf(stream, "%u a line of a stream %u\n", i, next(1000000)));
    if (next(4) == 0)
        note("fwrite", (long)fwrite(bytes_to_write(30000), 1, 30000, stream));
    if (next(6) == 0) {
        note("fclose", fclose(stream));
        stream = NULL;
    }
}

static void starts_shell(void)
{
    char command[256];
    snprintf(command, sizeof command, "cat %s %s %s 2>/dev/null | cksum >cksum", names[next(FILES)], names[next(FILES)],
             names[FILES]);
    note("system", system(command));
    note("cksum", sum_of_file("cksum"));
}

static void copies(int from, int to)
{
    if (from == to)
        return;
    note("sendfile", sendfile(to, from, NULL, next(5000)));
    off64_t at = next(100);
    note("copy", copy_file_range(from, &at, to, NULL, next(5000), 0));
}

static void duplicates(int fd)
{
    int other = next(2) ? dup(fd) : fcntl(fd, F_DUPFD, 20);
    burst(other);
    burst(fd);
    note("dup", lseek(other, 0, SEEK_CUR));
    close(other);
}

static void step(void)
{
    uint32_t place = next(OPEN);
    int fd = fds[place];
    size_t bytes = some_size();
    switch (next(34)) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
        burst(fd);
        break;
    case 5:
    case 6:
        positioned_burst(fd);
        break;
    case 7:
        seek_and_write(fd);
        break;
    case 8:
        vector(fd);
        break;
    case 9:
        reads(fd);
        break;
    case 10:
        reads(fds[next(OPEN)]);
        break;
    case 11:
    case 12:
        opens(place);
        break;
    case 13:
        note("write", write(fd, bytes_to_write(bytes), bytes));
        break;
    case 14:
        note("seek", lseek(fd, (off_t)next(20000) - 5000, (int)next(3)));
        break;
    case 15:
        note("size", size_of(names[next(FILES)]));
        break;
    case 16:
        note("watcher", ask_watcher());
        break;
    case 17:
        note("rename", rename(names[next(FILES)], names[next(FILES)]));
        break;
    case 18:
        note("ftruncate", ftruncate(fd, next(20000)));
        break;
    case 19:
        note("truncate", truncate(names[next(FILES)], next(20000)));
        break;
    case 20:
        note("fsync", next(2) ? fsync(fd) : fdatasync(fd));
        break;
    case 21:
        duplicates(fd);
        break;
    case 22:
        maps(fd);
        break;
    case 23:
        copies(fds[next(OPEN)], fd);
        break;
    case 24:
        note("file", sum_of_file(names[next(FILES)]));
        break;
    case 25:
        note("raw", syscall(SYS_write, fd, bytes_to_write(bytes), bytes));
        break;
    case 26:
        note("raw", syscall(SYS_lseek, fd, 0, SEEK_CUR));
        break;
    case 27:
        note("bad", write(fd, (void *)8, 1 + next(100)));
        break;
    case 28:
        note("flags", fcntl(fd, F_SETFL, next(2) ? O_APPEND : 0));
        break;
    case 29:
        stream_writes();
        break;
    case 30:
        if (next(8) == 0)
            starts_shell();
        break;
    case 31:
        if (next(8) == 0)
            threads();
        break;
    case 32:
        if (next(30) == 0)
            forks(fd);
        break;
    case 33:
        note("allocate", posix_fallocate(fd, next(10000), 1 + next(10000)));
        break;
    }
}

static void ends(int way)
{
    static char *const arguments[] = {"true", NULL};
    switch (way) {
    case 0:
        exit(3);
    case 1:
        _exit(4);
    case 2:
        abort();
    case 3:
        kill(getpid(), SIGTERM);
        break;
    case 4:
        *(volatile int *)8 = 1;
        break;
    case 5:
        execv("/bin/true", arguments);
        break;
    case 6:
        quick_exit(5);
    case 7:
        syscall(SYS_exit_group, 6);
        break;
    case 8:
        pthread_exit(NULL);
    case 9:
        alarm(1);
        while (next(2) < 2)
            continue;
    default:
        return;
    }
}

int main(int count, char **arguments)
{
    if (count < 5 || chdir(arguments[1]) != 0)
        return 9;
    int log = open(arguments[2], O_WRONLY | O_CREAT, 0600), steps = atoi(arguments[4]);
    state = strtoull(arguments[3], NULL, 10) * 977 + 13;
    for (int i = 0; i <= FILES; i++)
        snprintf(names[i], sizeof names[i], "file%d", i);
    start_watcher();
    for (uint32_t i = 0; i < OPEN; i++) {
        fds[i] = -1;
        opens(i);
    }
    for (int i = 0; i < steps; i++)
        step();
    int way = (int)next(11);
    burst(fds[0]);
    burst(fds[1]);
    note("ends", way);
    raw_write(log, text, used);
    ends(way);
    return 0;
}
