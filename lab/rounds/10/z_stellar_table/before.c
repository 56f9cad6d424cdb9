/* Synthetic star cluster: luminosity and temperature of every star are looked
 * up in a table of evolution tracks (mass by age) which is mapped into memory. */
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define NMASS 512
#define NAGE 1024
#define NBAND 40

typedef struct { float logl, logt; } Cell;

static uint64_t seed = 0x2545F4914F6CDD1Dull;

static double uniform(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (double)(seed >> 11) / 9007199254740992.0;
}

static void die(const char *what)
{
    perror(what);
    exit(1);
}

/* writes the table: main sequence, then a giant phase */
static void make_tracks(const char *path)
{
    static Cell row[NAGE];
    FILE *f = fopen(path, "wb");
    if (!f) die(path);
    for (int m = 0; m < NMASS; m++) {
        double mass = 0.2 * pow(250.0, (double)m / (NMASS - 1));
        double life = 10.0 * pow(mass, -2.5);
        for (int a = 0; a < NAGE; a++) {
            double age = 12.0 * a / (NAGE - 1), x = fmin(1.4, age / life);
            double giant = 1.0 / (1.0 + exp(-30.0 * (x - 1.05)));
            row[a].logl = (float)(3.5 * log10(mass) + 0.3 * x + 1.8 * giant);
            row[a].logt = (float)(3.76 + 0.55 * log10(mass) - 0.02 * x - 0.25 * giant);
        }
        if (fwrite(row, sizeof row, 1, f) != 1) die("fwrite");
    }
    if (fclose(f)) die("fclose");
}

static Cell lookup(const Cell *t, double mass, double age)
{
    double u = log(mass / 0.2) / log(250.0) * (NMASS - 1), v = age / 12.0 * (NAGE - 1);
    int i = u < 0 ? 0 : u > NMASS - 2 ? NMASS - 2 : (int)u;
    int j = v < 0 ? 0 : v > NAGE - 2 ? NAGE - 2 : (int)v;
    float fu = (float)(u - i), fv = (float)(v - j);
    const Cell *a = t + (size_t)i * NAGE + j, *b = a + NAGE;
    Cell c;
    c.logl = (1 - fu) * ((1 - fv) * a[0].logl + fv * a[1].logl) + fu * ((1 - fv) * b[0].logl + fv * b[1].logl);
    c.logt = (1 - fu) * ((1 - fv) * a[0].logt + fv * a[1].logt) + fu * ((1 - fv) * b[0].logt + fv * b[1].logt);
    return c;
}

int main(int argc, char **argv)
{
    long stars = argc > 1 ? atol(argv[1]) : 6000000;
    make_tracks("tracks.tab");
    int fd = open("tracks.tab", O_RDONLY);
    struct stat st;
    if (fd < 0 || fstat(fd, &st) < 0) die("tracks.tab");
    const Cell *t = mmap(NULL, st.st_size, PROT_READ, MAP_SHARED, fd, 0);
    if (t == MAP_FAILED) die("mmap");
    close(fd);

    double band[NBAND] = { 0 }, light = 0;
    for (long n = 0; n < stars; n++) {
        double mass = pow(uniform() * (pow(50.0, -1.35) - pow(0.2, -1.35)) + pow(0.2, -1.35), -1 / 1.35);
        double age = 12.0 * pow(uniform(), 0.6);
        Cell c = lookup(t, mass, age);
        double l = pow(10.0, c.logl);
        int b = (int)((c.logt - 3.2) * 20);
        if (b < 0) b = 0;
        if (b >= NBAND) b = NBAND - 1;
        band[b] += l;
        light += l;
    }
    munmap((void *)t, st.st_size);
    FILE *out = fopen("bands.txt", "w");
    if (!out) die("bands.txt");
    for (int b = 0; b < NBAND; b++)
        fprintf(out, "%5.3f %12.6e\n", 3.2 + (b + 0.5) / 20, band[b] / light);
    fclose(out);
    printf("%ld stars, mean luminosity %.6f\n", stars, light / stars);
    return 0;
}
