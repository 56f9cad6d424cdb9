/* Programs of the tests, by name:  programs NAME [FILE] */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *path;

static int created(void)
{
    return open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
}

static void lines(int fd, int from, int to)
{
    char line[32];
    for (int i = from; i < to; i++)
        if (write(fd, line, (size_t)snprintf(line, sizeof line, "line %d\n", i)) < 0)
            exit(8);
}

/* --- signals ------------------------------------------------------------------------- */

/* Killed by each signal in turn; what the file has then, and how the child ended. */
static int killed(void)
{
    const int signals[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGTERM, SIGXCPU, SIGUSR1,
                           SIGALRM, SIGABRT, SIGSEGV, SIGPIPE, SIGIO,   SIGRTMIN + 3};
    for (unsigned i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        int status;
        struct stat file;
        pid_t child = fork();
        if (child == 0) {
            signal(signals[i], SIG_DFL); /* a shell starts programs of its background with some ignored */
            int fd = created();
            lines(fd, 0, 500);
            for (volatile long k = 0; k < 1000000000; k++)
                if (k == 1000)
                    kill(getpid(), signals[i]);
        }
        waitpid(child, &status, 0);
        stat(path, &file);
        printf("%d %ld\n", WTERMSIG(status), (long)file.st_size);
    }
    return 0;
}

/* The same from outside, in the middle of writing: complete lines, without a gap. */
static int killed_by_parent(void)
{
    for (int round = 0; round < 20; round++) {
        int status;
        unlink(path);
        pid_t child = fork();
        if (child == 0) {
            int fd = created();
            lines(fd, 0, 100000000);
        }
        struct stat seen = {0};
        while (stat(path, &seen) != 0 || seen.st_size < 64)
            usleep(100);
        usleep(500 * (unsigned)round);
        kill(child, SIGTERM);
        waitpid(child, &status, 0);
        FILE *file = fopen(path, "r");
        int expected = 0, found;
        while (fscanf(file, "line %d\n", &found) == 1 && found == expected)
            expected++;
        fseek(file, 0, SEEK_END);
        long bytes = ftell(file), sum = 0;
        for (int i = 0; i < expected; i++)
            sum += snprintf(NULL, 0, "line %d\n", i);
        fclose(file);
        if (bytes != sum || WTERMSIG(status) != SIGTERM)
            return printf("round %d: %d lines, %ld of %ld bytes, signal %d\n", round, expected, bytes, sum,
                          WTERMSIG(status));
    }
    return puts("whole lines") < 0;
}

/* A handler of the program writes to the descriptor that is being written to. */
static volatile sig_atomic_t handled;
static int handler_fd;

static void handler(int signal)
{
    (void)signal;
    handled++;
    if (write(handler_fd, "handler\n", 8) != 8)
        _exit(7);
}

static int writes_in_handler(void)
{
    struct itimerval often = {{0, 50}, {0, 50}};
    handler_fd = created();
    signal(SIGALRM, handler);
    setitimer(ITIMER_REAL, &often, NULL);
    for (int i = 0; i < 300000; i++)
        if (write(handler_fd, "program\n", 8) != 8)
            return 1;
    often.it_value.tv_usec = 0;
    setitimer(ITIMER_REAL, &often, NULL);
    close(handler_fd);
    long program = 0, by_handler = 0;
    char line[16];
    FILE *file = fopen(path, "r");
    while (fgets(line, sizeof line, file) != NULL) {
        program += strcmp(line, "program\n") == 0;
        by_handler += strcmp(line, "handler\n") == 0;
    }
    return printf("%ld %s\n", program, by_handler == handled && handled > 10 ? "equal" : "not equal") < 0;
}

static sigjmp_buf back;
static void jumps(int signal)
{
    (void)signal;
    siglongjmp(back, 1);
}

