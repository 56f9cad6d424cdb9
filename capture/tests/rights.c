/* Gives up its rights before its first call:  rights first|fork WAY TIMES [FILE]
 *
 * As a program that did nothing before, or in a forked child. WAY: functions of the C
 * library (setuid, setresuid, chroot), by number (number), or by an instruction of its own
 * (raw); or it stays who it is (same). Then it writes 8 bytes so many times, to stdout or to the open file. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOBODY = 65534 };

static long raw_setuid(long uid)
{
    long returned;
#if defined(__x86_64__)
    __asm__ volatile("syscall" : "=a"(returned) : "a"((long)SYS_setuid), "D"(uid) : "rcx", "r11", "memory");
#else
    register long number __asm__("x8") = SYS_setuid;
    register long first __asm__("x0") = uid;
    __asm__ volatile("svc 0" : "+r"(first) : "r"(number) : "memory");
    returned = first;
#endif
    return returned;
}

static void leave(const char *way)
{
    if (strcmp(way, "same") == 0) {
        uid_t uid = getuid();
        int failed = setuid(uid) || setreuid((uid_t)-1, uid) || setresuid(uid, uid, uid) || syscall(SYS_setuid, uid);
        if (failed)
            exit(77);
        return;
    }
    int failed = strcmp(way, "setuid") == 0      ? setuid(NOBODY)
                 : strcmp(way, "setresuid") == 0 ? setresuid(NOBODY, NOBODY, NOBODY)
                 : strcmp(way, "chroot") == 0    ? chroot("/proc")
                 : strcmp(way, "number") == 0    ? (int)syscall(SYS_setuid, NOBODY)
                                                 : (int)raw_setuid(NOBODY);
    if (failed)
        exit(77);
}

static void write_times(int fd, int times)
{
    for (int i = 0; i < times; i++)
        if (write(fd, "8 bytes\n", 8) != 8)
            abort();
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return 2;
    if (strcmp(argv[1], "first") == 0) {
        leave(argv[2]);
        write_times(STDOUT_FILENO, atoi(argv[3]));
        return 0;
    }
    int fd = open(argv[4], O_WRONLY | O_CREAT | O_APPEND, 0600);
    write_times(fd, 2);
    pid_t child = fork();
    if (child == 0) {
        leave(argv[2]);
        write_times(fd, atoi(argv[3]));
        _exit(0);
    }
    int status;
    if (fd < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
        return 1;
    printf("%d\n", child);
    return WEXITSTATUS(status);
}
