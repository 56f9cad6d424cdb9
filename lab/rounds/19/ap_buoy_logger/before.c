/* Wave-buoy logger: demodulates displacement frames, keeps a journal of the
 * half-hour bursts, and makes each day's journal durable before the buoy's
 * memory may be cleared. */
#include <fcntl.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BURST 2048
#define PERDAY 48

typedef struct { uint32_t magic, day, burst; float hs, tp, heave[BURST / 8]; uint32_t crc; } Frame;

static uint32_t crc_table[256];

static void crc_init(void)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
        crc_table[i] = c;
    }
}

static uint32_t crc32of(const void *p, size_t n)
{
    const unsigned char *b = p;
    uint32_t c = ~0u;
    while (n--) c = crc_table[(c ^ *b++) & 255] ^ (c >> 8);
    return ~c;
}

static double unit(uint64_t *s)
{
    *s ^= *s << 13; *s ^= *s >> 7; *s ^= *s << 17;
    return (*s >> 11) / 9007199254740992.0;
}

static void sea_state(double *x, int day, int burst, uint64_t *seed)
{
    double amp[12], ph[12];
    for (int m = 0; m < 12; m++) {
        amp[m] = (1 + 0.5 * sin(0.3 * day)) * exp(-0.1 * (m - 4) * (m - 4)) * (0.5 + unit(seed));
        ph[m] = 6.2831853 * unit(seed);
    }
    for (int i = 0; i < BURST; i++) {
        x[i] = 0;
        for (int m = 0; m < 12; m++) x[i] += amp[m] * sin(0.1 * (m + 2) * i + ph[m] + burst);
    }
}

/* periodogram over the wind-wave band; returns Hs and peak period */
static void spectrum(const double *x, float *hs, float *tp)
{
    double best = -1, m0 = 0;
    for (int k = 4; k < 304; k++) {
        double c = 0, s = 0, w = 6.283185307179586 * k / BURST;
        double cr = cos(w), sr = sin(w), a = 1, b = 0;
        for (int i = 0; i < BURST; i++) {
            c += x[i] * a;
            s += x[i] * b;
            double t = a * cr - b * sr;
            b = a * sr + b * cr;
            a = t;
        }
        double p = (c * c + s * s) / BURST / BURST;
        m0 += 2 * p;
        if (p > best) { best = p; *tp = (float)(BURST / 1.28 / k); }
    }
    *hs = (float)(4 * sqrt(m0));
}

static void put_frame(FILE *j, Frame *f)
{
    f->crc = crc32of(f, offsetof(Frame, crc));
    if (fwrite(f, sizeof *f, 1, j) != 1) { perror("journal"); exit(1); }
}

static void seal_day(FILE *j)
{
    if (fflush(j) || fsync(fileno(j))) { perror("seal"); exit(1); }
}

int main(int argc, char **argv)
{
    int days = argc > 1 ? atoi(argv[1]) : 12;
    uint64_t seed = 88172645463325252ull;
    double x[BURST], sum = 0;
    Frame f;
    crc_init();
    FILE *j = fopen("buoy.journal", "wb"), *log = fopen("buoy.log", "w");
    if (!j || !log) { perror("open"); return 1; }
    memset(&f, 0, sizeof f);
    f.magic = 0x42554f59;
    for (int d = 0; d < days; d++) {
        float top = 0;
        for (int b = 0; b < PERDAY; b++) {
            sea_state(x, d, b, &seed);
            spectrum(x, &f.hs, &f.tp);
            f.day = d;
            f.burst = b;
            for (int i = 0; i < BURST / 8; i++) f.heave[i] = (float)x[i * 8];
            put_frame(j, &f);
            if (f.hs > top) top = f.hs;
            sum += f.hs + f.tp;
        }
        seal_day(j);
        fprintf(log, "day %d max hs %.2f\n", d, top);
    }
    fclose(j);
    fclose(log);
    printf("days %d checksum %.5f\n", days, sum);
    return 0;
}
