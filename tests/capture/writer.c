/* Writes 8 bytes so many times, then ends in the way that the first argument names:
 *
 *     writer exit|_exit|abort|kill|forever FILE [CALLS]
 */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__((noinline)) static void save(int fd)
{
    if (write(fd, "12345678", 8) != 8)
        exit(1);
    __asm__ volatile(""); /* no tail call: the frame is to be seen */
}

int main(int count, char **arguments)
{
    const char *ending = arguments[1];
    long calls = count > 3 ? atol(arguments[3]) : 0;
    int fd = open(arguments[2], O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0)
        return 1;
    while (strcmp(ending, "forever") == 0)
        save(fd);
    for (long i = 0; i < calls; i++)
        save(fd);
    if (strcmp(ending, "kill") == 0)
        kill(getpid(), SIGKILL);
    if (strcmp(ending, "abort") == 0)
        abort();
    if (strcmp(ending, "_exit") == 0)
        _exit(0);
    return 0;
}
