/* Digitiser back end of a seismic station: picks events with an STA/LTA
 * trigger and stores the triggered windows in an event archive. */
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NCHAN 3
#define BLOCK 2000
#define NSTA 40
#define NLTA 800
#define WINDOW 400

struct event_head {
    uint32_t magic, number;
    double onset, ratio;
    uint32_t nsamp, nchan;
};

struct archive {
    int fd;
    uint32_t count;
    char path[128];
};

static uint64_t lcg = 88172645463325252ULL;

static double gauss(void)
{
    double s = 0;
    for (int i = 0; i < 6; i++) {
        lcg ^= lcg << 13; lcg ^= lcg >> 7; lcg ^= lcg << 17;
        s += (double)(lcg >> 11) / 9007199254740992.0;
    }
    return (s - 3.0) * 1.414;
}

static const struct { const char *name; int flags; } open_modes[] = {
    { "replay", O_RDONLY },
    { "station", O_CREAT | O_TRUNC | O_WRONLY | O_DSYNC },
    { "follow", O_RDWR },
};

static int archive_open(struct archive *a, const char *path, const char *mode)
{
    snprintf(a->path, sizeof a->path, "%s", path);
    a->count = 0;
    a->fd = -1;
    for (size_t i = 0; i < sizeof open_modes / sizeof *open_modes; i++)
        if (strcmp(open_modes[i].name, mode) == 0)
            a->fd = open(path, open_modes[i].flags, 0644);
    return a->fd < 0 ? -1 : 0;
}

static int archive_put(struct archive *a, double onset, double ratio,
                       const float *win, int nsamp)
{
    struct event_head h = { 0x45564e54, a->count++, onset, ratio,
                            (uint32_t)nsamp, NCHAN };
    size_t bytes = sizeof(float) * NCHAN * (size_t)nsamp;
    unsigned char rec[sizeof h + sizeof(float) * NCHAN * WINDOW];
    memcpy(rec, &h, sizeof h);
    memcpy(rec + sizeof h, win, bytes);
    ssize_t n = write(a->fd, rec, sizeof h + bytes);
    return n == (ssize_t)(sizeof h + bytes) ? 0 : -1;
}

static int archive_close(struct archive *a)
{
    return close(a->fd);
}

/* Background noise with a decaying wavelet now and then. */
static void acquire(long block, float trace[NCHAN][BLOCK])
{
    for (int c = 0; c < NCHAN; c++) {
        double ar = 0;
        for (int i = 0; i < BLOCK; i++) {
            ar = 0.9 * ar + gauss();
            trace[c][i] = (float)ar;
        }
    }
    if (block % 3 != 1)
        return;
    int t0 = 900 + (int)(block * 37 % 400);
    double amp = 25.0 + (double)(block % 17);
    for (int c = 0; c < NCHAN; c++)
        for (int i = t0; i < BLOCK; i++) {
            double t = 0.01 * (i - t0);
            trace[c][i] += (float)(amp * exp(-t) * sin(2 * M_PI * 6.0 * t + c));
        }
}

static int pick(float trace[NCHAN][BLOCK], double *best)
{
    static double cf[BLOCK + 1];
    int at = -1;
    cf[0] = 0;
    for (int i = 0; i < BLOCK; i++) {
        double e = 0;
        for (int c = 0; c < NCHAN; c++)
            e += (double)trace[c][i] * trace[c][i];
        cf[i + 1] = cf[i] + e;
    }
    *best = 0;
    for (int i = NLTA; i + NSTA < BLOCK; i++) {
        double sta = (cf[i + NSTA] - cf[i]) / NSTA;
        double lta = (cf[i] - cf[i - NLTA]) / NLTA;
        if (sta / lta > *best) {
            *best = sta / lta;
            if (at < 0 && *best > 6.0)
                at = i;
        }
    }
    return at;
}

int main(int argc, char **argv)
{
    long nblock = argc > 1 ? atol(argv[1]) : 900;
    static float trace[NCHAN][BLOCK];
    static float win[NCHAN * WINDOW];
    struct archive arc;
    double ratio, sum = 0;

    if (archive_open(&arc, "events.arc", "station") != 0) {
        perror("events.arc");
        return 1;
    }
    for (long b = 0; b < nblock; b++) {
        acquire(b, trace);
        int at = pick(trace, &ratio);
        if (at < 0)
            continue;
        int from = at > 100 ? at - 100 : 0;
        if (from + WINDOW > BLOCK)
            from = BLOCK - WINDOW;
        for (int c = 0; c < NCHAN; c++)
            memcpy(win + c * WINDOW, &trace[c][from], sizeof(float) * WINDOW);
        if (archive_put(&arc, b * 20.0 + at * 0.01, ratio, win, WINDOW) != 0) {
            perror("write");
            return 1;
        }
        sum += ratio;
    }
    printf("blocks %ld events %u mean ratio %.6f\n", nblock, arc.count,
           arc.count ? sum / arc.count : 0.0);
    return archive_close(&arc) != 0;
}
