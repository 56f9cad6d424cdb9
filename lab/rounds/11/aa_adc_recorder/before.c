/* Records the digitised signal of a photomultiplier: shaping of the pulses,
 * baseline correction, and storage of the samples as 16-bit integers. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PAGE_SAMPLES 2048       /* samples in one ADC page */
#define TAU 14.0                /* decay of the pulses, in samples */

static uint64_t state = 0x853c49e6748fea9bULL;

static double uniform(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (state >> 11) * (1.0 / 9007199254740992.0);
}

struct recorder {
    int fd;
    int16_t *block;
    size_t used, size;
    long bytes;
};

static int recorder_open(struct recorder *r, const char *path)
{
    r->size = PAGE_SAMPLES;
    r->used = 0;
    r->bytes = 0;
    if (posix_memalign((void **)&r->block, 4096, r->size * sizeof(int16_t)))
        return -1;
    r->fd = open(path, O_CREAT | O_TRUNC | O_WRONLY | O_DIRECT, 0644);
    return r->fd < 0 ? -1 : 0;
}

static int recorder_drain(struct recorder *r)
{
    size_t n = r->used * sizeof(int16_t);
    if (write(r->fd, r->block, n) != (ssize_t)n)
        return -1;
    r->bytes += n;
    r->used = 0;
    return 0;
}

static int recorder_put(struct recorder *r, const int16_t *s, size_t n)
{
    memcpy(r->block + r->used, s, n * sizeof(int16_t));
    r->used += n;
    return r->used == r->size ? recorder_drain(r) : 0;
}

static int recorder_close(struct recorder *r)
{
    int rc = r->used ? recorder_drain(r) : 0;
    free(r->block);
    return close(r->fd) | rc;
}

/* one page of signal: exponential pulses on a noisy, drifting baseline */
static int digitise(long page, double *tail, int16_t *out)
{
    int pulses = 0;
    double level = 200.0 + 20.0 * sin(page * 1e-3), decay = exp(-1.0 / TAU);
    for (int i = 0; i < PAGE_SAMPLES; i++) {
        *tail *= decay;
        if (uniform() < 0.002) {
            *tail += 800.0 + 900.0 * uniform();
            pulses++;
        }
        double noise = 6.0 * (uniform() + uniform() - 1.0);
        double v = level + *tail + noise;
        out[i] = v > 8191.0 ? 8191 : (int16_t)v;
    }
    return pulses;
}

/* subtracts the median-like baseline (mean of the quiet samples) */
static double correct(int16_t *s)
{
    double sum = 0.0, charge = 0.0;
    int n = 0;
    for (int i = 0; i < PAGE_SAMPLES; i++)
        if (s[i] < 260) { sum += s[i]; n++; }
    int16_t base = n ? (int16_t)(sum / n) : 200;
    for (int i = 0; i < PAGE_SAMPLES; i++) {
        s[i] -= base;
        charge += s[i];
    }
    return charge;
}

int main(int argc, char **argv)
{
    long pages = argc > 1 ? atol(argv[1]) : 30000, pulses = 0;
    int16_t samples[PAGE_SAMPLES];
    double tail = 0.0, charge = 0.0;
    struct recorder rec;
    if (recorder_open(&rec, "pmt_run.adc")) {
        perror("pmt_run.adc");
        return 1;
    }
    for (long p = 0; p < pages; p++) {
        pulses += digitise(p, &tail, samples);
        charge += correct(samples);
        if (recorder_put(&rec, samples, PAGE_SAMPLES)) {
            perror("write");
            return 1;
        }
    }
    recorder_close(&rec);
    printf("%ld pages, %ld bytes, %ld pulses, mean charge %.3f\n", pages, rec.bytes, pulses, charge / pulses);
    return 0;
}