static int leaves_handler(void)
{
    struct itimerval often = {{0, 70}, {0, 70}};
    int fd = created();
    volatile long written = 0;
    volatile int jumped = 0;
    signal(SIGALRM, jumps);
    setitimer(ITIMER_REAL, &often, NULL);
    if (sigsetjmp(back, 1) != 0)
        jumped++;
    while (written < 200000 && jumped < 20000) {
        if (write(fd, "a line\n", 7) != 7)
            return 1;
        written++;
    }
    often.it_value.tv_usec = often.it_interval.tv_usec = 0;
    setitimer(ITIMER_REAL, &often, NULL);
    close(fd);
    struct stat file;
    stat(path, &file);
    /* a jump between the write and its counting leaves one line more */
    return printf("%s\n", file.st_size / 7 >= written && file.st_size / 7 <= written + jumped && file.st_size % 7 == 0
                              ? "whole"
                              : "broken") < 0;
}

/* What the program sees of its signals. */
static int actions(void)
{
    struct sigaction action, before;
    int fd = created();
    lines(fd, 0, 100);
    for (int i = 1; i < 32; i++)
        if (sigaction(i, NULL, &action) == 0)
            printf("%d %d %x\n", i, action.sa_handler == SIG_DFL, (unsigned)action.sa_flags & ~0x04000000u);
    printf("%d\n", signal(SIGTERM, SIG_IGN) == SIG_DFL);
    printf("%d\n", signal(SIGTERM, SIG_DFL) == SIG_IGN);
    printf("%d\n", signal(SIGTERM, handler) == SIG_DFL);
    printf("%d\n", signal(SIGTERM, SIG_DFL) == handler);
    action.sa_handler = handler;
    printf("%d\n", sigaction(SIGINT, &action, &before) == 0 && before.sa_handler == SIG_DFL);
    return 0;
}

/* --- errors ------------------------------------------------------------------------------ */

static int limited(void)
{
    struct rlimit limit = {20000, 20000};
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
    int fd = created(), failed = -1;
    for (int i = 0; i < 400 && failed < 0; i++)
        if (write(
                fd,
                "a hundred bytes, more or less: the quick brown fox jumps over the lazy dog and so on and on and on\n",
                100) != 100)
            failed = i;
    int error = errno;
    printf("%d %d %d\n", failed, error, close(fd));
    return 0;
}

static int full(void)
{
    int fd = created(), failed = -1, error = 0;
    for (int i = 0; i < 40000 && failed < 0; i++)
        if (write(
                fd,
                "a hundred bytes, more or less: the quick brown fox jumps over the lazy dog and so on and on and on\n",
                100) != 100) {
            failed = i;
            error = errno;
        }
    int synced = failed < 0 ? fsync(fd) : 0;
    if (synced != 0)
        error = errno;
    printf("%d %d %d %d\n", failed, error, synced, close(fd));
    return 0;
}

/* --- ends, children, threads ---------------------------------------------------------------- */

static void late(void)
{
    int fd = open(path, O_WRONLY | O_APPEND);
    lines(fd, 1000, 1100);
}

static int writes_at_exit(void)
{
    atexit(late);
    int fd = created();
    lines(fd, 0, 1000);
    return 0;
}

static int child_sees(void)
{
    int fd = created();
    lines(fd, 0, 1000);
    char command[4200];
    snprintf(command, sizeof command, "cksum <%s", path);
    fflush(stdout);
    int returned = system(command);
    lines(fd, 0, 1000);
    FILE *pipe = popen(command, "r");
    char line[100];
    if (fgets(line, sizeof line, pipe) != NULL)
        printf("%s", line);
    pclose(pipe);
    return returned;
}

/* A child writes to the descriptor that it inherits, and so moves its position. */
static int child_moves(void)
{
    int fd = created();
    char command[64];
    snprintf(command, sizeof command, "echo from the child >&%d", fd);
    for (int i = 0; i < 3; i++) {
        lines(fd, 0, 200);
        printf("%ld\n", (long)lseek(fd, 0, SEEK_CUR));
        fflush(stdout);
        if (system(command) != 0)
            return 1;
        printf("%ld\n", (long)lseek(fd, 0, SEEK_CUR));
    }
    return 0;
}

