/* Occupancy map of water oxygens around a protein: the molecular dynamics
 * frames are replayed (a synthetic diffusion here) and every oxygen is counted
 * in its voxel of a fine three-dimensional grid kept in a mapped file. */
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define NX 560
#define NY 560
#define NZ 560

typedef struct { double x, y, z; } Vec;

static uint64_t seed = 88172645463325252ull;

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

static double wrap(double v)
{
    return v - floor(v);
}

/* pushes waters out of the protein, a sphere of radius 0.18 in a unit box */
static void repel(Vec *p)
{
    double dx = p->x - 0.5, dy = p->y - 0.5, dz = p->z - 0.5;
    double r = sqrt(dx * dx + dy * dy + dz * dz);
    if (r < 0.18 && r > 0) {
        double s = (0.36 - r) / r;
        p->x = 0.5 + dx * s;
        p->y = 0.5 + dy * s;
        p->z = 0.5 + dz * s;
    }
}

static void diffuse(Vec *p, int n)
{
    for (int i = 0; i < n; i++) {
        p[i].x = wrap(p[i].x + 0.02 * (uniform() - 0.5));
        p[i].y = wrap(p[i].y + 0.02 * (uniform() - 0.5));
        p[i].z = wrap(p[i].z + 0.02 * (uniform() - 0.5));
        repel(&p[i]);
    }
}

static size_t voxel(const Vec *p)
{
    size_t i = (size_t)(p->x * NX), j = (size_t)(p->y * NY), k = (size_t)(p->z * NZ);
    return (i * NY + j) * NZ + k;
}

int main(int argc, char **argv)
{
    int waters = argc > 1 ? atoi(argv[1]) : 8000;
    int frames = argc > 2 ? atoi(argv[2]) : 60;
    size_t cells = (size_t)NX * NY * NZ, bytes = cells * sizeof(float);
    int fd = open("occupancy.grid", O_RDWR | O_CREAT | O_TRUNC, 0644);
    if (fd < 0 || ftruncate(fd, bytes) < 0) die("occupancy.grid");
    float *grid = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (grid == MAP_FAILED) die("mmap");

    Vec *p = malloc(waters * sizeof *p);
    for (int i = 0; i < waters; i++) {
        p[i].x = uniform();
        p[i].y = uniform();
        p[i].z = uniform();
        repel(&p[i]);
    }
    float most = 0;
    double shell = 0;
    for (int f = 0; f < frames; f++) {
        diffuse(p, waters);
        for (int i = 0; i < waters; i++) {
            float *cell = &grid[voxel(&p[i])];
            *cell += 1.0f;
            if (*cell > most)
                most = *cell;
            double dx = p[i].x - 0.5, dy = p[i].y - 0.5, dz = p[i].z - 0.5;
            if (dx * dx + dy * dy + dz * dz < 0.0625)
                shell += 1;
        }
    }
    munmap(grid, bytes);
    close(fd);
    free(p);
    printf("%d frames, highest count %.0f, waters in the first shell %.4f per frame\n",
           frames, most, shell / frames);
    return 0;
}
