/* ws_rays: turns the sweeps of a radar volume (one byte per range bin) into
 * rain-rate rays, run-length packs them and appends them to the product file
 * that the composite process follows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
#include <math.h>
#include <fcntl.h>
#include <unistd.h>
#include <sys/uio.h>

#define BINS 480

struct sweep_hdr { char magic[4]; uint16_t rays, bins; float elev; uint32_t time; };
struct ray_hdr { uint16_t sweep, azimuth, packed, crc; float sum; };

static uint16_t lut[256];

static void make_lut(double a, double b)
{
    for (int i = 0; i < 256; i++) {
        double dbz = i * 0.5 - 32.5;
        double z = pow(10.0, dbz / 10.0);
        lut[i] = (uint16_t)fmin(65535.0, 100.0 * pow(z / a, 1.0 / b));
    }
}

static int product_open(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (fd < 0) { perror(path); exit(1); }
    return fd;
}

static int product_close(int fd)
{
    if (fdatasync(fd)) return -1;
    return close(fd);
}

static uint16_t crc16(const unsigned char *p, size_t n)
{
    uint16_t c = 0xffff;
    while (n--) {
        c ^= (uint16_t)(*p++ << 8);
        for (int k = 0; k < 8; k++) c = (uint16_t)(c & 0x8000 ? (c << 1) ^ 0x1021 : c << 1);
    }
    return c;
}

static int pack(const unsigned char *raw, unsigned char *out, float *sum)
{
    int n = 0;
    double s = 0;
    for (int i = 0; i < BINS; ) {
        uint16_t v = lut[raw[i]];
        int run = 1;
        while (i + run < BINS && run < 255 && lut[raw[i + run]] == v) run++;
        out[n++] = (unsigned char)run;
        out[n++] = (unsigned char)(v >> 8);
        out[n++] = (unsigned char)v;
        s += (double)run * v * (i + 1);
        i += run;
    }
    *sum = (float)s;
    return n;
}

static int put_ray(int fd, struct ray_hdr *h, unsigned char *data)
{
    struct iovec v[2] = { { h, sizeof *h }, { data, h->packed } };
    return writev(fd, v, 2) == (ssize_t)(sizeof *h + h->packed) ? 0 : -1;
}

int main(int argc, char **argv)
{
    struct sweep_hdr sh;
    unsigned char raw[BINS], out[3 * BINS];
    long rays = 0, bytes = 0, sweep = 0;
    double total = 0;
    if (argc < 3) { fprintf(stderr, "usage: %s volume product\n", argv[0]); return 2; }
    FILE *in = fopen(argv[1], "rb");
    if (!in) { perror(argv[1]); return 1; }
    int fd = product_open(argv[2]);
    make_lut(256.0, 1.42);
    while (fread(&sh, sizeof sh, 1, in) == 1) {
        if (memcmp(sh.magic, "SWP1", 4) || sh.bins != BINS) { fprintf(stderr, "bad sweep %ld\n", sweep); return 1; }
        for (int az = 0; az < sh.rays; az++) {
            struct ray_hdr rh = { (uint16_t)sweep, (uint16_t)az, 0, 0, 0 };
            if (fread(raw, 1, BINS, in) != BINS) { fprintf(stderr, "short sweep %ld\n", sweep); return 1; }
            rh.packed = (uint16_t)pack(raw, out, &rh.sum);
            rh.crc = crc16(out, rh.packed);
            if (put_ray(fd, &rh, out)) { perror("product"); return 1; }
            total += rh.sum; rays++; bytes += (long)sizeof rh + rh.packed;
        }
        printf("sweep %2ld elevation %4.1f rays %d\n", sweep, sh.elev, sh.rays);
        sweep++;
    }
    if (product_close(fd)) { perror("product"); return 1; }
    fclose(in);
    printf("%ld rays, %ld bytes, total %.6g\n", rays, bytes, total);
    return 0;
}
