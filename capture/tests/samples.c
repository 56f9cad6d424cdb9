/* Works in two functions between its calls: samples FILE
 *
 * Closes every descriptor, sleeps, starts a thread and a child, each of which works,
 * too. Prints where the functions are, and what the sleep came back with. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double processor_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static volatile unsigned long sum;

/* Checks the clock, which is a system call, once in a while only. */
#define WORK(name)                                                                                                     \
    __attribute__((noinline)) static void name(double s)                                                               \
    {                                                                                                                  \
        double end = processor_s() + s;                                                                                \
        while (processor_s() < end)                                                                                    \
            for (long i = 0; i < 500000; i++)                                                                          \
                sum += i * i;                                                                                          \
    }                                                                                                                  \
    static void after_##name(void)                                                                                     \
    {                                                                                                                  \
    }

WORK(packing)
WORK(computing)
WORK(threaded)
WORK(in_child)

static int file;

static void *thread(void *nothing)
{
    write(file, "t", 1);
    threaded(0.1);
    write(file, "t", 1);
    return nothing;
}

int main(int argc, char **argv)
{
    printf("packing %lx %lx\ncomputing %lx %lx\nthreaded %lx %lx\nin_child %lx %lx\n", (long)packing, (long)computing,
           (long)computing, (long)threaded, (long)threaded, (long)in_child, (long)in_child, (long)in_child + 200);
    fflush(stdout);
    file = open(argv[1], O_CREAT | O_WRONLY | O_TRUNC, 0600);
    for (int fd = 3; fd < 1024; fd++)
        if (fd != file)
            close(fd);
    for (int turn = 0; turn < 4; turn++) {
        packing(0.06);
        write(file, "packed", 6);
        computing(0.02);
    }
    struct timespec nap = {0, 200000000};
    printf("sleep %d\n", nanosleep(&nap, NULL));
    write(file, "slept", 5);
    pthread_t other;
    pthread_create(&other, NULL, thread, NULL);
    pthread_join(other, NULL);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        write(file, "c", 1);
        in_child(0.1);
        write(file, "c", 1);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    (void)after_packing, (void)after_computing, (void)after_threaded, (void)after_in_child;
    return 0;
}
