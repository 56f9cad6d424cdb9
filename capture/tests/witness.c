/* Writes two MiB by the C library, and three by the kernel's own door, which no
 * hook sees. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static long raw_write(int fd, const void *data, unsigned long bytes)
{
    long returned;
#if defined(__x86_64__)
    __asm__ volatile("syscall"
                     : "=a"(returned)
                     : "a"((long)SYS_write), "D"((long)fd), "S"(data), "d"(bytes)
                     : "rcx", "r11", "memory");
#else
    register long number __asm__("x8") = SYS_write;
    register long first __asm__("x0") = fd;
    register const void *second __asm__("x1") = data;
    register unsigned long third __asm__("x2") = bytes;
    __asm__ volatile("svc 0" : "+r"(first) : "r"(number), "r"(second), "r"(third) : "memory");
    returned = first;
#endif
    return returned;
}

int main(int argc, char **argv)
{
    enum { MIB = 1 << 20 };
    char *data = calloc(1, MIB);
    int fd = open(argc > 1 ? argv[1] : "out", O_CREAT | O_WRONLY | O_TRUNC, 0600);
    int failed = fd < 0;
    for (int i = 0; i < 2; i++)
        failed |= write(fd, data, MIB) != MIB;
    for (int i = 0; i < 3; i++)
        failed |= raw_write(fd, data, MIB) != MIB;
    failed |= close(fd);
    free(data);
    return failed;
}
