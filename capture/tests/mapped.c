/* Touches pages of mapped files:  mapped FILE [TIMES]; TIMES: maps one page again and again. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE 4096
#define PAGES 64

static volatile char *map(int fd, int pages, int offset)
{
    char *start = mmap(NULL, pages * PAGE, PROT_READ, MAP_SHARED, fd, offset * PAGE);
    if (start == MAP_FAILED)
        exit(3);
    madvise(start, pages * PAGE, MADV_RANDOM); /* no page comes but the one that is touched */
    return start;
}

int main(int count, char **arguments)
{
    static char page[PAGE];
    int sum = 0;
    int fd = open(arguments[1], O_CREAT | O_RDWR | O_TRUNC, 0600);
    for (int i = 0; i < PAGES; i++)
        if (write(fd, page, PAGE) != PAGE)
            return 2;
    fsync(fd);
    posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
    for (int left = count > 2 ? atoi(arguments[2]) : 0; left > 0; left--) {
        volatile char *again = map(fd, 1, 0);
        sum += again[0];
        munmap((void *)again, PAGE);
        if (left == 1)
            return sum;
    }
    volatile char *first = map(fd, PAGES, 0);
    for (int i = 0; i < 10; i++)
        sum += first[(5 + 3 * i) * PAGE];
    munmap((void *)first, PAGES * PAGE);
    if (fork() == 0) { /* a mapping of its own */
        volatile char *own = map(fd, 2, 8);
        sum += own[0];
        munmap((void *)own, 2 * PAGE);
        _exit(sum);
    }
    wait(NULL);
    volatile char *last = map(fd, 16, 32); /* the end of the process unmaps it */
    for (int i = 0; i < 4; i++)
        sum += last[i * PAGE];
    return sum;
}
