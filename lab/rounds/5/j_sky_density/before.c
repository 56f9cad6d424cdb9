/* Adds the sources of one survey exposure to the shared sky density map.
 * Several exposures may be ingested at once, so cells are guarded. */
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define NRA 360
#define NDEC 180

typedef struct {
    double flux_sum;
    double flux_max;
    int64_t nsource;
} Cell;

typedef struct {
    double ra, dec, flux;
} Source;

typedef struct {
    int fd;
    Cell *cell;
} DensityMap;

static uint64_t rng_state = 88172645463325252ULL;

static double uniform(void)
{
    rng_state ^= rng_state << 13;
    rng_state ^= rng_state >> 7;
    rng_state ^= rng_state << 17;
    return (double)(rng_state >> 11) / 9007199254740992.0;
}

static Source detect_source(double ra0, double dec0)
{
    Source s;
    s.ra = fmod(ra0 + 40.0 * uniform(), 360.0);
    s.dec = fmax(-89.9, fmin(89.9, dec0 + 30.0 * (uniform() - 0.5)));
    s.flux = 3.0 * pow(1.0 - uniform(), -0.66);
    return s;
}

static int map_open(DensityMap *m, const char *path)
{
    size_t bytes = sizeof(Cell) * NRA * NDEC;
    m->fd = open(path, O_RDWR | O_CREAT, 0644);
    if (m->fd < 0 || ftruncate(m->fd, (off_t)bytes) != 0)
        return -1;
    m->cell = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, m->fd, 0);
    return m->cell == MAP_FAILED ? -1 : 0;
}

static void guard(DensityMap *m, int first, int ncell, short type)
{
    struct flock region;
    memset(&region, 0, sizeof region);
    region.l_type = type;
    region.l_whence = SEEK_SET;
    region.l_start = (off_t)first * (off_t)sizeof(Cell);
    region.l_len = (off_t)ncell * (off_t)sizeof(Cell);
    if (fcntl(m->fd, F_SETLKW, &region) != 0) {
        perror("fcntl");
        exit(1);
    }
}

static void add_source(DensityMap *m, const Source *s)
{
    int i = (int)s->ra, j = (int)(s->dec + 90.0);
    int id = j * NRA + i;
    Cell *c = &m->cell[id];
    guard(m, id, 1, F_WRLCK);
    c->flux_sum += s->flux;
    if (s->flux > c->flux_max)
        c->flux_max = s->flux;
    c->nsource++;
    guard(m, id, 1, F_UNLCK);
}

int main(int argc, char **argv)
{
    long nsource = argc > 1 ? atol(argv[1]) : 800000;
    DensityMap map;
    unlink("density.map");
    if (map_open(&map, "density.map") != 0) {
        perror("density.map");
        return 1;
    }
    for (long k = 0; k < nsource; k++) {
        Source s = detect_source(133.0, -12.0);
        add_source(&map, &s);
    }
    double total = 0.0, peak = 0.0;
    int64_t n = 0;
    for (int id = 0; id < NRA * NDEC; id++) {
        total += map.cell[id].flux_sum;
        n += map.cell[id].nsource;
        if (map.cell[id].flux_max > peak)
            peak = map.cell[id].flux_max;
    }
    printf("sources %lld  flux %.6e  brightest %.4e\n", (long long)n, total, peak);
    munmap(map.cell, sizeof(Cell) * NRA * NDEC);
    close(map.fd);
    return 0;
}
