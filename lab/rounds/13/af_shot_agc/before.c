/* seismic line: per shot a band-pass, automatic gain control and a mute;
 * reads shot gathers, writes processed gathers */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <arpa/inet.h>

#define HEAD 240
#define DT 0.002f
#define AGC 125            /* half window, samples */

struct line { int nshot, ntr, ns; };

static float swapf(uint32_t w)
{
    w = ntohl(w);
    float f;
    memcpy(&f, &w, 4);
    return f;
}

static uint32_t unswapf(float f)
{
    uint32_t w;
    memcpy(&w, &f, 4);
    return htonl(w);
}

static void line_open(FILE *f, struct line *l)
{
    uint32_t h[4];
    if (fread(h, 4, 4, f) != 4 || memcmp(h, "SGT1", 4)) { fprintf(stderr, "not a line\n"); exit(1); }
    l->nshot = (int)ntohl(h[1]);
    l->ntr = (int)ntohl(h[2]);
    l->ns = (int)ntohl(h[3]);
}

/* second-order low and high cut, forward */
static void bandpass(float *x, int n, float lo, float hi)
{
    float a = expf(-6.2831853f * lo * DT), b = 1.0f - expf(-6.2831853f * hi * DT);
    for (int pass = 0; pass < 2; pass++) {
        float low = 0, y = 0;
        for (int k = 0; k < n; k++) {
            low = a * low + (1.0f - a) * x[k];
            y += b * (x[k] - low - y);
            x[k] = y;
        }
    }
}

static void agc(float *x, double *sum, int n)
{
    sum[0] = 0;
    for (int k = 0; k < n; k++) sum[k + 1] = sum[k] + (double)x[k] * x[k];
    for (int k = 0; k < n; k++) {
        int a = k > AGC ? k - AGC : 0, b = k + AGC < n ? k + AGC : n;
        double rms = sqrt((sum[b] - sum[a]) / (b - a)) + 1e-6;
        x[k] = (float)(x[k] / rms);
    }
}

static void mute(float *x, int n, float offset)
{
    int first = (int)(offset / 1500.0f / DT);
    for (int k = 0; k < n && k < first; k++) x[k] = 0;
    for (int k = first; k < n && k < first + 40; k++) x[k] *= 0.5f * (1.0f - cosf(3.1415927f * (k - first) / 40));
}

static double process(char *gather, const struct line *l, float *x, double *sum)
{
    double e = 0;
    size_t size = HEAD + 4 * (size_t)l->ns;
    for (int t = 0; t < l->ntr; t++) {
        uint32_t *w = (uint32_t *)(gather + t * size + HEAD), o;
        memcpy(&o, gather + t * size + 8, 4);
        for (int k = 0; k < l->ns; k++) x[k] = swapf(w[k]);
        bandpass(x, l->ns, 6.0f, 70.0f);
        agc(x, sum, l->ns);
        mute(x, l->ns, swapf(o));
        for (int k = 0; k < l->ns; k++) { e += x[k] * x[k]; w[k] = unswapf(x[k]); }
    }
    return e;
}

int main(int argc, char **argv)
{
    struct line l;
    FILE *in = fopen(argv[1], "rb"), *out = fopen(argv[2], "wb");
    int passes = argc > 3 ? atoi(argv[3]) : 1;
    if (!in || !out) { perror("line"); return 1; }
    line_open(in, &l);
    size_t bytes = (HEAD + 4 * (size_t)l.ns) * l.ntr;
    char *gather = malloc(bytes);
    float *x = malloc(4 * (size_t)l.ns);
    double *sum = malloc(8 * ((size_t)l.ns + 1)), e = 0;
    for (int s = 0; s < l.nshot; s++) {
        fseek(in, 16 + (long)(s * bytes), SEEK_SET);
        if (fread(gather, 1, bytes, in) != bytes) { perror("gather"); return 1; }
        for (int k = 0; k < passes; k++) e = process(gather, &l, x, sum);
        fwrite(gather, 1, bytes, out);
        if (s % 20 == 0) printf("shot %d  energy %.4f\n", s, e);
    }
    fclose(in);
    fclose(out);
    printf("%d shots, %d traces each\n", l.nshot, l.ntr);
    return 0;
}
