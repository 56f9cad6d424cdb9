/* Threads that end with I/O still to come: in destructors of thread-local
 * data, in pthread keys made after ours; and many of them. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int fd;
static pthread_key_t late;

static void write_at_end(void *unused)
{
    (void)unused;
    if (write(fd, "8 bytes\n", 8) != 8)
        abort();
}

static void *with_destructor(void *unused)
{
    pthread_setspecific(late, &late);
    write_at_end(unused);
    return NULL;
}

static void *writer(void *times)
{
    for (long i = 0; i < (long)times; i++)
        write_at_end(NULL);
    return NULL;
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    fd = open(argv[2], O_WRONLY | O_CREAT | O_APPEND, 0600);
    write_at_end(NULL); /* the recorder has made its key */
    pthread_key_create(&late, write_at_end);
    pthread_t ids[200];
    int count = strcmp(argv[1], "many") == 0 ? 200 : 4;
    for (int i = 0; i < count; i++) {
        if (strcmp(argv[1], "many") == 0)
            pthread_create(&ids[i], NULL, writer, (void *)50L);
        else
            pthread_create(&ids[i], NULL, with_destructor, NULL);
        if (i % 8 == 7)
            for (int j = i - 7; j <= i; j++)
                pthread_join(ids[j], NULL);
    }
    for (int i = count / 8 * 8; i < count; i++)
        pthread_join(ids[i], NULL);
    return 0;
}
