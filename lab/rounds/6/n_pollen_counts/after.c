/* Count pollen grains by species and depth from the slide scanner export. */
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SPECIES 48
#define DEPTHS 90

struct grain {
    uint32_t serial;
    uint16_t species;
    uint16_t depth_mm;
    float diameter_um;
    float confidence;
    uint32_t slide;
};

struct tally {
    long grains[SPECIES][DEPTHS];
    double diameter_sum[SPECIES];
    double diameter_sq[SPECIES];
    long accepted;
    long rejected;
};

static void classify(struct tally *t, const struct grain *g, float limit)
{
    if (g->confidence < limit || g->species >= SPECIES) {
        t->rejected++;
        return;
    }
    int depth = g->depth_mm / 10;
    if (depth >= DEPTHS)
        depth = DEPTHS - 1;
    t->grains[g->species][depth]++;
    t->diameter_sum[g->species] += g->diameter_um;
    t->diameter_sq[g->species] += (double)g->diameter_um * g->diameter_um;
    t->accepted++;
}

static long scan_slides(const char *name, struct tally *t, float limit)
{
    int fd = open(name, O_RDONLY);
    if (fd < 0) {
        perror(name);
        exit(1);
    }
    size_t batch = 32768;
    struct grain *g = malloc(batch * sizeof *g);
    long seen = 0;
    ssize_t got;
    while ((got = read(fd, g, batch * sizeof *g)) > 0) {
        long n = got / (ssize_t)sizeof *g;
        for (long i = 0; i < n; i++)
            classify(t, &g[i], limit);
        seen += n;
    }
    free(g);
    close(fd);
    return seen;
}

static void write_diagram(const char *name, const struct tally *t)
{
    FILE *out = fopen(name, "w");
    if (!out) {
        perror(name);
        exit(1);
    }
    for (int s = 0; s < SPECIES; s++) {
        long n = 0;
        for (int d = 0; d < DEPTHS; d++)
            n += t->grains[s][d];
        double mean = n ? t->diameter_sum[s] / n : 0.0;
        double var = n ? t->diameter_sq[s] / n - mean * mean : 0.0;
        fprintf(out, "%2d %8ld %7.3f %7.3f\n", s, n, mean, sqrt(var > 0 ? var : 0));
    }
    fclose(out);
}

int main(int argc, char **argv)
{
    float limit = argc > 1 ? atof(argv[1]) : 0.35f;
    struct tally *t = calloc(1, sizeof *t);
    long seen = scan_slides("grains.bin", t, limit);
    write_diagram("diagram.txt", t);
    printf("%ld grains, %ld accepted, %ld rejected\n", seen, t->accepted, t->rejected);
    free(t);
    return 0;
}
