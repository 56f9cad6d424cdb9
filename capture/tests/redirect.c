/* Streams whose descriptor becomes another file:  redirect FOLDER */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int opened(const char *name, int flags)
{
    return open(name, O_CREAT | O_WRONLY | flags, 0600);
}

static void onto_stdout(const char *name, int flags)
{
    int fd = opened(name, flags);
    dup2(fd, 1);
    close(fd);
}

int main(int count, char **arguments)
{
    if (count != 2 || chdir(arguments[1]) != 0)
        return 2;
    printf("first\n"); /* 6 bytes on what stdout was */
    fflush(stdout);
    int before = dup(1);
    onto_stdout("a", 0);
    for (int i = 0; i < 100; i++)
        printf("%03d\n", i);
    fflush(stdout);
    onto_stdout("b", 0);
    for (int i = 0; i < 100; i++)
        putchar('b');
    fflush(stdout);
    onto_stdout("a", O_APPEND); /* as `echo >> a` of a shell does */
    puts("more");
    fflush(stdout);
    dup3(before, 1, 0);
    printf("last\n"); /* 5 bytes on what stdout was */
    fflush(stdout);
    close(1);
    if (opened("c", 0) != 1)
        return 3;
    fputs("closed and opened\n", stdout);
    fflush(stdout);

    FILE *stream = fopen("d", "w");
    fputs("12345", stream);
    fflush(stream);
    dup2(opened("e", 0), fileno(stream));
    fputs("678", stream);
    fclose(stream);

    DIR *folder = fdopendir(open(".", O_RDONLY | O_DIRECTORY));
    readdir(folder);
    closedir(folder);
    return 0;
}
