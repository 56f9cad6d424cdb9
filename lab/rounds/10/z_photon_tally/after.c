/* Monte-Carlo transport of photons through a layered slab.  Several workers
 * follow photons and score where they are absorbed in one shared tally file. */
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define NBIN 2048
#define NWORK 3

typedef struct { uint64_t hits, scatters; } Tally;

static uint64_t state;

static double uniform(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state >> 11) / 9007199254740992.0;
}

static void die(const char *what)
{
    perror(what);
    exit(1);
}

/* mu_s and mu_a in 1/cm by depth */
static void medium(double z, double *ms, double *ma)
{
    if (z < 0.2)      { *ms = 60.0; *ma = 0.8; }
    else if (z < 0.9) { *ms = 35.0; *ma = 2.5; }
    else              { *ms = 90.0; *ma = 1.2; }
}

/* returns the bin of absorption, or -1 when the photon escapes */
static int follow(double thickness, int *nscat)
{
    double z = 0.0, mu = 1.0;
    *nscat = 0;
    for (;;) {
        double ms, ma;
        medium(z, &ms, &ma);
        z += mu * -log(uniform() + 1e-300) / (ms + ma);
        if (z < 0.0 || z >= thickness)
            return -1;
        medium(z, &ms, &ma);
        if (uniform() < ma / (ms + ma))
            return (int)(z / thickness * NBIN);
        double g = 0.6, f = (1 - g * g) / (1 - g + 2 * g * uniform());
        double c = (1 + g * g - f * f) / (2 * g);
        double s = sqrt(fmax(0.0, 1 - c * c)) * sqrt(fmax(0.0, 1 - mu * mu));
        mu = mu * c + s * cos(6.283185307179586 * uniform());
        if (mu > 1) mu = 1;
        if (mu < -1) mu = -1;
        ++*nscat;
    }
}

static void hold(int fd, short how)
{
    struct flock region = { .l_type = how, .l_whence = SEEK_SET, .l_start = 0, .l_len = 0 };
    if (fcntl(fd, F_SETLKW, &region) < 0)
        die("fcntl");
}

static void worker(int rank, long photons, const char *path)
{
    static Tally mine[NBIN], t[NBIN];
    int fd = open(path, O_RDWR);
    if (fd < 0) die(path);
    state = 0x9E3779B97F4A7C15ull * (uint64_t)(rank + 11);
    for (long i = 0; i < photons; i++) {
        int nscat, bin = follow(1.6, &nscat);
        if (bin >= 0) {
            mine[bin].hits += 1;
            mine[bin].scatters += nscat;
        }
    }
    hold(fd, F_WRLCK);
    if (pread(fd, t, sizeof t, 0) != sizeof t) die("pread");
    for (int i = 0; i < NBIN; i++) {
        t[i].hits += mine[i].hits;
        t[i].scatters += mine[i].scatters;
    }
    if (pwrite(fd, t, sizeof t, 0) != sizeof t) die("pwrite");
    hold(fd, F_UNLCK);
    close(fd);
}

int main(int argc, char **argv)
{
    long photons = argc > 1 ? atol(argv[1]) : 300000;
    const char *path = "absorbed.tally";
    static Tally all[NBIN];
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0644);
    if (fd < 0 || write(fd, all, sizeof all) != sizeof all) die(path);
    for (int r = 0; r < NWORK; r++) {
        pid_t p = fork();
        if (p < 0) die("fork");
        if (p == 0) {
            worker(r, photons, path);
            _exit(0);
        }
    }
    int st, bad = 0;
    while (wait(&st) > 0)
        bad |= st;
    if (pread(fd, all, sizeof all, 0) != sizeof all) die("pread");
    close(fd);
    uint64_t hits = 0, scat = 0;
    double depth = 0;
    for (int i = 0; i < NBIN; i++) {
        hits += all[i].hits;
        scat += all[i].scatters;
        depth += (i + 0.5) / NBIN * 1.6 * all[i].hits;
    }
    printf("absorbed %.6f  mean depth %.6f cm  scatterings %.4f\n",
           (double)hits / (photons * NWORK), depth / hits, (double)scat / hits);
    return bad != 0;
}
