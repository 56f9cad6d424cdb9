/* Averaged power spectrum from randomly chosen windows of a long record. */
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define WINDOW 2048

static uint64_t state = 0x9e3779b97f4a7c15ULL;

static uint64_t next_random(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static int make_record(const char *path, long n)
{
    FILE *f = fopen(path, "wb");
    float *chunk = malloc(WINDOW * sizeof *chunk);
    if (!f || !chunk)
        return -1;
    for (long i = 0; i < n; i += WINDOW) {
        for (int k = 0; k < WINDOW; k++) {
            double t = (double)(i + k);
            chunk[k] = (float)(sin(0.11 * t) + 0.5 * sin(0.37 * t))
                     + (float)(next_random() % 1000) * 1e-3f;
        }
        fwrite(chunk, sizeof *chunk, WINDOW, f);
    }
    fclose(f);
    free(chunk);
    return 0;
}

static void add_spectrum(const float *x, double *power)
{
    static double c[WINDOW], s[WINDOW];
    if (c[0] == 0.0)
        for (int k = 0; k < WINDOW; k++) {
            c[k] = cos(2.0 * M_PI * k / WINDOW);
            s[k] = sin(2.0 * M_PI * k / WINDOW);
        }
    for (int f = 0; f < WINDOW / 2; f++) {
        double re = 0.0, im = 0.0;
        for (int k = 0; k < WINDOW; k++) {
            int ph = (f * k) & (WINDOW - 1);
            re += x[k] * c[ph];
            im -= x[k] * s[ph];
        }
        power[f] += re * re + im * im;
    }
}

int main(int argc, char **argv)
{
    int windows = argc > 1 ? atoi(argv[1]) : 800;
    long n = 1L << 19;
    double power[WINDOW / 2] = {0};
    float x[WINDOW];
    if (make_record("record.f32", n) != 0) {
        perror("record.f32");
        return 1;
    }
    int fd = open("record.f32", O_RDONLY);
    if (fd < 0)
        return 1;
    for (int w = 0; w < windows; w++) {
        long start = (long)(next_random() % (uint64_t)(n - WINDOW));
        lseek(fd, start * (long)sizeof(float), SEEK_SET);
        if (read(fd, x, sizeof x) != (ssize_t)sizeof x) {
            perror("read");
            return 1;
        }
        add_spectrum(x, power);
    }
    close(fd);
    int peak = 1;
    for (int f = 2; f < WINDOW / 2; f++)
        if (power[f] > power[peak])
            peak = f;
    printf("peak at bin %d, power %.6e\n", peak, power[peak] / windows);
    return 0;
}
