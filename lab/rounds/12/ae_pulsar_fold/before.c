/* Search for a pulsar: the series of one beam is folded with a set of trial
 * periods, and the pulse profile that departs most from a flat one wins. */
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define NBIN 64
#define MAXTRIAL 256

typedef struct {
    const uint8_t *x;
    size_t n;
} series;

typedef struct {
    double period, phase_step;
    uint64_t acc;                       /* phase as a 64-bit fraction */
    uint64_t inc;
    double sum[NBIN];
    double cnt[NBIN];
} fold;

static int series_map(series *s, const char *path)
{
    struct stat st;
    int fd = open(path, O_RDONLY);
    if (fd < 0 || fstat(fd, &st))
        return -1;
    s->n = st.st_size;
    s->x = mmap(NULL, s->n, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (s->x == MAP_FAILED)
        return -1;
    madvise((void *)s->x, s->n, MADV_SEQUENTIAL);
    return 0;
}

static void series_unmap(series *s)
{
    munmap((void *)s->x, s->n);
}

static void fold_init(fold *f, double period)
{
    memset(f, 0, sizeof *f);
    f->period = period;
    f->inc = (uint64_t)(18446744073709551615.0 / period);
}

/* a stretch of the series goes to one trial */
static void fold_add(fold *f, const uint8_t *x, size_t n)
{
    uint64_t acc = f->acc;
    for (size_t i = 0; i < n; i++) {
        unsigned b = acc >> 58;
        f->sum[b] += x[i];
        f->cnt[b] += 1;
        acc += f->inc;
    }
    f->acc = acc;
}

static double chi2(const fold *f, double mean, double var)
{
    double c = 0;
    for (int b = 0; b < NBIN; b++)
        if (f->cnt[b] > 0) {
            double d = f->sum[b] / f->cnt[b] - mean;
            c += d * d * f->cnt[b] / var;
        }
    return c / (NBIN - 1);
}

static void moments(const series *s, double *mean, double *var)
{
    double a = 0, q = 0;
    for (size_t i = 0; i < s->n; i++) {
        a += s->x[i];
        q += (double)s->x[i] * s->x[i];
    }
    *mean = a / s->n;
    *var = q / s->n - *mean * *mean;
}

static void search(const series *s, fold *trial, int ntrial)
{
    const size_t stretch = 1 << 16;
    for (size_t at = 0; at < s->n; at += stretch) {
        size_t n = s->n - at < stretch ? s->n - at : stretch;
        for (int k = 0; k < ntrial; k++)
            fold_add(&trial[k], s->x + at, n);
    }
}

int main(int argc, char **argv)
{
    int ntrial = argc > 1 ? atoi(argv[1]) : 48;
    static fold trial[MAXTRIAL];
    series s;
    double mean, var;
    if (ntrial < 1 || ntrial > MAXTRIAL || series_map(&s, "beam.fil")) {
        perror("beam.fil");
        return 1;
    }
    for (int k = 0; k < ntrial; k++)
        fold_init(&trial[k], 731.37 + 0.01 * (k - ntrial / 2));
    moments(&s, &mean, &var);
    search(&s, trial, ntrial);
    int best = 0;
    for (int k = 1; k < ntrial; k++)
        if (chi2(&trial[k], mean, var) > chi2(&trial[best], mean, var))
            best = k;
    printf("best period %.3f samples, reduced chi2 %.3f\n", trial[best].period, chi2(&trial[best], mean, var));
    series_unmap(&s);
    return 0;
}
