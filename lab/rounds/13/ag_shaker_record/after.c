/* Shaker table recorder: response of a 3-storey frame to base excitation.
 *
 * The model (3 masses, Rayleigh damping, Newmark-beta) takes the place of the
 * rig.  Samples of 8 channels go to shaker.rec in blocks of 4 KiB:
 *    u32 magic, u32 block number, u32 samples, u32 crc, then the samples
 *
 * usage: shaker BLOCKS
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHANNELS 8
#define BLOCK    4096
#define PER_BLOCK ((BLOCK - 16) / (CHANNELS * (int)sizeof(float)))
#define MAGIC    0x53484b52u
#define GATHER   (1 << 20)           /* bytes in one request */

static unsigned char *gather;
static size_t gathered;

struct frame { double u[3], v[3], a[3]; double t; };

static const double mass[3] = { 2400, 2200, 1800 };
static const double stiff[3] = { 4.1e6, 3.6e6, 2.9e6 };

static double ground(double t)
{
    double sweep = 0.5 + 0.02 * t;
    return 1.2 * sin(2 * M_PI * sweep * t) * (1 - exp(-t));
}

/* accelerations by Gauss-Seidel on the implicit step */
static void advance(struct frame *f, double dt)
{
    const double beta = 0.25, gamma = 0.5, alpha = 0.4, bk = 0.002;
    double un[3], vn[3], an[3] = { f->a[0], f->a[1], f->a[2] };
    double ag = ground(f->t + dt);
    for (int it = 0; it < 3; it++) {
        for (int i = 0; i < 3; i++) {
            un[i] = f->u[i] + dt * f->v[i] + dt * dt * ((0.5 - beta) * f->a[i] + beta * an[i]);
            vn[i] = f->v[i] + dt * ((1 - gamma) * f->a[i] + gamma * an[i]);
        }
        for (int i = 0; i < 3; i++) {
            double below = i ? un[i - 1] : 0, vbelow = i ? vn[i - 1] : 0;
            double force = -stiff[i] * ((un[i] - below) + bk * (vn[i] - vbelow));
            if (i < 2)
                force += stiff[i + 1] * ((un[i + 1] - un[i]) + bk * (vn[i + 1] - vn[i]));
            an[i] = force / mass[i] - alpha * vn[i] - ag;
        }
    }
    memcpy(f->u, un, sizeof un);
    memcpy(f->v, vn, sizeof vn);
    memcpy(f->a, an, sizeof an);
    f->t += dt;
}

static uint32_t checksum(const unsigned char *p, int n)
{
    uint32_t s = 1, r = 0;
    for (int i = 0; i < n; i++) { s += p[i]; r += s; }
    return (r % 65521) << 16 | s % 65521;
}

static void fill_block(unsigned char *block, struct frame *f, uint32_t number, double *peak)
{
    uint32_t head[4] = { MAGIC, number, PER_BLOCK, 0 };
    float *s = (float *)(block + 16);
    for (int k = 0; k < PER_BLOCK; k++, s += CHANNELS) {
        advance(f, 0.002);
        s[0] = f->t; s[1] = ground(f->t);
        for (int i = 0; i < 3; i++) { s[2 + i] = f->u[i]; s[5 + i] = f->a[i]; }
        if (fabs(f->u[2]) > *peak) *peak = fabs(f->u[2]);
    }
    head[3] = checksum(block + 16, BLOCK - 16);
    memcpy(block, head, sizeof head);
}

static int recorder_open(const char *name)
{
    return open(name, O_CREAT | O_TRUNC | O_WRONLY | O_DIRECT, 0644);
}

static int recorder_flush(int fd)
{
    ssize_t n = (ssize_t)gathered;
    gathered = 0;
    return write(fd, gather, n) == n ? 0 : -1;
}

static int recorder_put(int fd, const unsigned char *block)
{
    memcpy(gather + gathered, block, BLOCK);
    gathered += BLOCK;
    return gathered == GATHER ? recorder_flush(fd) : 0;
}

int main(int argc, char **argv)
{
    int blocks = argc > 1 ? atoi(argv[1]) : 12000;
    unsigned char *block;
    struct frame f;
    double peak = 0;
    memset(&f, 0, sizeof f);
    if (posix_memalign((void **)&block, 4096, BLOCK)) return 1;
    if (posix_memalign((void **)&gather, 4096, GATHER)) return 1;
    memset(block, 0, BLOCK);
    int fd = recorder_open("shaker.rec");
    if (fd < 0) { perror("shaker.rec"); return 1; }
    for (int b = 0; b < blocks; b++) {
        fill_block(block, &f, b, &peak);
        if (recorder_put(fd, block)) { perror("write"); return 1; }
    }
    if (gathered && recorder_flush(fd)) { perror("write"); return 1; }
    close(fd);
    printf("%d blocks, %.1f s of record, peak drift of the roof %.5f m\n", blocks, f.t, peak);
    return 0;
}
