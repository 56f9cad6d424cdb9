/* Extended depth of field: of a focus series keep for each pixel the slice
 * with the highest local contrast. */
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define WIDTH 1024
#define HEIGHT 1024
#define R 5

typedef uint16_t slice_t[HEIGHT][WIDTH];

static const slice_t *map_series(const char *path, int *nslice)
{
    struct stat st;
    int fd = open(path, O_RDONLY);
    if (fd < 0 || fstat(fd, &st) != 0) {
        perror(path);
        exit(1);
    }
    void *base = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (base == MAP_FAILED) {
        perror("mmap");
        exit(1);
    }
    madvise(base, st.st_size, MADV_SEQUENTIAL);
    close(fd);
    *nslice = (int)(st.st_size / sizeof(slice_t));
    return base;
}

static float local_contrast(const slice_t s, int y, int x)
{
    float sum = 0, sum2 = 0;
    for (int j = -R; j <= R; j++)
        for (int i = -R; i <= R; i++) {
            float v = s[y + j][x + i];
            sum += v;
            sum2 += v * v;
        }
    float n = (2 * R + 1) * (2 * R + 1);
    return sqrtf(fmaxf(sum2 / n - sum / n * (sum / n), 0)) / (sum / n + 1);
}

static void save_pgm(const char *path, const uint16_t *image)
{
    FILE *fp = fopen(path, "wb");
    if (!fp) {
        perror(path);
        exit(1);
    }
    fprintf(fp, "P5\n%d %d\n65535\n", WIDTH, HEIGHT);
    for (int y = 0; y < HEIGHT; y++) {
        unsigned char line[2 * WIDTH];
        for (int x = 0; x < WIDTH; x++) {
            uint16_t v = image[y * WIDTH + x];
            line[2 * x] = v >> 8;
            line[2 * x + 1] = v & 255;
        }
        fwrite(line, sizeof line, 1, fp);
    }
    fclose(fp);
}

int main(void)
{
    int nslice;
    const slice_t *series = map_series("stack.img", &nslice);
    uint16_t *sharp = calloc(WIDTH * HEIGHT, sizeof *sharp);
    float *best = calloc(WIDTH * HEIGHT, sizeof *best);
    long used[64] = { 0 };
    for (int z = 0; z < nslice; z++)
        for (int y = R; y < HEIGHT - R; y++)
            for (int x = R; x < WIDTH - R; x++) {
                float c = local_contrast(series[z], y, x);
                int p = y * WIDTH + x;
                if (c > best[p]) {
                    best[p] = c;
                    sharp[p] = series[z][y][x];
                    used[z & 63]++;
                }
            }
    save_pgm("sharp.pgm", sharp);
    for (int z = 0; z < nslice && z < 64; z += 5)
        printf("slice %d taken %ld times\n", z, used[z]);
    munmap((void *)series, nslice * sizeof(slice_t));
    return 0;
}
