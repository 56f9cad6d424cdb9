/* Compare pairs of seismometer wave forms: cross correlation over a range of
 * lags, the pairs shared out to threads. */
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define NSAMP 1024
#define MAXLAG 200
#define NTHREAD 3

struct task {
    int fd, first, last, nwave;
    double score;
    int best_lag;
};

static uint64_t mix(uint64_t v)
{
    v += 0x9e3779b97f4a7c15ULL;
    v = (v ^ (v >> 30)) * 0xbf58476d1ce4e5b9ULL;
    v = (v ^ (v >> 27)) * 0x94d049bb133111ebULL;
    return v ^ (v >> 31);
}

static void get_waveform(int fd, int number, float *wave)
{
    int16_t raw[NSAMP];
    if (pread(fd, raw, sizeof raw, (off_t)number * sizeof raw) != (ssize_t)sizeof raw) {
        perror("waveforms.i2");
        exit(1);
    }
    double mean = 0;
    for (int i = 0; i < NSAMP; i++)
        mean += raw[i];
    mean /= NSAMP;
    for (int i = 0; i < NSAMP; i++)
        wave[i] = (float)(raw[i] - mean);
}

static double correlate(const float *a, const float *b, int *lag)
{
    double best = -1;
    for (int l = -MAXLAG; l <= MAXLAG; l++) {
        double ab = 0, aa = 1e-9, bb = 1e-9;
        for (int i = MAXLAG; i < NSAMP - MAXLAG; i++) {
            double x = a[i], y = b[i + l];
            ab += x * y;
            aa += x * x;
            bb += y * y;
        }
        double c = ab / sqrt(aa * bb);
        if (c > best) {
            best = c;
            *lag = l;
        }
    }
    return best;
}

static void *compare_pairs(void *arg)
{
    struct task *t = arg;
    float a[NSAMP], b[NSAMP];
    for (int p = t->first; p < t->last; p++) {
        int lag = 0;
        get_waveform(t->fd, mix(2 * p) % t->nwave, a);
        get_waveform(t->fd, mix(2 * p + 1) % t->nwave, b);
        double c = correlate(a, b, &lag);
        t->score += c;
        if (c > 0.9)
            t->best_lag += lag;
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int npair = argc > 1 ? atoi(argv[1]) : 8000;
    int fd = open("waveforms.i2", O_RDONLY);
    if (fd < 0) {
        perror("waveforms.i2");
        return 1;
    }
    int nwave = (int)(lseek(fd, 0, SEEK_END) / (NSAMP * 2));
    pthread_t thread[NTHREAD];
    struct task task[NTHREAD];
    for (int k = 0; k < NTHREAD; k++) {
        task[k] = (struct task){fd, npair * k / NTHREAD, npair * (k + 1) / NTHREAD, nwave, 0, 0};
        pthread_create(&thread[k], NULL, compare_pairs, &task[k]);
    }
    double score = 0;
    for (int k = 0; k < NTHREAD; k++) {
        pthread_join(thread[k], NULL);
        score += task[k].score;
    }
    printf("%d pairs of %d wave forms, mean correlation %.6f\n", npair, nwave, score / npair);
    close(fd);
    return 0;
}
