/* traced PART FOLDER: does known I/O in a folder: what tests/ptrace.rs expects of it. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static char bytes[4096];

static int make(const char *path)
{
    return open(path, O_CREAT | O_RDWR | O_TRUNC, 0600);
}

static void data(void)
{
    int fd = make("data");
    for (int i = 0; i < 3; i++)
        write(fd, bytes, 64);
    pwrite(fd, bytes, 100, 1000);
    lseek(fd, 32, SEEK_SET);
    int twin = dup(fd);
    read(fd, bytes, 10);
    read(twin, bytes, 20);
    struct iovec vector[2] = {{bytes, 5}, {bytes + 5, 7}};
    readv(fd, vector, 2);
    preadv(fd, vector, 2, 3);
    read(fd, bytes, sizeof bytes); /* shorter than asked for */
    write(fd, NULL, 8);            /* EFAULT */
    fsync(fd);
    ftruncate(fd, 2000);
    close(fd);
    close(twin);
    read(fd, bytes, 1); /* EBADF */
}

static void copies(void)
{
    int from = make("from"), to = make("to");
    write(from, bytes, 500);
    int more = open("to", O_WRONLY | O_APPEND);
    write(to, bytes, 9);
    write(more, bytes, 11);
    off_t offset = 100;
    sendfile(to, from, &offset, 50);
    void *mapped = mmap(NULL, 500, PROT_READ, MAP_SHARED, from, 0);
    msync(mapped, 500, MS_SYNC);
    mapped = mremap(mapped, 500, 9000, MREMAP_MAYMOVE);
    munmap(mapped, 9000);
    close_range(3, ~0u, 0);
}

static void names(void)
{
    struct stat status;
    mkdir("folder", 0700);
    int folder = open("folder", O_RDONLY | O_DIRECTORY);
    close(openat(folder, "../folder/inside", O_CREAT | O_WRONLY, 0600));
    fstatat(folder, "missing", &status, 0);
    renameat(folder, "inside", AT_FDCWD, "outside");
    chdir("folder");
    unlink("../outside");
    rmdir(".");
}

static void *write_own_file(void *number)
{
    char name[32];
    snprintf(name, sizeof name, "thread%ld", (long)number);
    int fd = make(name);
    for (int i = 0; i < 100; i++)
        write(fd, bytes, 8);
    return NULL;
}

static void threads(void)
{
    pthread_t all[4];
    for (long i = 0; i < 4; i++)
        pthread_create(&all[i], NULL, write_own_file, (void *)i);
    for (int i = 0; i < 4; i++)
        pthread_join(all[i], NULL);
}

static void *become_echo(void *unused)
{
    execl("/no/such/program", "program", NULL);
    execl("/bin/sh", "sh", "-c", "exit 6", NULL);
    return unused;
}

static void exec_in_thread(void)
{
    pthread_t thread;
    make("before");
    pthread_create(&thread, NULL, become_echo, NULL);
    pause();
}

/* Parent and child share the position. */
static void forked(void)
{
    int fd = make("shared");
    write(fd, bytes, 10);
    if (fork() == 0) {
        write(fd, bytes, 20);
        _exit(3);
    }
    wait(NULL);
    write(fd, bytes, 30);
}

static int pipe_ends[2];

static void write_to_pipe(int signal)
{
    if (signal == SIGUSR1)
        write(pipe_ends[1], bytes, 1);
}

/* A read that waits until a signal arrives: made again, or given up. */
static void interrupted(int flags)
{
    pipe(pipe_ends);
    struct sigaction action = {.sa_handler = write_to_pipe, .sa_flags = flags};
    sigaction(SIGUSR1, &action, NULL);
    pid_t parent = getpid();
    if (fork() == 0) {
        usleep(200000);
        kill(parent, SIGUSR1);
        _exit(0);
    }
    read(pipe_ends[0], bytes, 1);
    wait(NULL);
}

/* The file stays small, whatever limit there is. */
static void many(int calls)
{
    int fd = make("many");
    for (int i = 0; i < calls; i++)
        pwrite(fd, bytes, 16, 0);
}

int main(int count, char **arguments)
{
    const char *what = count > 2 && chdir(arguments[2]) == 0 ? arguments[1] : "";
    if (strcmp(what, "data") == 0)
        data();
    else if (strcmp(what, "copies") == 0)
        copies();
    else if (strcmp(what, "names") == 0)
        names();
    else if (strcmp(what, "threads") == 0)
        threads();
    else if (strcmp(what, "exec") == 0)
        exec_in_thread();
    else if (strcmp(what, "fork") == 0)
        forked();
    else if (strcmp(what, "restart") == 0)
        interrupted(SA_RESTART);
    else if (strcmp(what, "interrupt") == 0)
        interrupted(0);
    else if (strcmp(what, "killed") == 0) {
        many(1000);
        raise(SIGKILL);
    } else if (strcmp(what, "some") == 0)
        many(1000);
    else if (strcmp(what, "many") == 0)
        many(14000);
    return 0;
}
