/* Converts a synthetic pressure gauge series to a record file of
 * half-overlapping burst statistics (significant height, period, setup). */
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define BURST 64

typedef struct {
    int64_t time_ms;
    float height, period, setup, crest;
    float moments[4];
    uint32_t quality, pad[3];
} BurstRecord;

typedef struct {
    int fd;
    int64_t nrec;
} RecordFile;

static void sample_series(float *eta, long start, int n)
{
    static uint32_t seed = 2463534242u;
    for (int i = 0; i < n; i++) {
        seed ^= seed << 13;
        seed ^= seed >> 17;
        seed ^= seed << 5;
        double phase = fmod((double)(start + i) * 0.097, 6.283185307);
        double swell = phase - 3.14159;
        eta[i] = (float)(swell * (1.0 - 0.1 * swell * swell) + ((seed >> 8) / 16777216.0 - 0.5));
    }
}

static BurstRecord burst_statistics(const float *eta, int n, int64_t when)
{
    BurstRecord r = {0};
    double m1 = 0, m2 = 0, m3 = 0, m4 = 0;
    int crossings = 0;
    for (int i = 0; i < n; i++)
        m1 += eta[i];
    m1 /= n;
    for (int i = 0; i < n; i++) {
        double d = eta[i] - m1;
        m2 += d * d;
        m3 += d * d * d;
        m4 += d * d * d * d;
        if (eta[i] > r.crest)
            r.crest = eta[i];
        if (i > 0 && eta[i - 1] < m1 && eta[i] >= m1)
            crossings++;
    }
    r.time_ms = when;
    r.height = (float)(4.0 * sqrt(m2 / n));
    r.period = crossings ? (float)n / crossings * 0.5f : 0.0f;
    r.setup = (float)m1;
    r.moments[0] = (float)m1;
    r.moments[1] = (float)(m2 / n);
    r.moments[2] = (float)(m3 / n);
    r.moments[3] = (float)(m4 / n);
    r.quality = crossings > 1;
    return r;
}

static void append_record(RecordFile *f, const BurstRecord *r)
{
    off_t end = (off_t)f->nrec * (off_t)sizeof *r;
    if (pwrite(f->fd, r, sizeof *r, end) != (ssize_t)sizeof *r) {
        perror("pwrite");
        exit(1);
    }
    f->nrec++;
}

int main(int argc, char **argv)
{
    long nburst = argc > 1 ? atol(argv[1]) : 100000;
    float eta[BURST];
    double sum = 0.0;
    RecordFile out = {0};
    out.fd = open("bursts.rec", O_RDWR | O_CREAT | O_TRUNC, 0644);
    if (out.fd < 0) {
        perror("bursts.rec");
        return 1;
    }
    for (long b = 0; b < nburst; b++) {
        sample_series(eta, b * (BURST / 2), BURST);
        BurstRecord r = burst_statistics(eta, BURST, (int64_t)b * 32000);
        append_record(&out, &r);
        sum += r.height;
    }
    close(out.fd);
    printf("%ld bursts, mean significant height %.4f m\n", nburst, sum / nburst);
    return 0;
}
