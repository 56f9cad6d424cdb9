/* Drift tube chamber: straight-line track fit for every event of a raw run.
 *
 * Raw format (little endian): event header of 16 bytes, then nhit hits of 12 bytes.
 * usage: fit run.raw nbins
 */
#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>
#include <string.h>
#include <math.h>
#include <fcntl.h>
#include <unistd.h>

#define NLAYER 8
#define PITCH 3.0         /* cm between the wires */
#define VDRIFT 0.0048     /* cm per ns */
#define TMAX 400.0        /* ns, longest drift */

typedef struct { uint32_t number; uint16_t nhit, trigger; double time; } Header;
typedef struct { uint16_t layer, wire; uint32_t tdc; uint16_t adc, status; } Hit;

typedef struct { double sw, sx, sy, sxx, sxy; int n; } Sums;

/* returns 1 if a whole item came, 0 at the end of the run */
static int get_item(int fd, void *dest, size_t size)
{
    static char block[1 << 20];
    static size_t have = 0, at = 0;
    if (have - at < size) {
        memmove(block, block + at, have - at);
        have -= at;
        at = 0;
        ssize_t got;
        while (have < size && (got = read(fd, block + have, sizeof block - have)) != 0) {
            if (got < 0) { perror("raw file"); exit(1); }
            have += got;
        }
        if (have < size) return 0;
    }
    memcpy(dest, block + at, size);
    at += size;
    return 1;
}

static double drift_distance(uint32_t tdc)
{
    double t = (tdc % 100000) * (TMAX / 100000.0);
    /* slight non-linearity of the space-time relation near the wire */
    return VDRIFT * t * (1.0 - 0.08 * exp(-t / 60.0));
}

static void add_hit(Sums *s, const Hit *h)
{
    double z = (h->layer % NLAYER) * 2.6;
    double x = (h->wire % 64) * PITCH + drift_distance(h->tdc);
    double w = 1.0 / (0.02 + 1e-5 * (h->adc % 2048));
    s->sw += w; s->sx += w * z; s->sy += w * x;
    s->sxx += w * z * z; s->sxy += w * z * x;
    s->n++;
}

static int fit_line(const Sums *s, double *slope, double *origin)
{
    double det = s->sw * s->sxx - s->sx * s->sx;
    if (s->n < 4 || fabs(det) < 1e-9) return 0;
    *slope = (s->sw * s->sxy - s->sx * s->sy) / det;
    *origin = (s->sxx * s->sy - s->sx * s->sxy) / det;
    return 1;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "run0412.raw";
    int nbins = argc > 2 ? atoi(argv[2]) : 50;
    long *angles = calloc(nbins, sizeof *angles);
    long nevents = 0, nhits = 0, ntracks = 0, per_trigger[8] = {0};
    double mean_origin = 0.0;

    int fd = open(name, O_RDONLY);
    if (fd < 0) { perror(name); return 1; }

    Header head;
    while (get_item(fd, &head, sizeof head)) {
        Sums sums = {0};
        for (int i = 0; i < head.nhit; i++) {
            Hit hit;
            if (!get_item(fd, &hit, sizeof hit)) break;
            if ((hit.status & 3) == 3) continue;       /* noisy channel */
            add_hit(&sums, &hit);
            nhits++;
        }
        double slope, origin;
        if (fit_line(&sums, &slope, &origin)) {
            int bin = (int)((atan(slope) / M_PI + 0.5) * nbins);
            if (bin >= 0 && bin < nbins) angles[bin]++;
            mean_origin += origin;
            ntracks++;
        }
        per_trigger[head.trigger & 7]++;
        nevents++;
    }
    close(fd);

    FILE *out = fopen("angles.txt", "w");
    fprintf(out, "# events %ld hits %ld tracks %ld\n", nevents, nhits, ntracks);
    for (int b = 0; b < nbins; b++)
        fprintf(out, "%8.3f %ld\n", ((b + 0.5) / nbins - 0.5) * 180.0, angles[b]);
    fclose(out);
    printf("%ld events, %ld tracks, mean origin %.4f cm\n", nevents, ntracks,
           ntracks ? mean_origin / ntracks : 0.0);
    for (int t = 0; t < 7; t++) printf("trigger %d: %ld\n", t, per_trigger[t]);
    free(angles);
    return 0;
}
