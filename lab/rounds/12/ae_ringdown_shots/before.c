/* Cavity ring-down spectroscopy: a laser is tuned over an absorption line,
 * the decay of the light in the cavity is digitised for each shot, the decay
 * time is fitted and the shots go to the acquisition file. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NPOINT 2032
typedef struct {
    uint64_t shot;
    double detuning, tau;
    int64_t spare;
    int16_t trace[NPOINT];
} record;                             /* 4096 bytes */

typedef struct sink sink;
struct sink {
    int fd;
    int (*put)(sink *, const record *);
    int (*finish)(sink *);
    char *page;
};

static int shot_put(sink *s, const record *r)
{
    memcpy(s->page, r, sizeof *r);
    return write(s->fd, s->page, sizeof *r) == sizeof *r ? 0 : -1;
}

static int shot_finish(sink *s)
{
    free(s->page);
    return close(s->fd);
}

static int sink_open(sink *s, const char *path)
{
    s->put = shot_put;
    s->finish = shot_finish;
    if (posix_memalign((void **)&s->page, 4096, sizeof(record)))
        return -1;
    s->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_DIRECT, 0644);
    return s->fd < 0 ? -1 : 0;
}

static uint32_t rnd(uint32_t *s)
{
    *s ^= *s << 13;
    *s ^= *s >> 17;
    *s ^= *s << 5;
    return *s;
}

/* Lorentzian absorption on top of the mirror losses */
static double true_tau(double nu)
{
    double alpha = 2.0e-6 + 6.0e-6 * 0.04 / (nu * nu + 0.04);
    return 1.0 / (alpha * 2.998e8) * 0.05;
}

static void digitise(record *r, uint32_t *seed)
{
    double dt = 2.0e-7, tau = true_tau(r->detuning), a = 30000, decay = exp(-dt / tau * 0.1);
    for (int i = 0; i < NPOINT; i++) {
        int noise = (int)(rnd(seed) & 127) + (int)(rnd(seed) & 127) - 127;
        r->trace[i] = (int16_t)(a + noise);
        a *= decay;
    }
}

/* weighted straight-line fit to the logarithm of the decay */
static double fit_tau(const record *r)
{
    double s = 0, sx = 0, sy = 0, sxx = 0, sxy = 0, dt = 2.0e-8;
    for (int i = 0; i < NPOINT; i++) {
        if (r->trace[i] < 600)
            continue;
        double y = log(r->trace[i]), w = (double)r->trace[i] * r->trace[i], x = i * dt;
        s += w; sx += w * x; sy += w * y; sxx += w * x * x; sxy += w * x * y;
    }
    return -(s * sxx - sx * sx) / (s * sxy - sx * sy);
}

static int scan(sink *out, long nshots, double *spectrum, long *hits, int nbin)
{
    uint32_t seed = 2463534242u;
    record r;
    memset(&r, 0, sizeof r);
    for (long n = 0; n < nshots; n++) {
        r.shot = n;
        r.detuning = -1.0 + 2.0 * (double)(n % 1000) / 1000.0;
        digitise(&r, &seed);
        r.tau = fit_tau(&r);
        int b = (int)((r.detuning + 1.0) / 2.0 * nbin);
        spectrum[b] += 1.0 / (r.tau * 2.998e8);
        hits[b]++;
        if (out->put(out, &r))
            return -1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    long nshots = argc > 1 ? atol(argv[1]) : 12000;
    double spectrum[20] = {0};
    long hits[20] = {0};
    sink out;
    if (sink_open(&out, "shots.acq") || scan(&out, nshots, spectrum, hits, 20) || out.finish(&out)) {
        perror("shots.acq");
        return 1;
    }
    for (int b = 0; b < 20; b++)
        if (hits[b])
            printf("%+.2f GHz  %.6e /m\n", -0.95 + 0.1 * b, spectrum[b] / hits[b]);
    return 0;
}
