/* I/O in a handler that interrupts I/O, and a handler that jumps out of it. */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static int fd;
static volatile long handled;
static sigjmp_buf back;

static void write_in_handler(int number)
{
    (void)number;
    if (write(fd, "8 bytes\n", 8) == 8)
        handled++;
}

static void jump(int number)
{
    (void)number;
    siglongjmp(back, 1);
}

static int interrupt_writes(void)
{
    signal(SIGALRM, write_in_handler);
    struct itimerval each = {{0, 50}, {0, 50}};
    setitimer(ITIMER_REAL, &each, NULL);
    long own = 0;
    while (own < 200000)
        if (write(fd, "8 bytes\n", 8) == 8)
            own++;
    setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 0}}, NULL);
    printf("%ld\n", own + handled);
    return 0;
}

static int jump_out_of_read(void)
{
    int ends[2];
    char byte;
    if (pipe(ends) != 0)
        return 1;
    signal(SIGALRM, jump);
    for (volatile int i = 0; i < 5; i++) {
        if (sigsetjmp(back, 1) != 0)
            continue;
        ualarm(2000, 0);
        if (read(ends[0], &byte, 1) != 1)
            return 2;
    }
    return write(fd, "8 bytes\n", 8) == 8 ? 0 : 3;
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    fd = open(argv[2], O_WRONLY | O_CREAT | O_TRUNC, 0600);
    return strcmp(argv[1], "jump") == 0 ? jump_out_of_read() : interrupt_writes();
}
