/* First-passage statistics of walkers on a square lattice with traps.
   Worker processes fill one table (steps x distance) kept in passage.tab. */
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORKERS 3
#define NT 200
#define NR 64

typedef struct {
    int64_t count[NT][NR];
    int64_t walkers, trapped;
} Table;

typedef struct {
    int steps, r, trapped;
} Passage;

static uint64_t next(uint64_t *s)
{
    *s ^= *s << 13; *s ^= *s >> 7; *s ^= *s << 17;
    return *s;
}

static Passage walk(int id)
{
    uint64_t s = 0x9E3779B97F4A7C15ULL * (id + 1);
    int x = 0, y = 0, n = 0, hit = 0;
    for (int i = 0; i < 4; i++) next(&s);
    while (n < NT && !hit) {
        int d = (next(&s) >> 33) & 3;
        x += (d == 0) - (d == 1);
        y += (d == 2) - (d == 3);
        n++;
        hit = ((x * 7 + y * 13) % 37 + 37) % 37 == 15;
    }
    int r = (int)sqrt((double)(x * x + y * y));
    return (Passage){n - 1, r < NR ? r : NR - 1, hit};
}

static void guard(int fd, short type)
{
    struct flock l = {.l_type = type, .l_whence = SEEK_SET, .l_start = 0, .l_len = 0};
    if (fcntl(fd, F_SETLKW, &l) < 0) { perror("fcntl"); _exit(1); }
}

static void enter(int fd, Table *t, Passage p)
{
    guard(fd, F_WRLCK);
    t->count[p.steps][p.r]++;
    t->walkers++;
    t->trapped += p.trapped;
    guard(fd, F_UNLCK);
}

static Table *attach(int fd)
{
    Table *t = mmap(NULL, sizeof *t, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (t == MAP_FAILED) { perror("mmap"); exit(1); }
    return t;
}

static void worker(int me, int walkers)
{
    int fd = open("passage.tab", O_RDWR);
    if (fd < 0) _exit(1);
    Table *t = attach(fd);
    for (int id = me; id < walkers; id += WORKERS)
        enter(fd, t, walk(id));
    munmap(t, sizeof *t);
    close(fd);
    _exit(0);
}

int main(int argc, char **argv)
{
    int walkers = argc > 1 ? atoi(argv[1]) : 800000;
    int fd = open("passage.tab", O_CREAT | O_TRUNC | O_RDWR, 0644);
    if (fd < 0 || ftruncate(fd, sizeof(Table)) < 0) return 1;
    for (int w = 0; w < WORKERS; w++)
        if (fork() == 0) worker(w, walkers);
    int status, bad = 0;
    while (wait(&status) > 0) bad |= status;
    if (bad) return 1;

    Table *t = attach(fd);
    double mean = 0, r2 = 0;
    for (int n = 0; n < NT; n++)
        for (int r = 0; r < NR; r++) {
            mean += (n + 1) * (double)t->count[n][r];
            r2 += (double)r * r * t->count[n][r];
        }
    printf("%ld walkers, %ld trapped, mean first passage %.5f, <r2> %.5f\n",
           (long)t->walkers, (long)t->trapped, mean / t->walkers, r2 / t->walkers);
    munmap(t, sizeof *t);
    close(fd);
    return 0;
}
