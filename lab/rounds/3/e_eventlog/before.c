/* Detector read-out emulator: accepted triggers are appended to a growing event container. */
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NCHANNEL 24
#define BLOCK 65536

struct event {
    uint64_t number;
    double time;
    float charge[NCHANNEL];
};

struct container {
    int fd;
    off_t used;
};

static uint32_t lcg = 12345;

static float noise(void)
{
    lcg = lcg * 1664525u + 1013904223u;
    return (float)(lcg >> 8) / 16777216.0f - 0.5f;
}

static int container_open(struct container *c, const char *path)
{
    c->fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0644);
    c->used = 0;
    return c->fd < 0 ? -1 : 0;
}

static int container_add(struct container *c, const struct event *ev)
{
    /* room for the event, then close the gap so that readers see whole events only */
    if (ftruncate(c->fd, c->used + BLOCK))
        return -1;
    if (pwrite(c->fd, ev, sizeof *ev, c->used) != (ssize_t)sizeof *ev)
        return -1;
    c->used += sizeof *ev;
    return ftruncate(c->fd, c->used);
}

static int trigger(struct event *ev, uint64_t number)
{
    double sum = 0;
    ev->number = number;
    ev->time = 1e-6 * (double)number;
    for (int k = 0; k < NCHANNEL; k++) {
        ev->charge[k] = 2.0f * noise() + (float)exp(-0.1 * k);
        sum += ev->charge[k];
    }
    return sum > 8.0;
}

int main(int argc, char **argv)
{
    long ntrigger = argc > 1 ? atol(argv[1]) : 20000;
    struct container box;
    struct event ev;
    long accepted = 0;
    double total = 0;
    if (container_open(&box, "events.bin")) {
        perror("events.bin");
        return 1;
    }
    memset(&ev, 0, sizeof ev);
    for (long n = 0; n < ntrigger; n++) {
        if (!trigger(&ev, (uint64_t)n))
            continue;
        if (container_add(&box, &ev)) {
            perror("events.bin");
            return 1;
        }
        accepted++;
        total += ev.charge[0];
    }
    close(box.fd);
    printf("triggers %ld accepted %ld mean charge %.5f size %ld\n", ntrigger, accepted, total / (double)accepted,
           (long)box.used);
    return 0;
}
