/* Drift-tube calibration of a muon chamber: the drift time spectrum per layer,
 * the mean charge per tube, and a straight line through the hits of each event. */
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LAYERS 8
#define TUBES 432
#define TBINS 350
#define PITCH 30.0        /* mm between tubes  */
#define GAP 26.0          /* mm between layers */
#define VDRIFT 0.0214     /* mm / ns           */
#define MAXHIT 256

typedef struct {
    uint16_t tube;
    uint8_t layer, flag;      /* flag: noisy channel */
    float time, charge;       /* ns, ADC counts */
    uint32_t event;
} hit_t;

static long spectrum[LAYERS][TBINS];
static double charge[TUBES];
static long entries[TUBES];

static void calibrate(const hit_t *h)
{
    int bin = (int)(h->time / 2.0f);
    if (bin >= 0 && bin < TBINS)
        spectrum[h->layer][bin]++;
    charge[h->tube] += h->charge;
    entries[h->tube]++;
}

/* least squares x = a + b z; returns chi2 per degree of freedom */
static double fit_track(const hit_t *h, int n)
{
    double s = 0, sz = 0, sx = 0, szz = 0, szx = 0, chi2 = 0;
    for (int i = 0; i < n; i++) {
        double z = GAP * h[i].layer, x = PITCH * h[i].tube + VDRIFT * h[i].time;
        double w = 1.0 / (0.01 + 0.5 / h[i].charge);
        s += w; sz += w * z; sx += w * x; szz += w * z * z; szx += w * z * x;
    }
    double det = s * szz - sz * sz;
    if (n < 3 || fabs(det) < 1e-9)
        return -1;
    double b = (s * szx - sz * sx) / det, a = (sx - b * sz) / s;
    for (int i = 0; i < n; i++) {
        double r = PITCH * h[i].tube + VDRIFT * h[i].time - a - b * GAP * h[i].layer;
        chi2 += r * r / (0.01 + 0.5 / h[i].charge);
    }
    return chi2 / (n - 2);
}

static int run_fd;

static void open_run(const char *path)
{
    run_fd = open(path, O_RDONLY);
    if (run_fd < 0) {
        perror(path);
        exit(1);
    }
}

static int next_hit(hit_t *h)
{
    return read(run_fd, h, sizeof *h) == sizeof *h;
}

static void close_run(void)
{
    close(run_fd);
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "run0042.hits";
    double cut = argc > 2 ? atof(argv[2]) : 5.0;      /* charge threshold */
    hit_t h, group[MAXHIT];
    int n = 0;
    long tracks = 0, hits = 0;
    double logchi = 0;
    uint32_t current = 0;

    open_run(path);
    while (next_hit(&h)) {
        hits++;
        if (h.event != current) {
            double c = fit_track(group, n);
            if (c > 0) {
                logchi += log(c);
                tracks++;
            }
            n = 0;
            current = h.event;
        }
        if (h.flag || h.charge < cut)
            continue;
        calibrate(&h);
        if (n < MAXHIT)
            group[n++] = h;
    }
    close_run();

    FILE *out = fopen("calibration.txt", "w");
    for (int t = 0; t < TUBES; t++)
        fprintf(out, "%d %.3f\n", t, entries[t] ? charge[t] / entries[t] : 0.0);
    for (int l = 0; l < LAYERS; l++)
        for (int b = 0; b < TBINS; b++)
            fprintf(out, "%d %d %ld\n", l, 2 * b, spectrum[l][b]);
    fclose(out);
    printf("%ld hits, %ld tracks, mean ln(chi2/ndf) %.4f\n", hits, tracks, logchi / tracks);
    return 0;
}
