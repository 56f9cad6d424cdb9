/* What a recorder must survive: small stacks, forbidden clocks, the linker's locks. */
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOT_PERMITTED = 77 };

static const char *path;

static int writes(int fd, int calls)
{
    for (int i = 0; i < calls; i++)
        if (write(fd, "8 bytes\n", 8) != 8)
            return 3;
    return 0;
}

static int open_file(void)
{
    return open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
}

/* --- _exit in a handler on a stack of 8 KiB, with nothing mapped below ------- */

static void write_and_exit(int number)
{
    (void)number;
    int fd = open_file();
    writes(fd, 1);
    _exit(7);
}

static void just_exit(int number)
{
    (void)number;
    _exit(7);
}

static int on_small_stack(void (*handler)(int))
{
    enum { BYTES = 8192, BEFORE = 65536 };
    char *memory = mmap(NULL, BEFORE + BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(memory + BEFORE, BYTES, PROT_READ | PROT_WRITE);
    stack_t stack = {.ss_sp = memory + BEFORE, .ss_size = BYTES};
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
    if (sigaltstack(&stack, NULL) != 0)
        return NOT_PERMITTED;
    sigaction(SIGUSR1, &action, NULL);
    raise(SIGUSR1);
    return 1;
}

/* --- the clock is forbidden ---------------------------------------------------- */

static int strict(bool is_by_number)
{
    int fd = open_file();
    writes(fd, 10);
    long failed = is_by_number ? syscall(SYS_seccomp, SECCOMP_SET_MODE_STRICT, 0, NULL)
                               : prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
    if (failed != 0)
        return NOT_PERMITTED;
    syscall(SYS_exit, writes(fd, 20000));
    return 4;
}

static void *forty_writes(void *fd)
{
    return (void *)(long)writes(*(int *)fd, 40);
}

/* A thread and a child inherit it. */
static int without_clock(void)
{
    int fd = open_file();
    pthread_t thread;
    void *outcome;
    writes(fd, 10);
    if (prctl(PR_SET_TSC, PR_TSC_SIGSEGV) != 0)
        return NOT_PERMITTED;
    pthread_create(&thread, NULL, forty_writes, &fd);
    pthread_join(thread, &outcome);
    pid_t child = fork();
    if (child == 0)
        _exit(writes(fd, 40));
    int status;
    waitpid(child, &status, 0);
    return status != 0 || outcome != NULL || writes(fd, 40) != 0 ? 3 : 0;
}

/* --- the linker's locks ----------------------------------------------------------- */

static volatile int over;

static void *load_and_unload(void *unused)
{
    (void)unused;
    while (!over) {
        void *library = dlopen("libm.so.6", RTLD_NOW);
        void *other = dlopen("libutil.so.1", RTLD_NOW);
        if (library != NULL)
            dlclose(library);
        if (other != NULL)
            dlclose(other);
    }
    return NULL;
}

/* Children of a process that another thread loads libraries in. */
static int fork_beside_dlopen(void)
{
    pthread_t threads[3];
    int hung = 0;
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, load_and_unload, NULL);
    for (int i = 0; i < 150 && hung == 0; i++) {
        pid_t child = fork();
        if (child == 0) {
            alarm(5);
            int fd = open("/dev/null", O_WRONLY);
            _exit(writes(fd, 10));
        }
        int status;
        waitpid(child, &status, 0);
        hung += status != 0;
    }
    over = 1;
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return hung;
}

static void open_and_return(int number)
{
    (void)number;
    int fd = open("/dev/null", O_RDWR);
    writes(fd, 1);
    close(fd);
}

/* Handlers that interrupt the linker at all sorts of places. */
static int signals_in_dlclose(void)
{
    signal(SIGALRM, open_and_return);
    setitimer(ITIMER_REAL, &(struct itimerval){{0, 70}, {0, 70}}, NULL);
    for (int i = 0; i < 3000; i++) {
        void *library = dlopen("libm.so.6", RTLD_NOW), *other = dlopen("libutil.so.1", RTLD_NOW);
        if (library != NULL)
            dlclose(library);
        if (other != NULL)
            dlclose(other);
    }
    return 0;
}

/* --- a handler that leaves the recorder by a jump ------------------------------------ */

static sigjmp_buf back;

static void jump(int number)
{
    (void)number;
    siglongjmp(back, 1);
}

/* Prints how many writes were begun. */
static int jump_out_of_writes(void)
{
    int fd = open_file();
    volatile int jumps = 0;
    signal(SIGALRM, jump);
    setitimer(ITIMER_REAL, &(struct itimerval){{0, 90}, {0, 90}}, NULL);
    if (sigsetjmp(back, 1) != 0)
        jumps = jumps + 1;
    while (jumps < 4000)
        if (write(fd, "8 bytes\n", 8) != 8)
            return 3;
    setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 0}}, NULL);
    signal(SIGALRM, SIG_IGN);
    return writes(fd, 1000);
}

/* --- limits ---------------------------------------------------------------------------- */

static int fill_memory(void)
{
    struct rlimit limit = {200 << 20, 200 << 20};
    setrlimit(RLIMIT_AS, &limit);
    execl("/proc/self/exe", "safety", "fill_now", path, NULL);
    return 4;
}

/* Prints how many KiB can be mapped after some I/O. */
static int fill_now(void)
{
    enum { PIECE = 64 << 10 };
    long pieces = 0;
    if (writes(open_file(), 100000) != 0)
        return 3;
    while (mmap(NULL, PIECE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED)
        pieces++;
    printf("%ld\n", pieces * PIECE >> 10);
    return 0;
}

/* A program that has many keys of its own before it does I/O. */
static void *ten_writes(void *fd)
{
    return (void *)(long)writes(*(int *)fd, 10);
}

static int many_keys(void)
{
    int fd = open_file();
    for (int i = 0; i < 200; i++) {
        pthread_t thread;
        void *outcome;
        pthread_create(&thread, NULL, ten_writes, &fd);
        pthread_join(thread, &outcome);
        if (outcome != NULL)
            return 3;
    }
    return 0;
}

/* Runs before the constructors of preloaded libraries. */
static void take_keys(void)
{
    pthread_key_t key;
    if (getenv("TAKE_KEYS") != NULL)
        for (int i = 0; i < 40; i++)
            pthread_key_create(&key, NULL);
}
__attribute__((section(".preinit_array"), used)) static void (*const first)(void) = take_keys;

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    path = argv[2];
    if (strcmp(argv[1], "exit_on_small_stack") == 0)
        return on_small_stack(just_exit);
    if (strcmp(argv[1], "write_on_small_stack") == 0)
        return on_small_stack(write_and_exit);
    if (strcmp(argv[1], "exit_after_write_on_small_stack") == 0)
        return writes(open_file(), 1) + on_small_stack(just_exit);
    if (strcmp(argv[1], "strict") == 0)
        return strict(false);
    if (strcmp(argv[1], "strict_by_number") == 0)
        return strict(true);
    if (strcmp(argv[1], "without_clock") == 0)
        return without_clock();
    if (strcmp(argv[1], "fork_beside_dlopen") == 0)
        return fork_beside_dlopen();
    if (strcmp(argv[1], "signals_in_dlclose") == 0)
        return signals_in_dlclose();
    if (strcmp(argv[1], "fill_memory") == 0)
        return fill_memory();
    if (strcmp(argv[1], "fill_now") == 0)
        return fill_now();
    if (strcmp(argv[1], "many_keys") == 0)
        return many_keys();
    if (strcmp(argv[1], "jump_out_of_writes") == 0)
        return jump_out_of_writes();
    return 2;
}
