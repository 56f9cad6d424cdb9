/* Move a star catalogue to a new epoch: proper motion and parallax, in place. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct star {
    double ra, dec;         /* degrees */
    double pm_ra, pm_dec;   /* milliarcseconds per year */
    double parallax;        /* milliarcseconds */
    double magnitude;
    double epoch;
    long id;
};

static const char *CATALOG = "catalog.bin";

static double noise(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) / 16777216.0 - 0.5;
}

static int make_catalog(long count)
{
    FILE *f = fopen(CATALOG, "wb");
    unsigned state = 12345;
    struct star s;
    if (!f)
        return -1;
    for (long i = 0; i < count; i++) {
        memset(&s, 0, sizeof s);
        s.ra = 360.0 * (noise(&state) + 0.5);
        s.dec = asin(2.0 * noise(&state)) * 180.0 / M_PI;
        s.pm_ra = 200.0 * noise(&state);
        s.pm_dec = 200.0 * noise(&state);
        s.parallax = 10.0 * (noise(&state) + 0.5);
        s.magnitude = 12.0 + 8.0 * noise(&state);
        s.epoch = 2000.0;
        s.id = i;
        if (fwrite(&s, sizeof s, 1, f) != 1)
            return -1;
    }
    return fclose(f);
}

static void propagate(struct star *s, double epoch)
{
    double years = epoch - s->epoch;
    double phase = 2.0 * M_PI * (epoch - floor(epoch));
    double cosd = cos(s->dec * M_PI / 180.0);
    s->ra += (s->pm_ra * years + s->parallax * sin(phase)) / (3.6e6 * (cosd + 1e-9));
    s->dec += (s->pm_dec * years + s->parallax * cos(phase)) / 3.6e6;
    s->epoch = epoch;
}

#define BLOCK 4096

static long update_catalog(double epoch)
{
    FILE *f = fopen(CATALOG, "r+b");
    static struct star block[BLOCK];
    long changed = 0;
    size_t n;
    if (!f)
        return -1;
    while ((n = fread(block, sizeof *block, BLOCK, f)) > 0) {
        for (size_t i = 0; i < n; i++)
            propagate(&block[i], epoch);
        fseek(f, -(long)(n * sizeof *block), SEEK_CUR);
        fwrite(block, sizeof *block, n, f);
        fseek(f, 0, SEEK_CUR);
        changed += n;
    }
    fclose(f);
    return changed;
}

static double catalog_sum(void)
{
    FILE *f = fopen(CATALOG, "rb");
    struct star s;
    double sum = 0.0;
    while (f && fread(&s, sizeof s, 1, f) == 1)
        sum += s.ra * 1e-3 + s.dec;
    if (f)
        fclose(f);
    return sum;
}

int main(int argc, char **argv)
{
    long count = argc > 1 ? atol(argv[1]) : 600000;
    if (make_catalog(count) != 0) {
        perror(CATALOG);
        return 1;
    }
    long changed = update_catalog(2016.25);
    printf("%ld stars, sum %.9f\n", changed, catalog_sum());
    return 0;
}
