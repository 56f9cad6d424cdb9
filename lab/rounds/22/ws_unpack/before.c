/* ws_unpack: reads a GRIB-like archive message by message, unpacks the 12-bit
 * field (simple packing: reference value, binary scale), smooths it with a
 * two-pass median-like filter and writes the field statistics.
 * Structure after the wgrib / wgrib2 message loop (seek, header, unpack, print). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
#include <math.h>

#define NX 320
#define NY 240

struct head { char id[4]; uint32_t len; uint16_t param, level; int32_t step; float ref; int32_t scale; };

static float field[NY][NX], tmp[NY][NX];

static void unpack12(const unsigned char *p, float ref, int scale)
{
    float *o = &field[0][0];
    for (int i = 0; i < NX * NY; i += 2, p += 3) {
        o[i] = ref + ldexpf((float)(p[0] << 4 | p[1] >> 4), scale);
        o[i + 1] = ref + ldexpf((float)((p[1] & 15) << 8 | p[2]), scale);
    }
}

static void smooth(void)
{
    for (int y = 1; y < NY - 1; y++)
        for (int x = 1; x < NX - 1; x++) {
            float v[9];
            int n = 0;
            for (int j = -1; j <= 1; j++)
                for (int i = -1; i <= 1; i++) {
                    float f = field[y + j][x + i];
                    int k = n++;
                    while (k > 0 && v[k - 1] > f) { v[k] = v[k - 1]; k--; }
                    v[k] = f;
                }
            tmp[y][x] = (v[3] + v[4] + v[5]) / 3;
        }
    for (int y = 1; y < NY - 1; y++) memcpy(&field[y][1], &tmp[y][1], (NX - 2) * sizeof(float));
}

static void stats(FILE *out, const struct head *h)
{
    double s = 0, q = 0, grad = 0;
    float lo = field[0][0], hi = lo;
    for (int y = 0; y < NY; y++)
        for (int x = 0; x < NX; x++) {
            float f = field[y][x];
            s += f; q += (double)f * f;
            if (f < lo) lo = f;
            if (f > hi) hi = f;
            if (x) grad += fabs(f - field[y][x - 1]);
        }
    double n = NX * NY, m = s / n;
    fprintf(out, "%u %u %d %.4f %.4f %.4f %.4f %.4f\n", h->param, h->level, h->step, lo, hi, m, sqrt(fabs(q / n - m * m)), grad / n);
    fflush(out);
}

int main(int argc, char **argv)
{
    struct head h;
    long n = 0, skipped = 0;
    if (argc < 3) { fprintf(stderr, "usage: %s archive out\n", argv[0]); return 2; }
    FILE *in = fopen(argv[1], "rb"), *out = fopen(argv[2], "w");
    if (!in || !out) { perror("open"); return 1; }
    unsigned char *buf = malloc(NX * NY * 3 / 2);
    while (fread(&h, sizeof h, 1, in) == 1) {
        if (memcmp(h.id, "GRB0", 4)) { fprintf(stderr, "lost at message %ld\n", n); return 1; }
        if (h.len != NX * NY * 3 / 2) { fseek(in, h.len, SEEK_CUR); skipped++; continue; }
        if (fread(buf, 1, h.len, in) != h.len) { fprintf(stderr, "short message %ld\n", n); return 1; }
        unpack12(buf, h.ref, h.scale);
        smooth();
        smooth();
        stats(out, &h);
        n++;
    }
    free(buf);
    fclose(in);
    if (fclose(out)) { perror(argv[2]); return 1; }
    printf("%ld messages, %ld skipped\n", n, skipped);
    return 0;
}
