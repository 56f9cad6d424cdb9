/* debris-flow runout: released blocks slide down a terrain model until
 * friction stops them; counts deposits per elevation band.
 * Terrain: tiles of 64 x 64 float elevations behind a one-page header. */
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define TILE 64
#define NT 16                       /* tiles per side */
#define N (TILE * NT)
#define CELL 10.0                   /* m */
#define TILE_BYTES (TILE * TILE * sizeof(float))
#define HEADER 4096
#define G 9.81

typedef struct {
    int fd;
    char *name;
} terrain;

typedef struct {
    double x, y, vx, vy;
} block;

static uint64_t seed = 88172645463325252ULL;
static double uniform(void)
{
    seed ^= seed << 13; seed ^= seed >> 7; seed ^= seed << 17;
    return (double)(seed >> 11) / 9007199254740992.0;
}

static double mountain(int i, int j)
{
    double x = (i - N / 2.0) / N, y = (j - N / 2.0) / N;
    return 2400.0 * exp(-6.0 * (x * x + y * y)) + 60.0 * sin(21.0 * x) * cos(17.0 * y)
           + 8.0 * sin(120.0 * x + 90.0 * y);
}

static void build_terrain(const char *name)
{
    FILE *f = fopen(name, "wb");
    char head[HEADER] = "DEMT";
    float *t = malloc(TILE_BYTES);
    if (!f || !t) { perror(name); exit(1); }
    fwrite(head, 1, HEADER, f);
    for (int tj = 0; tj < NT; tj++)
        for (int ti = 0; ti < NT; ti++) {
            for (int j = 0; j < TILE; j++)
                for (int i = 0; i < TILE; i++)
                    t[j * TILE + i] = (float)mountain(ti * TILE + i, tj * TILE + j);
            fwrite(t, 1, TILE_BYTES, f);
        }
    fclose(f);
    free(t);
}

static void terrain_open(terrain *d, char *name)
{
    d->name = name;
    d->fd = open(name, O_RDONLY);
    if (d->fd < 0) { perror(name); exit(1); }
}

static const float *tile_get(terrain *d, int ti, int tj)
{
    off_t at = HEADER + (off_t)(tj * NT + ti) * TILE_BYTES;
    void *p = mmap(NULL, TILE_BYTES, PROT_READ, MAP_SHARED, d->fd, at);
    if (p == MAP_FAILED) { perror("mmap"); exit(1); }
    return p;
}

static void tile_put(const float *t)
{
    munmap((void *)t, TILE_BYTES);
}

/* slope (dz/dx, dz/dy) and elevation at a point, from the tile that holds it */
static double slope(terrain *d, double x, double y, double *sx, double *sy)
{
    int ci = (int)(x / CELL), cj = (int)(y / CELL);
    const float *t = tile_get(d, ci / TILE, cj / TILE);
    int i = ci % TILE, j = cj % TILE;
    int i0 = i > 0 ? i - 1 : 0, i1 = i < TILE - 1 ? i + 1 : TILE - 1;
    int j0 = j > 0 ? j - 1 : 0, j1 = j < TILE - 1 ? j + 1 : TILE - 1;
    double z = t[j * TILE + i];
    *sx = (t[j * TILE + i1] - t[j * TILE + i0]) / ((i1 - i0) * CELL);
    *sy = (t[j1 * TILE + i] - t[j0 * TILE + i]) / ((j1 - j0) * CELL);
    tile_put(t);
    return z;
}

/* Coulomb friction plus turbulent drag (Voellmy) */
static int advance(block *b, double sx, double sy, double mu, double xi, double dt)
{
    double v = hypot(b->vx, b->vy), cosb = 1.0 / sqrt(1.0 + sx * sx + sy * sy);
    double drag = v > 1e-6 ? (mu * G * cosb + G * v * v / xi) / v : 0.0;
    b->vx += dt * (-G * sx * cosb - drag * b->vx);
    b->vy += dt * (-G * sy * cosb - drag * b->vy);
    b->x += dt * b->vx;
    b->y += dt * b->vy;
    if (b->x < 0 || b->y < 0 || b->x >= N * CELL || b->y >= N * CELL) return -1;
    return hypot(b->vx, b->vy) < 0.05;
}

int main(int argc, char **argv)
{
    int blocks = argc > 1 ? atoi(argv[1]) : 2000, steps = argc > 2 ? atoi(argv[2]) : 250;
    long band[25] = {0}, lost = 0, moving = 0;
    double reach = 0;
    terrain d;
    build_terrain("terrain.dem");
    terrain_open(&d, "terrain.dem");
    for (int k = 0; k < blocks; k++) {
        double a = 6.2831853 * uniform(), r = 600.0 + 900.0 * uniform(), sx, sy, z = 0;
        block b = {N * CELL / 2 + r * cos(a), N * CELL / 2 + r * sin(a), 0, 0};
        int s, end = 0;
        for (s = 0; s < steps && !end; s++) {
            z = slope(&d, b.x, b.y, &sx, &sy);
            end = advance(&b, sx, sy, 0.12, 400.0, 0.25) * (s > 4);
            if (b.x < 0 || b.y < 0 || b.x >= N * CELL || b.y >= N * CELL) break;
        }
        if (end < 0) lost++;
        else if (!end) moving++;
        int q = (int)(z / 100.0);
        band[q < 0 ? 0 : q > 24 ? 24 : q]++;
        reach += hypot(b.x - N * CELL / 2, b.y - N * CELL / 2) - r;
    }
    for (int q = 0; q < 25; q++)
        if (band[q]) printf("%4d m  %ld\n", q * 100, band[q]);
    printf("mean runout %.2f m, lost %ld, still moving %ld\n", reach / blocks, lost, moving);
    close(d.fd);
    return 0;
}
