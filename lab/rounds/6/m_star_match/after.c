/* Photometric residuals of a night's detections against the reference catalogue.
 * detections.dat: star number of each detection in time order
 * catalogue.dat:  fixed-length star records */
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
    double ra, dec;
    float mag[8];
    int32_t flag[4];
} Star;

typedef struct {
    double sum, sum2;
    long n;
} Moments;

static int32_t *load_detections(const char *path, long *n)
{
    struct stat st;
    int fd = open(path, O_RDONLY);
    if (fd < 0 || fstat(fd, &st) != 0) {
        perror(path);
        exit(1);
    }
    int32_t *star = malloc(st.st_size);
    long done = 0;
    while (done < st.st_size) {
        ssize_t k = read(fd, (char *)star + done, st.st_size - done);
        if (k <= 0)
            exit(1);
        done += k;
    }
    close(fd);
    *n = st.st_size / (long)sizeof *star;
    return star;
}

static void fetch_magnitudes(int cat, const int32_t *star, long n, int band, float *mag,
                             float *dec)
{
    const long block = 16384;
    struct stat st;
    fstat(cat, &st);
    long nstar = st.st_size / (long)sizeof(Star);
    long *start = calloc(nstar + 2, sizeof *start);
    int32_t *order = malloc(n * sizeof *order);
    Star *s = malloc(block * sizeof *s);
    for (long i = 0; i < n; i++) {
        if (star[i] < 0 || star[i] >= nstar) {
            fprintf(stderr, "star %d is not in the catalogue\n", star[i]);
            exit(1);
        }
        start[star[i] + 2]++;
    }
    for (long k = 2; k <= nstar + 1; k++)
        start[k] += start[k - 1];
    for (long i = 0; i < n; i++)
        order[start[star[i] + 1]++] = (int32_t)i;
    for (long first = 0; first < nstar; first += block) {
        long count = nstar - first < block ? nstar - first : block;
        ssize_t bytes = count * (ssize_t)sizeof *s;
        if (pread(cat, s, bytes, (off_t)first * (off_t)sizeof *s) != bytes)
            exit(1);
        for (long q = start[first]; q < start[first + count]; q++) {
            const Star *one = &s[star[order[q]] - first];
            mag[order[q]] = one->mag[band];
            dec[order[q]] = (float)one->dec;
        }
    }
    free(s);
    free(order);
    free(start);
}

static void accumulate(Moments *m, double r)
{
    m->sum += r;
    m->sum2 += r * r;
    m->n++;
}

int main(int argc, char **argv)
{
    int band = argc > 1 ? atoi(argv[1]) : 3;
    long n;
    int32_t *star = load_detections("detections.dat", &n);
    float *mag = malloc(n * sizeof *mag), *dec = malloc(n * sizeof *dec);

    int cat = open("catalogue.dat", O_RDONLY);
    if (cat < 0) {
        perror("catalogue.dat");
        return 1;
    }
    fetch_magnitudes(cat, star, n, band, mag, dec);
    close(cat);

    Moments zone[18];
    memset(zone, 0, sizeof zone);
    for (long i = 0; i < n; i++) {
        int z = (int)((dec[i] + 90.0f) / 10.0f);
        if (z > 17)
            z = 17;
        double airmass = 1.0 / (0.2 + 0.8 * cos((dec[i] - 30.0) * M_PI / 360.0));
        accumulate(&zone[z], mag[i] - 18.0 - 0.12 * airmass);
    }
    for (int z = 0; z < 18; z++) {
        double mean = zone[z].sum / zone[z].n;
        printf("%4d %8ld %10.6f %10.6f\n", -90 + 10 * z, zone[z].n, mean,
               sqrt(zone[z].sum2 / zone[z].n - mean * mean));
    }
    free(star);
    free(mag);
    free(dec);
    return 0;
}
