/* Aperture photometry on one raw CCD frame (4096 x 8192, 16 bit, no header).
 * The star list is ordered by row, as it comes from the astrometry step.
 *
 * usage: phot STARS
 */
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define ROWS 4096
#define COLS 8192
#define RAD  5                       /* aperture */
#define SKY  8                       /* outer radius of the sky annulus */
#define GAIN 1.7

struct star { float x, y; };
struct flux { double counts, error, sky; };

static struct star *star_list(int n)
{
    struct star *s = malloc(n * sizeof *s);
    uint64_t r = 88172645463325252ULL;
    for (int i = 0; i < n; i++) {
        r ^= r << 13; r ^= r >> 7; r ^= r << 17;
        s[i].x = SKY + 1 + (r >> 40) % (COLS - 2 * SKY - 2) + (r & 255) / 256.0f;
        s[i].y = SKY + 1 + (double)i / n * (ROWS - 2 * SKY - 2);
    }
    return s;
}

static int pixel(const uint16_t *p) { return 200 + (*p & 0x3ff); }

/* strip: image rows of this star, starting at image row `top` */
static struct flux measure(const uint16_t *strip, int top, const struct star *s)
{
    int cx = (int)s->x, cy = (int)s->y, n_ap = 0, n_sky = 0;
    double ap = 0, sky = 0;
    struct flux f;
    for (int y = cy - SKY; y <= cy + SKY; y++)
        for (int x = cx - SKY; x <= cx + SKY; x++) {
            double dx = x - s->x, dy = y - s->y, r2 = dx * dx + dy * dy;
            int v = pixel(strip + (size_t)(y - top) * COLS + x);
            if (r2 <= RAD * RAD) { ap += v; n_ap++; }
            else if (r2 <= SKY * SKY) { sky += v; n_sky++; }
        }
    f.sky = sky / n_sky;
    f.counts = ap - n_ap * f.sky;
    f.error = sqrt((fabs(f.counts) + n_ap * f.sky) / GAIN);
    return f;
}

static struct flux photometry(const uint16_t *frame, const struct star *s)
{
    int top = (int)s->y - SKY;
    return measure(frame + (size_t)top * COLS, top, s);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 120000;
    struct star *stars = star_list(n);
    double sum = 0, sky = 0, chi = 0;
    int fd = open("frame.raw", O_RDONLY);
    if (fd < 0) { perror("frame.raw"); return 1; }
    size_t bytes = (size_t)ROWS * COLS * sizeof(uint16_t);
    const uint16_t *frame = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, 0);
    if (frame == MAP_FAILED) { perror("mmap"); exit(1); }
    FILE *out = fopen("phot.dat", "wb");
    for (int i = 0; i < n; i++) {
        struct flux f = photometry(frame, &stars[i]);
        fwrite(&f, sizeof f, 1, out);
        sum += f.counts;
        sky += f.sky;
        chi += f.counts * f.counts / (f.error * f.error);
    }
    fclose(out);
    munmap((void *)frame, bytes);
    close(fd);
    printf("%d stars  mean counts %.4f  sky %.4f  chi2/n %.5f\n", n, sum / n, sky / n, chi / n);
    free(stars);
    return 0;
}
