/* All the ways to end, after COUNT writes and COUNT fputc:  endings HOW FILE COUNT [STREAM] */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    if (argc < 4)
        return 2;
    const char *how = argv[1];
    int fd = open(argv[2], O_WRONLY | O_CREAT | O_TRUNC, 0600);
    FILE *stream = fopen(argc > 4 ? argv[4] : "/dev/null", "w");
    long count = atol(argv[3]);
    for (long i = 0; i < count; i++)
        if (write(fd, "8 bytes\n", 8) != 8)
            return 3;
    for (long i = 0; i < count; i++)
        fputc('x', stream);
    if (strcmp(how, "kill") == 0)
        raise(SIGKILL);
    if (strcmp(how, "abort") == 0)
        abort();
    if (strcmp(how, "_exit") == 0)
        _exit(41);
    if (strcmp(how, "quick_exit") == 0)
        quick_exit(42);
    if (strcmp(how, "exit") == 0)
        exit(43);
    return 44;
}
