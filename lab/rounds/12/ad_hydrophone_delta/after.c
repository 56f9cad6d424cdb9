/* Fin-whale 20 Hz pulse detector for bottom-moored hydrophones.
 * The recorder stores samples as zig-zag coded differences in variable-length
 * integers. Samples are decoded, passed through a bank of Goertzel
 * resonators and compared with a running noise floor. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <fcntl.h>
#include <unistd.h>

#define FS     2000.0
#define NBANK  5
#define ALPHA  0.05

static const double bank_hz[NBANK] = {18.0, 22.0, 28.0, 34.0, 40.0};

typedef struct decoder {
    int fd;
    ssize_t have, pos;
    unsigned char buf[1 << 16];
    long consumed;
    int last;
    int (*next)(struct decoder *);
} decoder;

typedef struct { double coeff, s1, s2; } resonator;

static int next_byte(decoder *d)
{
    if (d->pos >= d->have) {
        d->have = read(d->fd, d->buf, sizeof d->buf);
        d->pos = 0;
        if (d->have <= 0) return -1;
    }
    d->consumed++;
    return d->buf[d->pos++];
}

static unsigned long get_varint(decoder *d)
{
    unsigned long v = 0;
    int shift = 0, c;
    do {
        c = d->next(d);
        if (c < 0) { fprintf(stderr, "recording ends early\n"); exit(1); }
        v |= (unsigned long)(c & 0x7f) << shift;
        shift += 7;
    } while (c & 0x80);
    return v;
}

static int get_sample(decoder *d)
{
    unsigned long z = get_varint(d);
    long delta = (long)(z >> 1) ^ -(long)(z & 1);
    d->last += (int)delta;
    return d->last;
}

static void open_recording(decoder *d, const char *path)
{
    char magic[4];
    memset(d, 0, sizeof *d);
    d->fd = open(path, O_RDONLY);
    d->next = next_byte;
    if (d->fd < 0) { perror(path); exit(1); }
    for (int i = 0; i < 4; i++) magic[i] = (char)d->next(d);
    if (memcmp(magic, "HYD1", 4)) { fprintf(stderr, "not a recording\n"); exit(1); }
}

static void reset_bank(resonator *r)
{
    for (int k = 0; k < NBANK; k++) {
        r[k].coeff = 2.0 * cos(2 * M_PI * bank_hz[k] / FS);
        r[k].s1 = r[k].s2 = 0;
    }
}

static double bank_power(const resonator *r, int n, int *loudest)
{
    double sum = 0, best = -1;
    for (int k = 0; k < NBANK; k++) {
        double p = (r[k].s1 * r[k].s1 + r[k].s2 * r[k].s2 - r[k].coeff * r[k].s1 * r[k].s2) / n;
        sum += p;
        if (p > best) { best = p; *loudest = k; }
    }
    return sum;
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "mooring3.hyd";
    double threshold = argc > 2 ? atof(argv[2]) : 8.0;
    decoder d;
    resonator r[NBANK];
    double floor_level = 0;
    long ndetect = 0, nsamples = 0;
    double energy = 0;

    open_recording(&d, path);
    FILE *log = fopen("detections.txt", "w");
    unsigned long nblock = get_varint(&d);
    for (unsigned long b = 0; b < nblock; b++) {
        int n = (int)get_varint(&d), loud = 0;
        reset_bank(r);
        for (int i = 0; i < n; i++) {
            double x = get_sample(&d) / 32768.0;
            energy += x * x;
            for (int k = 0; k < NBANK; k++) {
                double s0 = x + r[k].coeff * r[k].s1 - r[k].s2;
                r[k].s2 = r[k].s1;
                r[k].s1 = s0;
            }
        }
        nsamples += n;
        double p = bank_power(r, n, &loud);
        if (b > 3 && p > threshold * floor_level) {
            fprintf(log, "%10.2f s  %4.0f Hz  %8.2f dB\n",
                    nsamples / FS, bank_hz[loud], 10 * log10(p / floor_level));
            ndetect++;
        } else {
            floor_level = b ? (1 - ALPHA) * floor_level + ALPHA * p : p;
        }
    }
    fclose(log);
    close(d.fd);
    printf("%ld samples from %ld bytes, rms %.5f, %ld pulses\n",
           nsamples, d.consumed, sqrt(energy / nsamples), ndetect);
    return 0;
}
