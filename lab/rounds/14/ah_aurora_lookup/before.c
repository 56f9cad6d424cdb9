/* Green line of the aurora: precipitating electrons lose energy in the upper
 * atmosphere; the yield of O(1S) per collision is taken from a precomputed
 * table (bytes 0..255, energy x density x composition).
 *
 * aurora <electrons>
 */
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NE = 448, ND = 1024, NC = 512 };          /* energies, densities, mixtures */
enum { LAYERS = 120 };

static double height_profile[LAYERS];
static const unsigned char *table;
static size_t table_size;

static uint32_t seed = 2463534242u;
static double rnd(void)
{
    seed ^= seed << 13; seed ^= seed >> 17; seed ^= seed << 5;
    return seed * (1.0 / 4294967296.0);
}

static void load_table(const char *name)
{
    struct stat st;
    int fd = open(name, O_RDONLY);
    if (fd < 0 || fstat(fd, &st) != 0) { perror(name); exit(1); }
    table_size = st.st_size;
    table = mmap(NULL, table_size, PROT_READ, MAP_SHARED, fd, 0);
    if (table == MAP_FAILED) { perror(name); exit(1); }
    madvise((void *)table, table_size, MADV_RANDOM);
    close(fd);
}

static double yield_of(double energy, double density, double mix)
{
    int e = (int)(log10(energy) / 4.6 * NE), d = (int)(density * ND), c = (int)(mix * NC);
    e = e < 0 ? 0 : e >= NE ? NE - 1 : e;
    d = d >= ND ? ND - 1 : d;
    c = c >= NC ? NC - 1 : c;
    size_t at = ((size_t)e * ND + d) * NC + c;
    return table[at % table_size] / 255.0;
}

/* follow one primary electron down to 20 eV */
static double electron(double energy)
{
    double depth = rnd() * 4.0, green = 0.0;
    while (energy > 20.0 && depth < LAYERS) {
        double density = exp(-fabs(rnd() * 2.0 - depth / LAYERS));
        double y = yield_of(energy, density, rnd());
        green += y;
        height_profile[(int)depth] += y;
        energy *= 1.0 - (0.25 + 0.5 * rnd());
        depth += -log(1.0 - rnd()) * (2.0 + energy / 5000.0);
    }
    return green;
}

int main(int argc, char **argv)
{
    long n = argc > 1 ? atol(argv[1]) : 3000;
    double total = 0.0;

    load_table("excitation.tab");
    for (long i = 0; i < n; i++) {
        double e0 = 500.0 * pow(1.0 - rnd(), -0.5);     /* power-law spectrum, eV */
        total += electron(e0 < 3e4 ? e0 : 3e4);
    }

    int top = 0;
    for (int k = 1; k < LAYERS; k++)
        if (height_profile[k] > height_profile[top]) top = k;
    printf("electrons %ld  photons %.3f  per electron %.4f\n", n, total, total / n);
    printf("brightest layer %d (%.3f)\n", top, height_profile[top]);
    return 0;
}
