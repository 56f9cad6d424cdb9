/* Says regions, steps, epochs and notes:  regions nested|steps|many|open|threads|deep|fork FILE */
#include "../include/diya.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void put(const char *file)
{
    int fd = open(file, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (write(fd, "x", 1) != 1 || close(fd) != 0)
        exit(2);
}

static void *in_thread(void *file)
{
    diya_region_begin("thread");
    put(file);
    return NULL; /* the region is still open */
}

int main(int count, char **words)
{
    const char *what = words[1], *file = words[2];
    if (count < 3)
        return 2;
    if (strcmp(what, "nested") == 0) {
        diya_region_begin("outer");
        diya_region_begin("inner");
        put(file);
        diya_region_end();
        diya_region_end();
        diya_region_end(); /* one too many */
        diya_note("done");
    } else if (strcmp(what, "steps") == 0) {
        for (int epoch = 0; epoch < 2; epoch++) {
            diya_epoch(epoch);
            for (int step = 0; step < 3; step++) {
                diya_step(step);
                put(file);
            }
            diya_step(-1);
        }
        diya_epoch(-1);
    } else if (strcmp(what, "many") == 0) {
        /* More than a window holds, inside a region that began in the first one; names in one place. */
        char name[32];
        diya_region_begin("all");
        for (int i = 0; i < 20000; i++) {
            snprintf(name, sizeof name, "part %d", i % 100);
            diya_region_begin(name);
            diya_region_end();
        }
        diya_region_end();
    } else if (strcmp(what, "open") == 0) {
        diya_step(7);
        diya_region_begin("killed");
        put(file);
        kill(getpid(), 9);
    } else if (strcmp(what, "threads") == 0) {
        pthread_t thread;
        pthread_create(&thread, NULL, in_thread, words[2]);
        pthread_join(thread, NULL);
    } else if (strcmp(what, "deep") == 0) {
        for (int i = 0; i < 1000; i++)
            diya_region_begin("deep");
        for (int i = 0; i < 1000; i++)
            diya_region_end();
        diya_region_begin("after");
        diya_region_end();
    } else if (strcmp(what, "fork") == 0) {
        diya_region_begin("parent");
        if (fork() == 0) {
            diya_region_end(); /* of the parent */
            diya_region_begin("child");
            put(file);
            diya_region_end();
            _exit(0);
        }
        wait(NULL);
        diya_region_end();
    }
    return 0;
}
