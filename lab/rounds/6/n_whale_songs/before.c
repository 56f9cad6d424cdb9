/* Measure the energy and zero crossings of whale clicks in a hydrophone recording. */
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define WINDOW 96

struct recording {
    int fd;
    off_t samples;
};

struct click {
    float energy;
    float peak;
    int32_t crossings;
    int32_t second;
};

static struct recording open_recording(const char *name)
{
    struct recording r;
    struct stat st;
    r.fd = open(name, O_RDONLY);
    if (r.fd < 0 || fstat(r.fd, &st) != 0) {
        perror(name);
        exit(1);
    }
    r.samples = st.st_size / (off_t)sizeof(int16_t);
    return r;
}

static void describe(const int16_t *sample, struct click *c)
{
    double energy = 0.0;
    int peak = 0, crossings = 0;
    for (int i = 0; i < WINDOW; i++) {
        int v = sample[i];
        energy += (double)v * v;
        if (abs(v) > peak)
            peak = abs(v);
        if (i > 0 && (sample[i - 1] < 0) != (v < 0))
            crossings++;
    }
    c->energy = sqrt(energy / WINDOW);
    c->peak = peak;
    c->crossings = crossings;
}

static void measure_click(const struct recording *r, off_t first, struct click *c)
{
    off_t byte = first * (off_t)sizeof(int16_t);
    off_t page = byte & ~(off_t)4095;
    size_t span = (size_t)(byte - page) + WINDOW * sizeof(int16_t);
    char *view = mmap(NULL, span, PROT_READ, MAP_SHARED, r->fd, page);
    if (view == MAP_FAILED) {
        perror("mmap");
        exit(1);
    }
    describe((const int16_t *)(view + (byte - page)), c);
    munmap(view, span);
}

int main(int argc, char **argv)
{
    int spacing = argc > 1 ? atoi(argv[1]) : 80;
    struct recording r = open_recording("hydrophone.raw");
    long room = r.samples / spacing;
    struct click *clicks = calloc(room, sizeof *clicks);
    long n = 0, loud = 0;
    for (off_t at = 0; at + WINDOW <= r.samples && n < room; at += spacing) {
        measure_click(&r, at, &clicks[n]);
        clicks[n].second = (int32_t)(at / 96000);
        if (clicks[n].energy > 19500.0f)
            loud++;
        n++;
    }
    FILE *out = fopen("clicks.bin", "wb");
    if (!out || fwrite(clicks, sizeof *clicks, n, out) != (size_t)n) {
        perror("clicks.bin");
        return 1;
    }
    fclose(out);
    printf("%ld clicks, %ld loud\n", n, loud);
    free(clicks);
    close(r.fd);
    return 0;
}
