/* Test-particle orbits in a magnetic mirror: Boris pusher, every orbit point is
 * kept in tracks.bin for the poster animation. */
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define NPART 400

typedef struct {
    double x[3];
    double v[3];
} Particle;

typedef struct {
    int32_t id;
    float t;
    float x, y, z;
    float energy;
} TrackPoint;

static Particle part[NPART];

static double uniform(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) / 16777216.0;
}

static void mirror_field(const double x[3], double b[3])
{
    const double b0 = 1.0, length = 4.0;
    double s = x[2] / length;
    b[2] = b0 * (1.0 + s * s);
    b[0] = -b0 * x[0] * x[2] / (length * length);
    b[1] = -b0 * x[1] * x[2] / (length * length);
}

static void boris_push(Particle *p, double dt)
{
    double b[3], t[3], s[3], vp[3];
    mirror_field(p->x, b);
    double t2 = 0.0;
    for (int k = 0; k < 3; k++) {
        t[k] = 0.5 * dt * b[k];
        t2 += t[k] * t[k];
    }
    for (int k = 0; k < 3; k++)
        s[k] = 2.0 * t[k] / (1.0 + t2);
    vp[0] = p->v[0] + p->v[1] * t[2] - p->v[2] * t[1];
    vp[1] = p->v[1] + p->v[2] * t[0] - p->v[0] * t[2];
    vp[2] = p->v[2] + p->v[0] * t[1] - p->v[1] * t[0];
    p->v[0] += vp[1] * s[2] - vp[2] * s[1];
    p->v[1] += vp[2] * s[0] - vp[0] * s[2];
    p->v[2] += vp[0] * s[1] - vp[1] * s[0];
    for (int k = 0; k < 3; k++)
        p->x[k] += dt * p->v[k];
}

static void record_point(int fd, const TrackPoint *pt)
{
    if (write(fd, pt, sizeof *pt) != (ssize_t)sizeof *pt) {
        perror("tracks.bin");
        exit(1);
    }
}

int main(int argc, char **argv)
{
    int nsteps = argc > 1 ? atoi(argv[1]) : 3500;
    double dt = 0.05;
    unsigned seed = 4711;

    for (int i = 0; i < NPART; i++)
        for (int k = 0; k < 3; k++) {
            part[i].x[k] = uniform(&seed) - 0.5;
            part[i].v[k] = 2.0 * uniform(&seed) - 1.0;
        }

    int fd = open("tracks.bin", O_CREAT | O_TRUNC | O_WRONLY, 0644);
    if (fd < 0) {
        perror("tracks.bin");
        return 1;
    }
    double ekin = 0.0;
    for (int step = 0; step < nsteps; step++) {
        ekin = 0.0;
        for (int i = 0; i < NPART; i++) {
            Particle *p = &part[i];
            boris_push(p, dt);
            double e = 0.5 * (p->v[0] * p->v[0] + p->v[1] * p->v[1] + p->v[2] * p->v[2]);
            TrackPoint pt = { i, (float)(step * dt), (float)p->x[0], (float)p->x[1],
                              (float)p->x[2], (float)e };
            record_point(fd, &pt);
            ekin += e;
        }
    }
    close(fd);
    printf("steps %d particles %d mean kinetic energy %.8f\n", nsteps, NPART, ekin / NPART);
    return 0;
}
