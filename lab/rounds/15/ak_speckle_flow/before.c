/*
 * Laser speckle contrast imaging of skin blood flow.
 *
 * Synthetic speckle patterns (exponential intensity, blurred in time by the
 * local flow) are turned into contrast K = sigma/mean on sliding 3x3 windows.
 * The contrast rows go to the film file of the recorder, one block of
 * 4096 byte per image row.
 *
 * usage: speckle <frames>
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WIDTH  1024
#define HEIGHT 256
#define BLOCK  4096
#define HALF   1

static uint64_t rng_state = 88172645463325252ULL;

static double uniform(void)
{
    rng_state ^= rng_state << 13;
    rng_state ^= rng_state >> 7;
    rng_state ^= rng_state << 17;
    return ((rng_state >> 11) + 0.5) / 9007199254740992.0;
}

/* flow profile: two vessels crossing the field of view */
static double flow(int x, int y)
{
    double a = (y - 80 - 0.05 * x) / 9.0, b = (x - 640 + 0.4 * y) / 14.0;
    return 0.15 + 0.9 * exp(-a * a) + 0.6 * exp(-b * b);
}

static void expose(float *img, const float *prev, const float *keep)
{
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            int i = y * WIDTH + x;
            img[i] = keep[i] * prev[i] - (1.0f - keep[i]) * log(uniform());
        }
}

static void contrast_row(const float *img, int y, float *row)
{
    for (int x = 0; x < WIDTH; x++) {
        double s = 0, q = 0;
        int n = 0;
        for (int dy = -HALF; dy <= HALF; dy++)
            for (int dx = -HALF; dx <= HALF; dx++) {
                int yy = y + dy, xx = x + dx;
                if (yy < 0 || xx < 0 || yy >= HEIGHT || xx >= WIDTH)
                    continue;
                double v = img[yy * WIDTH + xx];
                s += v;
                q += v * v;
                n++;
            }
        double m = s / n, var = q / n - m * m;
        row[x] = var > 0 ? sqrt(var) / m : 0.0;
    }
}

static void store_row(int fd, const void *row)
{
    if (write(fd, row, BLOCK) != BLOCK) {
        perror("film.raw");
        exit(1);
    }
}

int main(int argc, char **argv)
{
    int frames = argc > 1 ? atoi(argv[1]) : 20;
    size_t cells = (size_t)WIDTH * HEIGHT;
    float *img = malloc(cells * sizeof *img), *prev = malloc(cells * sizeof *prev);
    float *keep = malloc(cells * sizeof *keep), *row;
    double total = 0;

    if (posix_memalign((void **)&row, BLOCK, BLOCK))
        return 1;
    for (size_t i = 0; i < cells; i++) {
        prev[i] = 1.0f;
        keep[i] = 1.0 / (1.0 + 3.0 * flow(i % WIDTH, i / WIDTH));
    }

    int fd = open("film.raw", O_WRONLY | O_CREAT | O_TRUNC | O_DIRECT, 0644);
    if (fd < 0) {
        perror("film.raw");
        return 1;
    }
    for (int f = 0; f < frames; f++) {
        expose(img, prev, keep);
        for (int y = 0; y < HEIGHT; y++) {
            contrast_row(img, y, row);
            for (int x = 0; x < WIDTH; x += 16)
                total += row[x];
            store_row(fd, row);
        }
        float *t = img;
        img = prev;
        prev = t;
    }
    close(fd);
    printf("mean contrast %.5f\n", total / ((double)frames * HEIGHT * WIDTH / 16));
    free(img);
    free(prev);
    free(keep);
    free(row);
    return 0;
}
