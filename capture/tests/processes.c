/* Children of all kinds, and changes into other programs. Each mode does known
 * writes of 8 bytes to the file given as second argument. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static int fd;

static void write_times(int times)
{
    for (int i = 0; i < times; i++)
        if (write(fd, "8 bytes\n", 8) != 8)
            abort();
}

static void wait_for(pid_t child)
{
    int status;
    if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
        abort();
}

static int entry(void *unused)
{
    (void)unused;
    write_times(3);
    _exit(0);
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    const char *mode = argv[1];
    char *const child_argv[] = {argv[0], "child", argv[2], NULL};
    fd = open(argv[2], O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (fd < 0)
        return 3;
    write_times(2);
    pid_t child = 0;
    if (strcmp(mode, "child") == 0)
        return 0;
    if (strcmp(mode, "fork") == 0) {
        child = fork();
        if (child == 0) {
            write_times(3);
            exit(0);
        }
    } else if (strcmp(mode, "vfork") == 0) {
        child = vfork();
        if (child == 0) {
            dup2(fd, 9);
            close(fd);
            execv(argv[0], child_argv);
            _exit(1);
        }
    } else if (strcmp(mode, "spawn") == 0) {
        if (posix_spawn(&child, argv[0], NULL, NULL, child_argv, environ) != 0)
            return 4;
    } else if (strcmp(mode, "clone") == 0) {
        child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
        if (child == 0)
            entry(NULL);
    } else if (strcmp(mode, "exec") == 0) {
        execv(argv[0], child_argv);
        return 5;
    } else if (strcmp(mode, "exec_fails") == 0) {
        execl("/nonexistent/program", "program", (char *)NULL);
        if (errno != ENOENT)
            return 6;
    }
    if (child > 0)
        wait_for(child);
    write_times(4);
    close(fd);
    return 7;
}
