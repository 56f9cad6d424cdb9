/* Threads that open, duplicate, write, close and start children all at once:
 * nothing may crash, hang or change. Prints how many writes it made. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *directory;
static long writes;

static void write_one(int fd)
{
    if (write(fd, "8 bytes\n", 8) != 8)
        abort();
    __atomic_fetch_add(&writes, 1, __ATOMIC_RELAXED);
}

static void *work(void *argument)
{
    long thread = (long)argument;
    char path[4200];
    for (int i = 0; i < 400; i++) {
        snprintf(path, sizeof path, "%s/file.%ld.%d", directory, thread, i % 50);
        int fd = open(path, O_RDWR | O_CREAT, 0600);
        int same = dup(fd);
        write_one(fd);
        close(fd);
        write_one(same);
        FILE *stream = fdopen(same, "r+");
        for (int j = 0; j < 300; j++)
            fputc('x', stream);
        fclose(stream);
        if (i % 100 == 99) {
            pid_t child = fork();
            if (child == 0) {
                fd = open(path, O_RDONLY);
                char bytes[8];
                _exit(read(fd, bytes, 8) == 8 ? 0 : 1);
            }
            int status;
            if (waitpid(child, &status, 0) != child || status != 0)
                abort();
        }
    }
    return NULL;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    directory = argv[1];
    pthread_t ids[8];
    for (long i = 0; i < 8; i++)
        pthread_create(&ids[i], NULL, work, (void *)i);
    for (int i = 0; i < 8; i++)
        pthread_join(ids[i], NULL);
    printf("%ld\n", writes);
    return 0;
}
