/* Matched filter: slide a template along a day of one component and list
 * the windows whose correlation passes the threshold. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define NT 128

struct day {
    int fd;
    size_t samples;
    size_t bytes;
    const float *base;
};

struct hit {
    size_t at;
    double cc;
};

static void day_open(struct day *d, const char *path)
{
    struct stat st;
    d->fd = open(path, O_RDONLY);
    if (d->fd < 0 || fstat(d->fd, &st) < 0) {
        perror(path);
        exit(1);
    }
    d->bytes = (size_t)st.st_size;
    d->samples = d->bytes / sizeof(float);
}

static void day_map(struct day *d)
{
    d->base = mmap(NULL, d->bytes, PROT_READ, MAP_SHARED, d->fd, 0);
    if (d->base == MAP_FAILED) {
        perror("mmap");
        exit(1);
    }
    madvise((void *)d->base, d->bytes, MADV_SEQUENTIAL);
}

static void load_template(const char *path, float *t)
{
    FILE *fp = fopen(path, "rb");
    if (!fp || fread(t, sizeof(float), NT, fp) != NT) {
        perror(path);
        exit(1);
    }
    fclose(fp);
    double m = 0, e = 0;
    for (int i = 0; i < NT; i++)
        m += t[i];
    m /= NT;
    for (int i = 0; i < NT; i++) {
        t[i] -= (float)m;
        e += t[i] * t[i];
    }
    for (int i = 0; i < NT; i++)
        t[i] /= (float)sqrt(e);
}

static double correlate(const float *x, const float *t)
{
    double s = 0, q = 0, m = 0;
    for (int i = 0; i < NT; i++) {
        s += x[i] * t[i];
        q += x[i] * x[i];
        m += x[i];
    }
    q -= m * m / NT;
    return q > 0 ? s / sqrt(q) : 0;
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "day.f32";
    size_t step = argc > 2 ? (size_t)atol(argv[2]) : 23;
    double threshold = argc > 3 ? atof(argv[3]) : 0.30;
    float t[NT];
    struct day d;
    struct hit best = {0, 0};
    size_t hits = 0, windows = 0;
    double sum = 0;

    load_template("template.f32", t);
    day_open(&d, path);
    day_map(&d);
    FILE *list = fopen("detections.txt", "w");
    if (!list) {
        perror("detections.txt");
        return 1;
    }

    for (size_t at = 0; at + NT <= d.samples; at += step) {
        double cc = correlate(d.base + at, t);
        windows++;
        sum += cc * cc;
        if (cc > threshold) {
            hits++;
            fprintf(list, "%zu %.4f\n", at, cc);
        }
        if (cc > best.cc) {
            best.cc = cc;
            best.at = at;
        }
    }
    fclose(list);
    munmap((void *)d.base, d.bytes);
    close(d.fd);
    printf("windows %zu rms %.6f\n", windows, sqrt(sum / (double)(windows ? windows : 1)));
    printf("detections %zu best %.5f at %zu\n", hits, best.cc, best.at);
    return 0;
}
