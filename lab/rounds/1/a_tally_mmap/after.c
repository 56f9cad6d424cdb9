/* Monte Carlo transport in a slab; two tally threads add to a common tally
 * file that other jobs of the same campaign may have open too. */
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define BINS 512

struct task {
    int fd;
    uint64_t seed;
    long histories;
    int64_t *tally;
    long collisions;
    int64_t local[BINS];
};

static double draw(uint64_t *s)
{
    *s ^= *s << 13;
    *s ^= *s >> 7;
    *s ^= *s << 17;
    return ((double)(*s >> 11) + 0.5) / 9007199254740992.0;
}

static void guard(int fd, short type)
{
    struct flock fl = {0};
    fl.l_type = type;
    fl.l_whence = SEEK_SET;
    fl.l_start = 0;
    fl.l_len = BINS * sizeof(int64_t);
    fcntl(fd, F_SETLKW, &fl);
}

static void score(struct task *t, double depth)
{
    int bin = (int)(depth * BINS);
    t->local[bin]++;
    t->collisions++;
}

static void *transport(void *arg)
{
    struct task *t = arg;
    for (long h = 0; h < t->histories; h++) {
        double z = 0.0, mu = 1.0;
        for (;;) {
            z += -0.08 * log(draw(&t->seed)) * mu;
            if (z < 0.0 || z >= 1.0)
                break;
            score(t, z);
            if (draw(&t->seed) < 0.25)
                break;
            mu = 2.0 * draw(&t->seed) - 1.0;
        }
    }
    guard(t->fd, F_WRLCK);
    for (int b = 0; b < BINS; b++)
        __atomic_fetch_add(&t->tally[b], t->local[b], __ATOMIC_RELAXED);
    guard(t->fd, F_UNLCK);
    return NULL;
}

int main(int argc, char **argv)
{
    long histories = argc > 1 ? atol(argv[1]) : 100000;
    int fd = open("tally.dat", O_RDWR | O_CREAT | O_TRUNC, 0644);
    if (fd < 0 || ftruncate(fd, BINS * sizeof(int64_t)) != 0) {
        perror("tally.dat");
        return 1;
    }
    int64_t *tally = mmap(NULL, BINS * sizeof(int64_t), PROT_READ | PROT_WRITE,
                          MAP_SHARED, fd, 0);
    if (tally == MAP_FAILED) {
        perror("mmap");
        return 1;
    }
    struct task task[2];
    pthread_t id[2];
    for (int k = 0; k < 2; k++) {
        task[k] = (struct task){ fd, 7919u + 104729u * (unsigned)k, histories / 2, tally, 0, {0} };
        pthread_create(&id[k], NULL, transport, &task[k]);
    }
    for (int k = 0; k < 2; k++)
        pthread_join(id[k], NULL);
    double mean = 0.0;
    int64_t total = 0;
    for (int b = 0; b < BINS; b++) {
        mean += (double)tally[b] * (b + 0.5) / BINS;
        total += tally[b];
    }
    printf("%ld collisions, mean depth %.6f\n", (long)total, mean / (double)total);
    munmap(tally, BINS * sizeof(int64_t));
    close(fd);
    return 0;
}
