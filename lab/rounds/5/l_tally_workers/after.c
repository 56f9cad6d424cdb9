/* Monte Carlo slab transmission: several worker processes score into one shared tally file. */
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define BINS 64
#define WORKERS 3

struct tally {
    uint64_t particles;
    uint64_t transmitted;
    uint64_t depth[BINS];
};

static uint64_t rng_next(uint64_t *s)
{
    *s ^= *s << 13;
    *s ^= *s >> 7;
    *s ^= *s << 17;
    return *s;
}

static double uniform(uint64_t *s)
{
    return (rng_next(s) >> 11) * (1.0 / 9007199254740992.0);
}

/* Follow one particle, return the bin of deepest collision or BINS if it leaves the slab. */
static int track_particle(uint64_t *seed)
{
    double x = 0.0, mu = 1.0;
    int deepest = 0;
    for (int n = 0; n < 30; n++) {
        x += -log(1.0 - uniform(seed)) * mu;
        if (x < 0.0)
            break;
        if (x >= 8.0)
            return BINS;
        int bin = (int)(x / 8.0 * BINS);
        if (bin > deepest)
            deepest = bin;
        if (uniform(seed) < 0.3)
            break;
        mu = 2.0 * uniform(seed) - 1.0;
    }
    return deepest;
}

static void tally_guard(int fd, short type)
{
    struct flock region;
    memset(&region, 0, sizeof region);
    region.l_type = type;
    region.l_whence = SEEK_SET;
    region.l_len = sizeof(struct tally);
    if (fcntl(fd, F_SETLKW, &region) != 0) {
        perror("tally");
        _exit(1);
    }
}

static void worker(int id, long particles)
{
    int fd = open("tally.bin", O_RDWR);
    struct tally *t = mmap(NULL, sizeof *t, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (t == MAP_FAILED)
        _exit(1);
    struct tally mine = {0};
    uint64_t seed = 0x9e3779b97f4a7c15ull * (id + 1);
    for (long p = 0; p < particles; p++) {
        int bin = track_particle(&seed);
        mine.particles++;
        if (bin == BINS)
            mine.transmitted++;
        else
            mine.depth[bin]++;
    }
    tally_guard(fd, F_WRLCK);
    t->particles += mine.particles;
    t->transmitted += mine.transmitted;
    for (int b = 0; b < BINS; b++)
        t->depth[b] += mine.depth[b];
    tally_guard(fd, F_UNLCK);
    munmap(t, sizeof *t);
    close(fd);
    _exit(0);
}

int main(int argc, char **argv)
{
    long particles = argc > 1 ? atol(argv[1]) : 250000;
    struct tally total = {0};
    int fd = open("tally.bin", O_RDWR | O_CREAT | O_TRUNC, 0644);
    if (fd < 0 || write(fd, &total, sizeof total) != sizeof total)
        return 1;
    for (int w = 0; w < WORKERS; w++)
        if (fork() == 0)
            worker(w, particles);
    while (wait(NULL) > 0)
        ;
    if (pread(fd, &total, sizeof total, 0) != sizeof total)
        return 1;
    close(fd);
    double mean = 0.0, n = 0.0;
    for (int b = 0; b < BINS; b++) {
        mean += b * (double)total.depth[b];
        n += total.depth[b];
    }
    printf("particles %lu transmitted %lu mean bin %.6f\n",
           (unsigned long)total.particles, (unsigned long)total.transmitted, mean / n);
    return 0;
}
