/* Store simulated detector events in a memory mapped, growing event file. */
#include <fcntl.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define ADDRESS_SPACE (256UL << 20)
#define GROW_BYTES (16UL << 20)
#define MAX_HITS 12

struct hit {
    uint16_t channel;
    uint16_t adc;
    float time;
};

struct event {
    uint64_t number;
    uint32_t trigger;
    uint32_t nhits;
    struct hit hits[MAX_HITS];
};

struct event_store {
    int fd;
    char *base;
    size_t used, size;
};

static void store_create(struct event_store *st, const char *path)
{
    st->fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0644);
    if (st->fd < 0) {
        perror(path);
        exit(1);
    }
    /* one address range for the life of the file; the file grows below it */
    st->base = mmap(NULL, ADDRESS_SPACE, PROT_READ | PROT_WRITE, MAP_SHARED, st->fd, 0);
    if (st->base == MAP_FAILED) {
        perror("mmap");
        exit(1);
    }
    st->used = st->size = 0;
}

static void *store_allocate(struct event_store *st, size_t bytes)
{
    if (st->used + bytes > ADDRESS_SPACE) {
        fprintf(stderr, "event store is full\n");
        exit(1);
    }
    if (st->used + bytes > st->size) {
        st->size += GROW_BYTES;
        if (ftruncate(st->fd, st->size) != 0) {
            perror("ftruncate");
            exit(1);
        }
    }
    void *room = st->base + st->used;
    st->used += bytes;
    return room;
}

static void store_close(struct event_store *st)
{
    munmap(st->base, ADDRESS_SPACE);
    if (ftruncate(st->fd, st->used) != 0)
        perror("ftruncate");
    close(st->fd);
}

static uint64_t rng_state = 88172645463325252ULL;
static double uniform(void)
{
    rng_state ^= rng_state << 13;
    rng_state ^= rng_state >> 7;
    rng_state ^= rng_state << 17;
    return (rng_state >> 11) * (1.0 / 9007199254740992.0);
}

static void simulate_event(struct event *ev, uint64_t number)
{
    double energy = -40.0 * log(1 - uniform());
    ev->number = number;
    ev->nhits = 1 + (uint32_t)(uniform() * (MAX_HITS - 1));
    ev->trigger = energy > 60 ? 2 : 1;
    for (uint32_t h = 0; h < ev->nhits; h++) {
        ev->hits[h].channel = (uint16_t)(uniform() * 960);
        ev->hits[h].adc = (uint16_t)(energy * 20 * uniform());
        ev->hits[h].time = (float)(5.0 * h + 2.0 * uniform());
    }
}

int main(int argc, char **argv)
{
    uint64_t nevent = argc > 1 ? strtoull(argv[1], NULL, 10) : 300000;
    struct event_store store;
    struct event ev;
    uint64_t adc_sum = 0, high = 0;
    store_create(&store, "run_0815.evt");
    for (uint64_t n = 0; n < nevent; n++) {
        simulate_event(&ev, n);
        size_t bytes = offsetof(struct event, hits) + ev.nhits * sizeof(struct hit);
        memcpy(store_allocate(&store, bytes), &ev, bytes);
        high += ev.trigger == 2;
        for (uint32_t h = 0; h < ev.nhits; h++)
            adc_sum += ev.hits[h].adc;
    }
    printf("%lu events, %lu high energy, adc sum %lu, %zu bytes\n", (unsigned long)nevent,
           (unsigned long)high, (unsigned long)adc_sum, store.used);
    store_close(&store);
    return 0;
}
