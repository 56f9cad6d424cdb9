/* Lagrangian air parcels in a rotating, drifting vortex; the track file keeps
 * the parcel positions of each step and a header with the number of steps. */
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define NPARCEL 40

typedef struct { float x, y, theta, w; } Parcel;

typedef struct {
    int fd;
    off_t used;
    uint32_t steps;
} Track;

static void die(const char *what)
{
    perror(what);
    exit(1);
}

static void track_open(Track *t, const char *path)
{
    uint32_t head[4] = { 0x54524B31, NPARCEL, 0, 0 };
    t->fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0644);
    if (t->fd < 0) die(path);
    if (write(t->fd, head, sizeof head) != sizeof head) die("write");
    t->used = sizeof head;
    t->steps = 0;
}

/* adds the record of one step */
static void track_append(Track *t, const Parcel *p, size_t bytes)
{
    if (pwrite(t->fd, p, bytes, t->used) != (ssize_t)bytes) die("pwrite");
    t->used += bytes;
    t->steps++;
}

static void track_close(Track *t)
{
    if (pwrite(t->fd, &t->steps, sizeof t->steps, 8) != sizeof t->steps) die("pwrite");
    close(t->fd);
}

static void wind(double x, double y, double time, double *u, double *v)
{
    double cx = 40.0 + 0.02 * time, cy = 50.0 + 6.0 * sin(0.004 * time);
    double dx = x - cx, dy = y - cy, r2 = dx * dx + dy * dy, core = 25.0;
    double speed = 30.0 * exp(-r2 / 900.0) / sqrt(r2 + core);
    *u = -speed * dy + 1.5;
    *v = speed * dx + 0.4 * cos(0.05 * x);
}

static void advance(Parcel *p, double time, double dt)
{
    for (int i = 0; i < NPARCEL; i++) {
        double u1, v1, u2, v2;
        wind(p[i].x, p[i].y, time, &u1, &v1);
        wind(p[i].x + 0.5 * dt * u1, p[i].y + 0.5 * dt * v1, time + 0.5 * dt, &u2, &v2);
        p[i].x += dt * u2;
        p[i].y += dt * v2;
        p[i].w = 0.9f * p[i].w + 0.1f * (float)(u2 * v1 - u1 * v2);
        p[i].theta += (float)(dt * 0.001 * p[i].w);
    }
}

int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 20000;
    static Parcel p[NPARCEL];
    unsigned seed = 77;
    for (int i = 0; i < NPARCEL; i++) {
        seed = seed * 1664525u + 1013904223u;
        p[i].x = 20.0f + (seed >> 8) / 16777216.0f * 40.0f;
        seed = seed * 1664525u + 1013904223u;
        p[i].y = 30.0f + (seed >> 8) / 16777216.0f * 40.0f;
        p[i].theta = 300.0f;
    }
    Track t;
    track_open(&t, "parcels.trk");
    for (int s = 0; s < steps; s++) {
        advance(p, s * 0.01, 0.01);
        track_append(&t, p, sizeof p);
    }
    track_close(&t);
    double mx = 0, my = 0, mt = 0;
    for (int i = 0; i < NPARCEL; i++) {
        mx += p[i].x / NPARCEL;
        my += p[i].y / NPARCEL;
        mt += p[i].theta / NPARCEL;
    }
    printf("%d steps  centre %.4f %.4f  theta %.4f\n", steps, mx, my, mt);
    return 0;
}
