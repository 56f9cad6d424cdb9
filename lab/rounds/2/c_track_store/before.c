/* Test particles in a bar potential.  The orbit store grows with every
 * point that is kept (apocentre or crossing of the major axis). */
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <fcntl.h>
#include <unistd.h>

struct point {
    double t, x, y, vx, vy;
    int star, kind;
};

struct store {
    int fd;
    off_t used;
    long n;
};

static void store_open(struct store *s, const char *path)
{
    s->fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0644);
    if (s->fd < 0) {
        perror(path);
        exit(1);
    }
    s->used = 0;
    s->n = 0;
}

static void store_add(struct store *s, const struct point *p)
{
    off_t end = s->used + (off_t)sizeof *p;
    if (ftruncate(s->fd, end) != 0) {
        perror("ftruncate");
        exit(1);
    }
    if (pwrite(s->fd, p, sizeof *p, s->used) != (ssize_t)sizeof *p) {
        perror("pwrite");
        exit(1);
    }
    s->used = end;
    s->n++;
}

static void store_close(struct store *s)
{
    close(s->fd);
}

static void force(double t, double x, double y, double *ax, double *ay)
{
    const double q = 0.8, core = 0.05, spin = 0.4;
    double c = cos(spin * t), s = sin(spin * t);
    double u = c * x + s * y, w = -s * x + c * y;
    double r2 = core + u * u + w * w / (q * q);
    double fu = -u / r2, fw = -w / (q * q) / r2;
    *ax = c * fu - s * fw;
    *ay = s * fu + c * fw;
}

int main(int argc, char **argv)
{
    int nstar = argc > 1 ? atoi(argv[1]) : 200;
    const double dt = 0.1;
    struct store st;
    store_open(&st, "orbits.bin");

    double lz = 0.0;
    for (int i = 0; i < nstar; i++) {
        double x = 0.3 + 1.2 * i / nstar, y = 0.0, vx = 0.02 * (i % 7), vy = 0.8;
        double ax, ay, oldvr = 0.0, oldy = y;
        force(0.0, x, y, &ax, &ay);
        for (int k = 1; k <= 4000; k++) {
            double t = k * dt;
            vx += 0.5 * dt * ax;
            vy += 0.5 * dt * ay;
            x += dt * vx;
            y += dt * vy;
            force(t, x, y, &ax, &ay);
            vx += 0.5 * dt * ax;
            vy += 0.5 * dt * ay;
            double vr = x * vx + y * vy;
            int kind = (oldvr > 0.0 && vr <= 0.0) ? 1 : (oldy * y < 0.0) ? 2 : 0;
            if (kind) {
                struct point p = {t, x, y, vx, vy, i, kind};
                store_add(&st, &p);
            }
            oldvr = vr;
            oldy = y;
        }
        lz += x * vy - y * vx;
    }
    store_close(&st);
    printf("%d stars, %ld points, mean Lz %.8f\n", nstar, st.n, lz / nstar);
    return 0;
}
