/* Look for bright spots on a 16 bit microscope plate: local background
 * statistics for each candidate position, then a list of the detections. */
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define HEADER_BYTES 4096
#define HALF_WINDOW 8
#define STEP 32

struct plate {
    int fd;
    uint32_t width, height;
};

struct spot {
    uint32_t x, y;
    double contrast;
};

static void open_plate(struct plate *p, const char *path)
{
    uint32_t header[4];
    p->fd = open(path, O_RDONLY);
    if (p->fd < 0 || pread(p->fd, header, sizeof header, 0) != (ssize_t)sizeof header) {
        perror(path);
        exit(1);
    }
    if (memcmp(header, "RAW2", 4) != 0) {
        fprintf(stderr, "%s: not a raw plate\n", path);
        exit(1);
    }
    p->width = header[1];
    p->height = header[2];
}

/* statistics of the strip of the given row around column x */
static void strip_stats(const struct plate *p, uint32_t x, uint32_t y,
                        double *mean, double *sd, uint16_t *peak)
{
    long page = sysconf(_SC_PAGESIZE);
    off_t want = HEADER_BYTES + ((off_t)y * p->width + x - HALF_WINDOW) * 2;
    off_t start = want / page * page;
    size_t length = (size_t)(want - start) + 2 * (2 * HALF_WINDOW + 1);
    char *base = mmap(NULL, length, PROT_READ, MAP_SHARED, p->fd, start);
    if (base == MAP_FAILED) {
        perror("mmap");
        exit(1);
    }
    const uint16_t *pixel = (const uint16_t *)(base + (want - start));
    double sum = 0, sum2 = 0;
    uint16_t top = 0;
    for (int i = 0; i < 2 * HALF_WINDOW + 1; i++) {
        sum += pixel[i];
        sum2 += (double)pixel[i] * pixel[i];
        if (pixel[i] > top)
            top = pixel[i];
    }
    munmap(base, length);
    int n = 2 * HALF_WINDOW + 1;
    *mean = sum / n;
    *sd = sqrt(fmax(sum2 / n - *mean * *mean, 0));
    *peak = top;
}

int main(int argc, char **argv)
{
    uint32_t row_step = argc > 1 ? (uint32_t)atoi(argv[1]) : 2;
    struct plate plate;
    open_plate(&plate, "plate_0042.raw");
    size_t capacity = 1024, count = 0;
    struct spot *spots = malloc(capacity * sizeof *spots);
    double background = 0;
    long strips = 0;
    for (uint32_t y = 0; y < plate.height; y += row_step)
        for (uint32_t x = HALF_WINDOW; x + HALF_WINDOW < plate.width; x += STEP) {
            double mean, sd;
            uint16_t peak;
            strip_stats(&plate, x, y, &mean, &sd, &peak);
            background += mean;
            strips++;
            if (peak > mean + 3.5 * sd && peak > 500) {
                if (count == capacity)
                    spots = realloc(spots, (capacity *= 2) * sizeof *spots);
                spots[count++] = (struct spot){x, y, (peak - mean) / (sd + 1)};
            }
        }
    double best = 0;
    for (size_t i = 0; i < count; i++)
        best = fmax(best, spots[i].contrast);
    printf("%ld strips, background %.4f, %zu spots, best contrast %.4f\n",
           strips, background / strips, count, best);
    free(spots);
    close(plate.fd);
    return 0;
}
