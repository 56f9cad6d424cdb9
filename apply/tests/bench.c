/* What the library gains, and what it costs where nothing can be gained:  bench WHAT FOLDER
 * Prints the seconds of the processor that the calls took, and the system calls that wrote. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LARGE = 1 << 20 };
static char room[LARGE], path[4096];

/* Of the processor: others that run at the same time do not count. */
static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int created(void)
{
    return open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
}

static long written_calls(void)
{
    FILE *file = fopen("/proc/self/io", "r");
    char line[128];
    long calls = -1;
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "syscw: %ld", &calls) == 1)
            break;
    if (file != NULL)
        fclose(file);
    return calls;
}

static void small(void)
{
    int fd = created();
    for (int i = 0; i < 1000000; i++)
        if (write(fd, room, 100) != 100)
            exit(1);
    close(fd);
}

static void seeks(void)
{
    int fd = created();
    for (int i = 0; i < 300000; i++)
        if (lseek(fd, i * 100L, SEEK_SET) < 0 || write(fd, room, 100) != 100)
            exit(1);
    close(fd);
}

static void positioned(void)
{
    int fd = created();
    for (int i = 0; i < 500000; i++)
        if (pwrite(fd, room, 100, i * 100L) != 100)
            exit(1);
    close(fd);
}

static void scattered(void)
{
    int fd = created();
    for (long i = 0; i < 300000; i++)
        if (pwrite(fd, room, 100, (i * 7919 % 300000) * 200) != 100)
            exit(1);
    close(fd);
}

static void large(void)
{
    int fd = created();
    for (int i = 0; i < 1000; i++)
        if (pwrite(fd, room, LARGE, (i % 64) * (long)LARGE) != LARGE)
            exit(1);
    close(fd);
}

static void reads(void)
{
    int fd = created();
    if (write(fd, room, LARGE) != LARGE)
        exit(1);
    for (int i = 0; i < 1000000; i++)
        if (pread(fd, room, 4096, (i % 256) * 4096L) != 4096)
            exit(1);
    close(fd);
}

/* After each write the program asks for the size. */
static void looked_at(void)
{
    int fd = created();
    struct stat status;
    for (int i = 0; i < 300000; i++)
        if (write(fd, room, 100) != 100 || fstat(fd, &status) != 0)
            exit(1);
    close(fd);
}

static void short_files(void)
{
    for (int i = 0; i < 5000; i++) {
        unlink(path);
        int fd = created();
        for (int k = 0; k < 20; k++)
            if (write(fd, room, 100) != 100)
                exit(1);
        close(fd);
    }
}

static void opens(void)
{
    for (int i = 0; i < 100000; i++)
        close(created());
}

static void lines(void)
{
    FILE *file = fopen(path, "w");
    for (int i = 0; i < 2000000; i++)
        fprintf(file, "%d a line of a hundred bytes or so, as many programs write them one after the other %d\n", i, i);
    fclose(file);
}

static void blocks(void)
{
    FILE *file = fopen(path, "w");
    for (int i = 0; i < 4000000; i++)
        fwrite(room, 1, 100, file);
    fclose(file);
}

static void short_streams(void)
{
    for (int i = 0; i < 10000; i++) {
        unlink(path);
        FILE *file = fopen(path, "w");
        for (int k = 0; k < 10; k++)
            fwrite(room, 1, 100, file);
        fclose(file);
    }
}

static const struct {
    const char *name;
    void (*run)(void);
} all[] = {{"small", small}, {"seeks", seeks}, {"positioned", positioned}, {"scattered", scattered},
           {"large", large}, {"reads", reads}, {"looked_at", looked_at},   {"short_files", short_files},
           {"opens", opens}, {"lines", lines}, {"blocks", blocks},         {"short_streams", short_streams}};

int main(int count, char **arguments)
{
    for (unsigned i = 0; count > 2 && i < sizeof all / sizeof all[0]; i++) {
        if (strcmp(arguments[1], all[i].name) != 0)
            continue;
        snprintf(path, sizeof path, "%s/file", arguments[2]);
        memset(room, 'a', sizeof room);
        double start = now_s();
        all[i].run();
        double end = now_s();
        long calls = written_calls();
        printf("%.6f %ld\n", end - start, calls);
        unlink(path);
        return 0;
    }
    return 2;
}
