/* Photon transmission through a layered slab: analogue Monte Carlo in batches. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define LAYERS 8
#define PER_BATCH 400

typedef struct {
    int nmat, nener;
    double *sigma; /* [nmat][nener], log spaced energies 1 keV .. 10 MeV */
} XSection;

static uint64_t rng_state = 88172645463325252ULL;

static double rnd(void)
{
    rng_state ^= rng_state << 13;
    rng_state ^= rng_state >> 7;
    rng_state ^= rng_state << 17;
    return (rng_state >> 11) * (1.0 / 9007199254740992.0);
}

static void load_xsection(XSection *xs, const char *path)
{
    int32_t dims[2];
    FILE *f = fopen(path, "rb");
    if (!f || fread(dims, sizeof dims[0], 2, f) != 2) {
        perror(path);
        exit(1);
    }
    xs->nmat = dims[0];
    xs->nener = dims[1];
    size_t n = (size_t)dims[0] * dims[1];
    xs->sigma = malloc(n * sizeof *xs->sigma);
    if (fread(xs->sigma, sizeof *xs->sigma, n, f) != n) {
        fprintf(stderr, "%s: short table\n", path);
        exit(1);
    }
    fclose(f);
}

static void free_xsection(XSection *xs)
{
    free(xs->sigma);
}

static double lookup(const XSection *xs, int mat, double energy)
{
    double u = (log10(energy) + 3.0) / 4.0 * (xs->nener - 1);
    int i = u < 0 ? 0 : u > xs->nener - 2 ? xs->nener - 2 : (int)u;
    const double *s = xs->sigma + (size_t)mat * xs->nener + i;
    return s[0] + (u - i) * (s[1] - s[0]);
}

static int follow_photon(const XSection *xs, double energy)
{
    double z = 0.0, mu = 1.0;
    while (energy > 0.002) {
        int layer = (int)z;
        double path = -log(rnd() + 1e-300) / lookup(xs, layer, energy);
        if (path > 0.5)
            path = 0.5;
        else if (rnd() < 0.35)
            return 0;
        else {
            mu = 2.0 * rnd() - 1.0;
            energy *= 0.6 + 0.4 * rnd();
        }
        z += mu * path;
        if (z < 0.0)
            return 0;
        if (z >= LAYERS)
            return 1;
    }
    return 0;
}

static int run_batch(const XSection *xs, double energy)
{
    int through = 0;
    for (int i = 0; i < PER_BATCH; i++)
        through += follow_photon(xs, energy);
    return through;
}

int main(int argc, char **argv)
{
    int batches = argc > 1 ? atoi(argv[1]) : 500;
    double sum = 0.0, sum2 = 0.0;
    XSection xs;
    load_xsection(&xs, "xsection.tab");
    for (int b = 0; b < batches; b++) {
        double t = run_batch(&xs, 8.0) / (double)PER_BATCH;
        sum += t;
        sum2 += t * t;
    }
    free_xsection(&xs);
    double mean = sum / batches;
    printf("transmission %.6f +- %.6f\n", mean,
           sqrt((sum2 / batches - mean * mean) / batches));
    return 0;
}
