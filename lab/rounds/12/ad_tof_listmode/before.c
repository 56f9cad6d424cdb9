/* List-mode simulation of a time-of-flight neutron powder diffractometer.
 * Neutrons leave the moderator with an Ikeda-Carpenter-like emission delay,
 * scatter from a polycrystal and are counted in one of the He-3 tubes. Every
 * count is handed to the sinks registered with the "bus", as in the DAQ. */
#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>
#include <string.h>
#include <math.h>
#include <fcntl.h>
#include <unistd.h>

#define NTUBE   128
#define NPIX    256
#define NREFL   7
#define MAXSINK 4
#define L1      14.0      /* moderator - sample, m */
#define L2      1.2       /* sample - tube, m */
#define HM      252.78    /* us per m per Angstrom */

typedef struct { uint16_t kind, length; } frame_head;
typedef struct { uint32_t tof_ns; uint16_t tube, pixel; uint32_t pulse; } count_event;
typedef int (*sink_fn)(void *self, const void *data, size_t n);
typedef struct { sink_fn put; void *self; } sink;

static sink bus[MAXSINK];
static int nsinks;

static const double dspace[NREFL] = {2.338, 2.024, 1.431, 1.221, 1.169, 1.012, 0.929};
static const double mult[NREFL]   = {8, 6, 12, 24, 8, 6, 24};   /* fcc aluminium */

static uint64_t rng = 0x9e3779b97f4a7c15ULL;
static double uniform(void)
{
    rng ^= rng << 13; rng ^= rng >> 7; rng ^= rng << 17;
    return ((rng >> 11) + 0.5) / 9007199254740992.0;
}

typedef struct { int fd; } disk_sink;

static int disk_put(void *self, const void *data, size_t n)
{
    disk_sink *d = self;
    return write(d->fd, data, n) == (ssize_t)n ? 0 : -1;
}

typedef struct { long n; double spectrum[200]; } histogram_sink;

static int histogram_put(void *self, const void *data, size_t n)
{
    histogram_sink *h = self;
    if (n != sizeof(count_event)) return 0;
    const count_event *e = data;
    int bin = e->tof_ns / 100000;
    if (bin >= 0 && bin < 200) h->spectrum[bin] += 1;
    h->n++;
    return 0;
}

static void attach(sink_fn f, void *self) { bus[nsinks].put = f; bus[nsinks++].self = self; }

static void publish(const void *data, size_t n)
{
    for (int i = 0; i < nsinks; i++)
        if (bus[i].put(bus[i].self, data, n)) { perror("sink"); exit(1); }
}

static int pick_reflection(void)
{
    static double cum[NREFL];
    if (cum[NREFL - 1] == 0) {
        double s = 0;
        for (int i = 0; i < NREFL; i++) { s += mult[i] * pow(dspace[i], 4); cum[i] = s; }
    }
    double u = uniform() * cum[NREFL - 1];
    int k = 0;
    while (u > cum[k]) k++;
    return k;
}

/* one detected neutron; returns 0 when the Bragg condition cannot be met */
static int scatter(uint32_t pulse, count_event *e)
{
    int tube = (int)(uniform() * NTUBE);
    double twotheta = (20.0 + 140.0 * (tube + uniform()) / NTUBE) * M_PI / 180.0;
    int k = pick_reflection();
    double lambda = 2 * dspace[k] * sin(0.5 * twotheta) * (1 + 0.0008 * (uniform() - 0.5));
    if (lambda < 0.3 || lambda > 4.5) return 0;
    double delay = -log(uniform()) * 9.0 * lambda - log(uniform()) * 1.5;   /* us */
    double tof = HM * lambda * (L1 + L2) + delay;
    e->tof_ns = (uint32_t)(tof * 1000.0);
    e->tube = (uint16_t)tube;
    e->pixel = (uint16_t)(NPIX * uniform());
    e->pulse = pulse;
    return 1;
}

int main(int argc, char **argv)
{
    int npulse = argc > 1 ? atoi(argv[1]) : 1000;
    int perpulse = argc > 2 ? atoi(argv[2]) : 500;
    disk_sink disk;
    histogram_sink hist;
    memset(&hist, 0, sizeof hist);
    disk.fd = open("run0417.evt", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (disk.fd < 0) { perror("run0417.evt"); return 1; }
    attach(disk_put, &disk);
    attach(histogram_put, &hist);

    frame_head head = {0x4556, sizeof(count_event)};
    for (int p = 0; p < npulse; p++) {
        for (int i = 0; i < perpulse; i++) {
            count_event e;
            if (!scatter((uint32_t)p, &e)) continue;
            publish(&head, sizeof head);
            publish(&e, sizeof e);
        }
    }
    close(disk.fd);

    int best = 0;
    for (int i = 1; i < 200; i++) if (hist.spectrum[i] > hist.spectrum[best]) best = i;
    printf("%ld counts, strongest bin at %.1f ms with %.0f counts\n",
           hist.n, 0.1 * (best + 0.5), hist.spectrum[best]);
    return 0;
}