static int fork_in_stream(void)
{
    FILE *file = fopen(path, "w");
    for (int i = 0; i < 3000; i++)
        fprintf(file, "line %d\n", i);
    pid_t child = fork();
    if (child == 0)
        exit(0); /* its copy of the buffer is issued, too: a fault, but the program's own */
    waitpid(child, NULL, 0);
    for (int i = 0; i < 3000; i++)
        fprintf(file, "line %d\n", i);
    fclose(file);
    return 0;
}

static void *forks_in_thread(void *unused)
{
    (void)unused;
    for (int i = 0; i < 50; i++) {
        pid_t child = fork();
        if (child == 0)
            _exit(0);
        waitpid(child, NULL, 0);
    }
    return NULL;
}

static int forks_and_threads(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, forks_in_thread, NULL);
    char name[4200];
    for (int i = 0; i < 200; i++) {
        snprintf(name, sizeof name, "%s.%d", path, i % 5);
        int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
        lines(fd, 0, 500);
        close(fd);
    }
    pthread_join(thread, NULL);
    return 0;
}

static int shared_fd;
static void *writes_shared(void *mark)
{
    char line[16];
    int bytes = snprintf(line, sizeof line, "thread %s\n", (const char *)mark);
    for (int i = 0; i < 20000; i++)
        if (write(shared_fd, line, (size_t)bytes) != bytes)
            exit(6);
    return NULL;
}

/* Threads that write to one descriptor: each line whole. */
static int threads_share(void)
{
    pthread_t thread[4];
    static char marks[4][2] = {"a", "b", "c", "d"};
    shared_fd = created();
    for (int i = 0; i < 4; i++)
        pthread_create(&thread[i], NULL, writes_shared, marks[i]);
    for (int i = 0; i < 4; i++)
        pthread_join(thread[i], NULL);
    close(shared_fd);
    int counts[4] = {0};
    char line[32];
    FILE *file = fopen(path, "r");
    while (fgets(line, sizeof line, file) != NULL)
        if (strlen(line) == 9 && strncmp(line, "thread ", 7) == 0 && line[7] >= 'a' && line[7] <= 'd')
            counts[line[7] - 'a']++;
    return printf("%d %d %d %d\n", counts[0], counts[1], counts[2], counts[3]) < 0;
}

/* Many descriptors at once: the memory is bounded. */
static int many(void)
{
    char name[4200];
    int fds[600];
    for (int i = 0; i < 600; i++) {
        snprintf(name, sizeof name, "%s.%d", path, i);
        fds[i] = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    }
    for (int round = 0; round < 100; round++)
        for (int i = 0; i < 600; i++)
            if (fds[i] >= 0)
                lines(fds[i], round, round + 1);
    for (int i = 0; i < 600; i++)
        close(fds[i]);
    return 0;
}

static int syncs(void)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_SYNC, 0600);
    lines(fd, 0, 100);
    printf("%d %d %d\n", fsync(fd), fdatasync(fd), fsync(-1) == -1 && errno == EBADF);
    close(fd);
    return 0;
}

static const struct {
    const char *name;
    int (*run)(void);
} all[] = {{"killed", killed},
           {"killed_by_parent", killed_by_parent},
           {"writes_in_handler", writes_in_handler},
           {"leaves_handler", leaves_handler},
           {"actions", actions},
           {"limited", limited},
           {"full", full},
           {"writes_at_exit", writes_at_exit},
           {"child_sees", child_sees},
           {"child_moves", child_moves},
           {"fork_in_stream", fork_in_stream},
           {"forks_and_threads", forks_and_threads},
           {"threads_share", threads_share},
           {"many", many},
           {"syncs", syncs}};

int main(int count, char **arguments)
{
    path = count > 2 ? arguments[2] : "file";
    for (unsigned i = 0; count > 1 && i < sizeof all / sizeof all[0]; i++)
        if (strcmp(arguments[1], all[i].name) == 0)
            return all[i].run();
    return 2;
}
