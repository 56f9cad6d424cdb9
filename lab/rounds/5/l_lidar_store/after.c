/* Simulated airborne lidar: every return goes into a growing, mapped point store. */
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct point {
    double x, y, z;
    float intensity;
    uint32_t pulse;
};

struct store {
    int fd;
    size_t used, capacity;
    struct point *points;
};

static int store_open(struct store *st, const char *path, size_t capacity)
{
    st->used = 0;
    st->capacity = capacity;
    st->fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0644);
    if (st->fd < 0)
        return -1;
    if (ftruncate(st->fd, capacity * sizeof(struct point)) != 0)
        return -1;
    st->points = mmap(NULL, capacity * sizeof(struct point),
                      PROT_READ | PROT_WRITE, MAP_SHARED, st->fd, 0);
    return st->points == MAP_FAILED ? -1 : 0;
}

static struct point *store_append(struct store *st)
{
    if (st->used == st->capacity)
        return NULL;
    return &st->points[st->used++];
}

static void store_close(struct store *st)
{
    munmap(st->points, st->capacity * sizeof(struct point));
    close(st->fd);
}

static double ground(double x, double y)
{
    return 120.0 + 8.0 * sin(x / 90.0) * cos(y / 70.0) + 0.02 * x;
}

static int canopy(uint32_t pulse)
{
    return (pulse * 2654435761u >> 28) < 5;
}

static int scan(struct store *st, uint32_t pulses)
{
    for (uint32_t p = 0; p < pulses; p++) {
        double angle = 0.35 * sin(p * 0.011);
        double x = p * 0.02, y = 900.0 * tan(angle);
        double z = ground(x, y);
        if (canopy(p)) {
            struct point *top = store_append(st);
            if (!top)
                return -1;
            *top = (struct point){x, y, z + 12.0 + 3.0 * sin(p * 0.3), 0.4f, p};
        }
        struct point *hit = store_append(st);
        if (!hit)
            return -1;
        *hit = (struct point){x, y, z, (float)(0.6 + 0.1 * cos(p * 0.07)), p};
    }
    return 0;
}

int main(int argc, char **argv)
{
    uint32_t pulses = argc > 1 ? (uint32_t)atol(argv[1]) : 140000;
    struct store st;
    double height = 0.0, light = 0.0;
    if (store_open(&st, "points.bin", 2 * (size_t)pulses) != 0) {
        perror("points.bin");
        return 1;
    }
    if (scan(&st, pulses) != 0) {
        perror("scan");
        return 1;
    }
    if (ftruncate(st.fd, st.used * sizeof(struct point)) != 0)
        return 1;
    for (size_t i = 0; i < st.used; i++) {
        height += st.points[i].z;
        light += st.points[i].intensity;
    }
    printf("points %zu mean z %.6f mean intensity %.6f size %ld\n", st.used,
           height / st.used, light / st.used, (long)lseek(st.fd, 0, SEEK_END));
    store_close(&st);
    return 0;
}
