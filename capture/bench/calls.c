/* Times one kind of call:  calls KIND COUNT DIRECTORY [THREADS [ROUNDS]]
 *
 * Prints nanoseconds per call, of the fastest of several rounds: what slows a
 * round down is the machine, not the call.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define RANDOM_FILE_BYTES (64u << 20)

static const char *kind;
static const char *directory;
static long count;
static int rounds = 900;

static double now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static int open_scratch(int thread, char *path)
{
    sprintf(path, "%s/calls.%d.%d", directory, (int)getpid(), thread);
    return open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
}

static uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

static double write_round(int fd, char *buffer)
{
    lseek(fd, 0, SEEK_SET);
    double start = now_ns();
    for (long i = 0; i < count; i++)
        if (write(fd, buffer, 64) != 64)
            abort();
    return (now_ns() - start) / (double)count;
}

static double pread_round(int fd, char *buffer)
{
    double start = now_ns();
    for (long i = 0; i < count; i++)
        if (pread(fd, buffer, 64, 64 * (i % 1000)) != 64)
            abort();
    return (now_ns() - start) / (double)count;
}

static double random_pwrite_round(int fd, char *buffer, size_t bytes, uint64_t *state)
{
    double start = now_ns();
    for (long i = 0; i < count; i++) {
        off_t offset = (off_t)(next_random(state) % (RANDOM_FILE_BYTES / bytes) * bytes);
        if (pwrite(fd, buffer, bytes, offset) != (ssize_t)bytes)
            abort();
    }
    return (now_ns() - start) / (double)count;
}

static double fwrite_round(FILE *stream, char *buffer)
{
    rewind(stream);
    double start = now_ns();
    for (long i = 0; i < count; i++)
        if (fwrite(buffer, 1, 64, stream) != 64)
            abort();
    return (now_ns() - start) / (double)count;
}

static double fputc_round(FILE *stream)
{
    rewind(stream);
    double start = now_ns();
    for (long i = 0; i < count; i++)
        if (fputc('x', stream) == EOF)
            abort();
    return (now_ns() - start) / (double)count;
}

static double fprintf_round(FILE *stream)
{
    rewind(stream);
    double start = now_ns();
    for (long i = 0; i < count; i++)
        if (fprintf(stream, "%ld\n", i) < 0)
            abort();
    return (now_ns() - start) / (double)count;
}

static double open_close_round(const char *path)
{
    double start = now_ns();
    for (long i = 0; i < count; i++)
        close(open(path, O_RDONLY));
    return (now_ns() - start) / (double)count;
}

/* What a recorded call needs in any case, where the processor has such a counter. */
static double clock_round(void)
{
    double start = now_ns();
#if defined(__x86_64__)
    uint64_t sum = 0;
    for (long i = 0; i < count; i++)
        sum += __builtin_ia32_rdtsc() - __builtin_ia32_rdtsc();
    __asm__ volatile("" : : "r"(sum));
#else
    for (long i = 0; i < count; i++) {
        uint64_t first, second;
        __asm__ volatile("mrs %0, cntvct_el0\n mrs %1, cntvct_el0" : "=r"(first), "=r"(second));
    }
#endif
    return (now_ns() - start) / (double)count;
}

static void *run(void *argument)
{
    static char buffer[1 << 16];
    char path[4200];
    double *best = argument;
    static int threads;
    int fd = open_scratch(__atomic_fetch_add(&threads, 1, __ATOMIC_RELAXED), path);
    FILE *stream = fopen(path, "r+");
    uint64_t state = 1;
    if (strncmp(kind, "pwrite", 6) == 0 && ftruncate(fd, RANDOM_FILE_BYTES) != 0)
        abort();
    if (write_round(fd, buffer) < 0)
        abort();
    *best = 1e18;
    for (int round = 0; round < rounds; round++) {
        double took = strcmp(kind, "write") == 0        ? write_round(fd, buffer)
                      : strcmp(kind, "pread") == 0      ? pread_round(fd, buffer)
                      : strcmp(kind, "pwrite64k") == 0  ? random_pwrite_round(fd, buffer, 1 << 16, &state)
                      : strcmp(kind, "pwrite4k") == 0   ? random_pwrite_round(fd, buffer, 1 << 12, &state)
                      : strcmp(kind, "fwrite") == 0     ? fwrite_round(stream, buffer)
                      : strcmp(kind, "fputc") == 0      ? fputc_round(stream)
                      : strcmp(kind, "fprintf") == 0    ? fprintf_round(stream)
                      : strcmp(kind, "open_close") == 0 ? open_close_round(path)
                      : strcmp(kind, "clock") == 0      ? clock_round()
                                                        : (abort(), 0);
        if (took < *best)
            *best = took;
    }
    fclose(stream);
    close(fd);
    unlink(path);
    return NULL;
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return 2;
    kind = argv[1];
    count = atol(argv[2]);
    directory = argv[3];
    int threads = argc > 4 ? atoi(argv[4]) : 1;
    if (argc > 5)
        rounds = atoi(argv[5]);
    pthread_t ids[64];
    double best[64], sum = 0;
    for (int i = 0; i < threads; i++)
        pthread_create(&ids[i], NULL, run, &best[i]);
    for (int i = 0; i < threads; i++) {
        pthread_join(ids[i], NULL);
        sum += best[i];
    }
    printf("%.2f\n", sum / threads);
    return 0;
}
